import { setTimeout as sleep } from "node:timers/promises";
import type { AnyBulkWriteOperation, Collection, Document } from "mongodb";
import { bucketOf, bucketOfKey } from "../../shared/ids.ts";
import { foundIds, readEach } from "../read-each.ts";
import { dropIndex } from "./drop-index.ts";
import type { Migration, MigrationContext } from "./migration.ts";

/** Fields of a document that determine its bucket. */
interface Unbucketed extends Document {
  readonly _id: string;
  readonly bucket?: number;
  readonly accountId?: string;
  readonly operation?: string;
  readonly idempotencyKey?: string;
  readonly messageId?: string;
}

/** Position at which to continue. */
interface Cursor {
  readonly collection: string;
  readonly after: string;
}

const BATCH = 500;
const FIELDS = { bucket: 1, accountId: 1, operation: 1, idempotencyKey: 1, messageId: 1 };

/**
 * A message with an idempotency key is in the bucket that a retry with the key queries. Every other document is in
 * the bucket of its id.
 */
const buckets: Readonly<Record<string, (document: Unbucketed) => number>> = {
  messages: ({ _id, accountId = "", operation = "", idempotencyKey }) =>
    idempotencyKey === undefined ? bucketOf(_id) : bucketOfKey(accountId, operation, idempotencyKey),
  contents: ({ _id }) => bucketOf(_id),
  events: ({ _id, messageId }) => bucketOf(messageId ?? _id),
};
const collections = Object.keys(buckets);

/** The index of idempotency keys that 0.1 needs. Its successor begins with the bucket. */
const FORMER_INDEX = "idempotency";

/** Adds the bucket to each message, content and event, which allows sharding of the database. */
export const bucketsMigration: Migration = {
  version: 2,
  name: "messages, contents and events get their buckets",
  background: true,
  // Programs of 0.1 continue to store documents without a bucket, and detect used keys with the former index.
  alone: true,
  run: async (context) => {
    const { db, progress } = context;
    const from = progress.cursor as Cursor | undefined;
    const counts = collections.map((name) => db.collection(name).estimatedDocumentCount());
    const total = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    for (const name of collections.slice(from ? collections.indexOf(from.collection) : 0)) {
      const after = from?.collection === name ? from.after : "";
      await migrateCollection(context, name, after, total);
    }
    await dropIndex(db, "messages", FORMER_INDEX);
  },
};

async function migrateCollection(
  { db, progress, signal }: MigrationContext,
  name: string,
  start: string,
  total: number,
): Promise<void> {
  const collection: Collection<Unbucketed> = db.collection(name);
  for (let after = start; ; ) {
    const startedMs = performance.now();
    const found = await readEach<Unbucketed>((options) =>
      collection
        .find({ _id: { $gt: after } }, { projection: FIELDS, ...options })
        .sort({ _id: 1 })
        .limit(BATCH),
    );
    const ids = foundIds(found);
    const last = ids.at(-1);
    if (last === undefined) return;
    const updates = found.documents.flatMap((document): AnyBulkWriteOperation<Unbucketed>[] => {
      if (document.bucket !== undefined) return [];
      const filter = { _id: document._id, bucket: { $exists: false } };
      return [{ updateOne: { filter, update: { $set: { bucket: buckets[name]?.(document) ?? 0 } } } }];
    });
    if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false });
    after = last;
    await progress.save({ cursor: { collection: name, after }, done: progress.done + ids.length, total });
    // Mail continues in the meantime, with at least half of the store's capacity.
    await sleep(performance.now() - startedMs, undefined, { signal });
  }
}
