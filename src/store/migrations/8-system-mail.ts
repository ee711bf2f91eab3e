import { setTimeout as sleep } from "node:timers/promises";
import type { Collection } from "mongodb";
import { isFinal } from "../../shared/message-state.ts";
import { FORWARD, SYSTEM_MAIL } from "../../shared/operations.ts";
import { SYSTEM_ACCOUNT } from "../../shared/system-account.ts";
import { allNamed, type MessageName, named } from "../bucket.ts";
import type { AccountDocument } from "../documents.ts";
import { eventsOfMessage } from "../event-id.ts";
import type { ContentDocument, EventDocument, MessageDocument } from "../message-documents.ts";
import { messageFault } from "../message-fault.ts";
import { foundIds, readEach } from "../read-each.ts";
import { createSearchStore } from "../search/search-store.ts";
import type { Migration } from "./migration.ts";

const BATCH = 500;

/**
 * Moves mail of the installation itself from the first account to the system account: members of the first account
 * could see its recipients and change its transport. Bodies without pending attempts contain links in plain text, and
 * are removed.
 */
export const systemMailMigration: Migration = {
  version: 8,
  name: "mail of the installation gets an account of its own",
  background: true,
  // Programs of the previous version continue to store it in the first account.
  alone: true,
  run: async ({ db, progress, signal }) => {
    const accounts = db.collection<AccountDocument>("accounts");
    const first = await accounts.findOne({}, { sort: { _id: 1 }, projection: { _id: 1 } });
    if (!first) return;
    const messages = db.collection<MessageDocument>("messages");
    const search = createSearchStore(db).acrossAccounts;
    const operation = { $in: [SYSTEM_MAIL, FORWARD] };
    for (let after = typeof progress.cursor === "string" ? progress.cursor : ""; ; ) {
      const startedMs = performance.now();
      // Reads all messages of the account by its index, not only system mail, so that each step is short.
      const checked = await messages
        .find({ accountId: first._id, _id: { $gt: after } }, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      const last = checked.at(-1)?._id;
      if (last === undefined) return;
      const range = { accountId: first._id, _id: { $gt: after, $lte: last }, operation };
      const { documents, unreadable } = await readEach<MessageDocument>(
        (options) => messages.find(range, options).sort({ _id: 1 }),
        messageFault,
      );
      await search.add(documents.map((message) => ({ ...message, accountId: SYSTEM_ACCOUNT })));
      await removeBodies(db.collection<ContentDocument>("contents"), documents);
      for (const message of documents) await move(message, db.collection<EventDocument>("events"), messages);
      // Unreadable messages move to the system account, too.
      const damaged = foundIds({ documents: [], unreadable });
      if (damaged.length > 0)
        await messages.updateMany(
          { accountId: first._id, _id: { $in: damaged } },
          { $set: { accountId: SYSTEM_ACCOUNT } },
        );
      after = last;
      await progress.save({ cursor: after, done: progress.done + documents.length });
      // Mail continues in the meantime, with at least half of the store's capacity.
      await sleep(performance.now() - startedMs, undefined, { signal });
    }
  },
};

/**
 * Moves the events first: a message that is found again then has all of them, and the next run continues after a
 * crash.
 */
async function move(
  message: MessageName,
  events: Collection<EventDocument>,
  messages: Collection<MessageDocument>,
): Promise<void> {
  const moved = { $set: { accountId: SYSTEM_ACCOUNT } };
  await events.updateMany(eventsOfMessage(message._id), moved);
  await messages.updateOne(named(message), moved);
}

async function removeBodies(
  contents: Collection<ContentDocument>,
  documents: readonly MessageDocument[],
): Promise<void> {
  const over = documents.filter(({ operation, state }) => operation === SYSTEM_MAIL && isFinal(state));
  const names = over.map(({ contentId }) => ({ _id: contentId, bucket: undefined }));
  if (names.length > 0) await contents.deleteMany(allNamed(names));
}
