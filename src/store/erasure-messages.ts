import type { Db } from "mongodb";
import { addressKey } from "../message/address/address-key.ts";
import { mentionsAddress } from "../message/address/mentions.ts";
import { noticeIdsOf } from "../message/dsn/notice-id.ts";
import { timeOfId } from "../shared/ids.ts";
import { named, readByIds } from "./bucket.ts";
import type { OpenErasure } from "./erasure-document.ts";
import type { MessageDocument } from "./message-documents.ts";
import { createMessageRemoval, REMOVABLE, type Removable } from "./message-removal.ts";
import { readEach } from "./read-each.ts";
import { createProvedSteps } from "./removal-proof.ts";
import { createFindMessages } from "./search/find-messages.ts";

const REMOVED_AT_ONCE = 100;
const READ_AT_ONCE = 1_000;

/** Bounds of messages that a worker may still be processing. */
export interface Reach {
  readonly now: Date;
  /** No worker is processing a message that is due later than this. */
  readonly reachable: Date;
}

/** One page of an account's messages, examined for one recipient. */
export interface ErasedRead {
  readonly count: number;
  /** Messages of the recipient that are removed, now or soon. */
  readonly found: number;
  /** Messages among these that their worker has not released yet. */
  readonly waiting: number;
  /** Messages to others that contain the address. */
  readonly mentions: number;
  /** Start of the next page; undefined: this was the last page. */
  readonly before: string | undefined;
}

const SEEN = {
  ...REMOVABLE,
  cancelRequestedAt: 1,
  recipient: 1,
  notDelivered: 1,
  from: 1,
  envelopeFrom: 1,
  originalRecipient: 1,
  subject: 1,
  tags: 1,
  metadata: 1,
  createdAt: 1,
  resentFrom: 1,
} as const;

type Seen = Removable &
  Pick<
    MessageDocument,
    "recipient" | "notDelivered" | "from" | "subject" | "tags" | "metadata" | "createdAt"
  > &
  Partial<Pick<MessageDocument, "envelopeFrom" | "originalRecipient" | "cancelRequestedAt" | "resentFrom">>;

