import type { Db } from "mongodb";
import { noticeIdsOf } from "../message/dsn/notice-id.ts";
import { bucketOf } from "../shared/ids.ts";
import { NO_BUCKET, readByIds } from "./bucket.ts";
import type { SuppressionDocument } from "./documents.ts";
import type { EventDocument, MessageDocument, SandboxDocument } from "./message-documents.ts";
import { createFindMessages } from "./search/find-messages.ts";
import { guarded } from "./store-fault.ts";

/** Counts of what an erasure would remove. */
export interface ErasureCounts {
  readonly messages: number;
  /** Waiting messages among these. */
  readonly waiting: number;
  /** Notices to senders about these messages. */
  readonly notices: number;
  readonly events: number;
  readonly captured: number;
  readonly suppressions: number;
  /** False: there are more messages than were counted. */
  readonly isComplete: boolean;
}

/** Maximum number of counted messages: at most a few seconds of work. */
const COUNTED_MAX = 2_000;
const PAGE = 200;
const EVENTS_AT_ONCE = 20;

/** Counts an account's data about a recipient with the search index, without changes. */
export function createErasureCount(db: Db) {
  const messages = db.collection<MessageDocument>("messages");
  const events = db.collection<EventDocument>("events");
  const captured = db.collection<SandboxDocument>("sandboxMessages");
  const suppressions = db.collection<SuppressionDocument>("suppressions");
  const { list } = createFindMessages(db);

  async function countEvents(accountId: string, ids: readonly string[]): Promise<number> {
    let count = 0;
    for (let at = 0; at < ids.length; at += EVENTS_AT_ONCE) {
      const counting = ids.slice(at, at + EVENTS_AT_ONCE).map((id) => {
        const bucket = { $in: [bucketOf(id), NO_BUCKET] };
        return guarded(events.countDocuments({ _id: { $gte: `${id}.`, $lt: `${id}/` }, bucket, accountId }));
      });
      for (const own of await Promise.all(counting)) count += own;
    }
    return count;
  }

  return async (accountId: string, address: string, now: Date): Promise<ErasureCounts> => {
    const counts = { messages: 0, waiting: 0, notices: 0, events: 0, captured: 0 };
    const filter = {
      recipient: { kind: "whole", address } as const,
      until: new Date(now.getTime() + 1),
    };
    let beforeId: string | undefined;
    do {
      const page = await list(accountId, {
        filter,
        limit: PAGE,
        ...(beforeId !== undefined && { beforeId }),
      });
      const ids = page.messages.map(({ _id }) => _id);
      const about = await readByIds(messages, ids.flatMap(noticeIdsOf), { owner: { accountId } });
      const all = [...ids, ...about.documents.map(({ _id }) => _id)];
      counts.messages += ids.length;
      counts.notices += about.documents.length;
      counts.waiting += page.messages.filter(({ nextAttemptAt }) => nextAttemptAt !== undefined).length;
      counts.events += await countEvents(accountId, all);
      const shown = [...page.messages, ...about.documents];
      counts.events += shown.filter(({ end }) => end !== undefined).length;
      counts.captured += await guarded(captured.countDocuments({ _id: { $in: all }, accountId }));
      beforeId = page.nextBeforeId;
    } while (beforeId !== undefined && counts.messages < COUNTED_MAX);
    const entries = { accountId, _id: { $gte: `${accountId}:${address}:`, $lt: `${accountId}:${address};` } };
    const suppressed = await guarded(suppressions.countDocuments(entries));
    return { ...counts, suppressions: suppressed, isComplete: beforeId === undefined };
  };
}