/** Removes the messages to one recipient, and the notices to senders about them. */
export function createErasureOfMessages(db: Db) {
  const messages = db.collection<MessageDocument>("messages");
  const { list } = createFindMessages(db);
  const removal = createMessageRemoval(db);
  const proved = createProvedSteps(db, "erasures", { heldUntil: { $exists: true } });

  function isMeant(
    { recipient, createdAt, resentFrom }: Seen,
    { address, requestedAt }: OpenErasure,
  ): boolean {
    if (addressKey(String(recipient ?? "")) !== address) return false;
    if (!(createdAt instanceof Date) || createdAt <= requestedAt) return true;
    // Its contents were accepted before: it was being resent when the erasure began.
    return typeof resentFrom === "string" && timeOfId(resentFrom) <= requestedAt;
  }

  /** @returns the number of messages that their worker has not released yet */
  async function removeWithNotices(
    { _id: id, accountId }: OpenErasure,
    found: readonly Seen[],
    reach: Reach,
  ): Promise<number> {
    if (found.length === 0) return 0;
    const owner = { accountId };
    const about = await readByIds(
      messages,
      found.flatMap(({ _id }) => noticeIdsOf(_id)),
      { owner: owner },
    );
    const notices = new Map(about.documents.map((notice) => [notice._id, notice]));
    const gone: Removable[] = [];
    const waiting: Removable[] = [];
    for (const message of found) {
      const own = noticeIdsOf(message._id).flatMap((noticeId) => notices.get(noticeId) ?? []);
      const all: Seen[] = [message, ...own];
      // The message is removed last, because its notices are found through it.
      if (all.every(isGivenUp)) gone.push(...all);
      else waiting.push(...all.filter((one) => !isGivenUp(one)));
    }
    const unasked = waiting.filter((one: Partial<Seen>) => one.cancelRequestedAt === undefined);
    await removal.withdraw(accountId, unasked, reach);
    if (gone.length > 0) {
      await proved(id, async (session) => {
        const { removed, shared } = await removal.remove(accountId, gone, { session, keepShared: true });
        return { removed, left: { sharedBodies: shared } };
      });
    }
    return waiting.length;
  }

  /** Removes the address from stored submissions to others that also named it. */
  async function forgetNotDelivered(
    { _id: id, accountId, address }: OpenErasure,
    others: readonly Seen[],
  ): Promise<void> {
    const isOther = (one: string) => addressKey(one) !== address;
    const naming = others.filter(({ notDelivered }) => notDelivered?.some((one) => !isOther(one)));
    if (naming.length === 0) return;
    const operations = naming.map((message) => {
      const notDelivered = message.notDelivered.filter(isOther);
      return { updateOne: { filter: { ...named(message), accountId }, update: { $set: { notDelivered } } } };
    });
    await proved(id, async (session) => {
      const { matchedCount } = await messages.bulkWrite(operations, { session });
      return { removed: { notDelivered: matchedCount } };
    });
  }

  return {
    /** Removes the next messages that the index finds, newest first. */
    async removeFound(
      erasure: OpenErasure,
      before: string | undefined,
      reach: Reach,
    ): Promise<Pick<ErasedRead, "waiting" | "before">> {
      const { accountId, address } = erasure;
      // Not by the time in the ids: a service that repeats its submissions creates ids by its own clock.
      const filter = { recipient: { kind: "whole", address } as const };
      const page = await list(accountId, {
        filter,
        limit: REMOVED_AT_ONCE,
        ...(before !== undefined && { beforeId: before }),
      });
      const found = page.messages.filter((message) => isMeant(message, erasure));
      return { waiting: await removeWithNotices(erasure, found, reach), before: page.nextBeforeId };
    },

    /** Examines the next messages of the account, newest first, and removes those that the index did not find. */
    async readMessages(erasure: OpenErasure, before: string | undefined, reach: Reach): Promise<ErasedRead> {
      const { accountId, address } = erasure;
      const range = before === undefined ? {} : { _id: { $lt: before } };
      const { documents, unreadable } = await readEach<Seen>((options) =>
        messages
          .find({ accountId, ...range }, { projection: SEEN, ...options })
          .sort({ _id: -1 })
          .limit(READ_AT_ONCE),
      );
      const damaged = unreadable.map(
        ({ id, fields }) => ({ ...Object.fromEntries(fields), _id: id }) as Seen,
      );
      const seen = [...documents, ...damaged];
      const found = seen.filter((message) => isMeant(message, erasure));
      let waiting = 0;
      for (let at = 0; at < found.length; at += REMOVED_AT_ONCE) {
        waiting += await removeWithNotices(erasure, found.slice(at, at + REMOVED_AT_ONCE), reach);
      }
      const others = seen.filter((message) => !found.includes(message));
      await forgetNotDelivered(erasure, others);
      const last = seen.map(({ _id }) => _id).sort()[0];
      return {
        count: seen.length,
        found: found.length,
        waiting,
        mentions: others.filter((message) => isMentioned(message, address)).length,
        before: seen.length < READ_AT_ONCE ? undefined : last,
      };
    },
  };
}

/** No worker is processing it, and none is about to end it. */
function isGivenUp({ nextAttemptAt, cancelRequestedAt }: Seen): boolean {
  return nextAttemptAt === undefined && cancelRequestedAt === undefined;
}

function isMentioned(message: Seen, address: string): boolean {
  const { from, envelopeFrom, originalRecipient, subject, tags, metadata, recipient } = message;
  const texts = [from, envelopeFrom, originalRecipient, subject, recipient, ...(tags ?? [])];
  return [...texts, ...Object.entries(metadata ?? {}).flat()].some(
    (text) => typeof text === "string" && mentionsAddress(text, address),
  );
}
