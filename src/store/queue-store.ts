import type { Db, Filter, UpdateFilter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import { isFinal, type MessageState, statesBeforeOutcome, waitingStates } from "../shared/message-state.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { allNamed, type MessageName, named } from "./bucket.ts";
import type { EventStore } from "./event-store.ts";
import { createHandover } from "./handover.ts";
import type { NewEvent } from "./journal/journal-documents.ts";
import type { Announcement } from "./journal/journal-writer.ts";
import type { MessageDocument } from "./message-documents.ts";
import { cancelFault, dueFault } from "./message-fault.ts";
import { createOldestDue, MERGED_AT_ONCE } from "./oldest-due.ts";
import { type Priority, priorities } from "./policy-document.ts";
import { type Found, readEach } from "./read-each.ts";
import { createRetries, type Retry } from "./retries.ts";
import { guarded } from "./store-fault.ts";
import { createStrays } from "./strays.ts";
import { type Cancellation, createWithdrawals, type Withdrawal } from "./withdrawals.ts";

/** The end of one attempt, or of a message that is not attempted. */
export interface MessageTransition {
  readonly messageId: string;
  /** The message's. */
  readonly bucket: number | undefined;
  readonly to: MessageState;
  readonly attempts: number;
  readonly at: Date;
  /** The epoch of the lease under which the attempt was made: a later owner's word counts more. */
  readonly epoch: number;
  /** For `deferred`. */
  readonly nextAttemptAt?: Date;
  /** For final states: when the record may go. */
  readonly expireAt?: Date;
  /** What a refusal is about; missing: nobody has refused it. */
  readonly category?: string;
  /** For `deferred`: `resumeAt` of the message. Empty: it has none any more. Missing: as it is. */
  readonly resumeAt?: readonly number[];
}

export interface DueQuery {
  readonly partitions: readonly number[];
  readonly priority: Priority;
  /** Only what was due at this time or later. */
  readonly from: Date | undefined;
  readonly now: Date;
  readonly limit: number;
}

/** That somebody wants a message back. */
export interface CancelRequest {
  readonly at: Date;
  readonly audit: Audit;
}

/** Messages that wait are counted as far as this, for people: the cost must not grow with the queue. */
const WAITING_COUNT_MAX = 100_000;

/** A suppressed message was offered to no server: its turn is not counted as an attempt. */
export function countedAttempts({ to, attempts }: Pick<MessageTransition, "to" | "attempts">): number {
  return to === "suppressed" ? attempts - 1 : attempts;
}

/** The messages that wait, as the owners of their partitions need them, and who wants one of his own back. */
export function createQueueStore(db: Db, writes: AuditedWrites, events: Pick<EventStore, "insertBefore">) {
  const messages = db.collection<MessageDocument>("messages");
  const waiting = { state: { $in: [...waitingStates] } };
  const { withdrawMany, cancel } = createWithdrawals(messages);
  const { retryNow, retryMany } = createRetries(messages, writes);

  function findDueIn(
    partitions: DueQuery["partitions"],
    { priority, from, now, limit }: Omit<DueQuery, "partitions">,
  ): Promise<Found<MessageDocument>> {
    const filter: Filter<MessageDocument> = {
      partition: { $in: [...partitions] },
      priority,
      nextAttemptAt: { $lte: now, ...(from && { $gte: from }) },
    };
    return readEach(
      (options) => messages.find(filter, options).sort({ nextAttemptAt: 1 }).limit(limit),
      dueFault,
    );
  }

  /**
   * Asks for the end of a message, and writes an entry of the audit log; what was asked for before has its own.
   * @returns false: no message meets the condition
   */
  function request(
    condition: Filter<MessageDocument> & { readonly accountId: string },
    update: UpdateFilter<MessageDocument>,
    { at, audit }: CancelRequest,
  ): Promise<boolean> {
    return writes.transact(async (session) => {
      const projection = { subject: 1, state: 1, cancelRequestedAt: 1 };
      const found = await messages.findOne({ ...condition, ...waiting }, { session, projection });
      if (!found) return false;
      await messages.updateOne({ ...condition, ...waiting }, update, { session });
      const { _id: id, subject: name, state, cancelRequestedAt } = found;
      if (cancelRequestedAt) return true;
      const target = { kind: "message", id, name } as const;
      const change = { target, before: { state }, after: { state, cancelRequestedAt: at } };
      await writes.note(session, condition.accountId, audit, change);
      return true;
    });
  }

  /**
   * Writes the ends of attempts. One whose message has moved on, or has a later owner, changes nothing.
   * @returns how many were written
   */
  async function applyTransitions(transitions: readonly MessageTransition[]): Promise<number> {
    const operations = transitions.map((transition) => ({ updateOne: updateOf(transition) }));
    const result = await guarded(messages.bulkWrite(operations, { ordered: false }));
    return result.matchedCount;
  }

  return {
    forAccount: (accountId: string) => ({
      /** Asks the partition's owner to withdraw a message that waits; an earlier request stays as it is. */
      async requestCancel(message: MessageName, by: CancelRequest): Promise<void> {
        const unasked = { ...named(message), accountId, cancelRequestedAt: { $exists: false } };
        await request(unasked, { $set: { cancelRequestedAt: by.at } }, by);
      },

      /**
       * Takes a message out of the queue that is due only after `dueAfter`. From then on nobody attempts it, and it
       * is in `findCancelRequests` until `cancel` has finished it.
       * @returns false: it is not waiting, or is due earlier
       */
      withdrawBeforeDue(message: MessageName, dueAfter: Date, by: CancelRequest): Promise<boolean> {
        const late = { nextAttemptAt: { $gt: dueAfter }, held: { $exists: false } };
        const update = { $set: { cancelRequestedAt: by.at }, $unset: { nextAttemptAt: "" as const } };
        return request({ ...named(message), accountId, ...late }, update, by);
      },

      /**
       * Writes that a message is withdrawn whose withdrawal was requested; its event is written before. Only for who has
       * taken it out of the queue, and so knows that no attempt is under way.
       * @returns how many were written: one, or none
       */
      cancel: (message: MessageName, cancellation: Cancellation) =>
        cancel([message], cancellation, { accountId }),

      /** As `requestCancel` and `withdrawBeforeDue`, for many messages, whose job the audit log has. */
      withdrawMany: (names: readonly MessageName[], withdrawal: Withdrawal): Promise<void> =>
        withdrawMany(names, withdrawal, accountId),

      /**
       * Makes a deferred message due at once that is due only after `dueAfter`.
       * @returns false: it is not deferred, or is due by then, or may be under way, or somebody wants it back
       */
      retryNow: (message: MessageName, retry: Retry, audit: Audit): Promise<boolean> =>
        retryNow(message, accountId, retry, audit),

      /** As `retryNow`, for many messages and a job, which the audit log has. */
      retryMany: (names: readonly MessageName[], retry: Retry & { readonly jobId: string }): Promise<void> =>
        retryMany(names, accountId, retry),

      /** As `cancel`. */
      cancelMany: (names: readonly MessageName[], cancellation: Cancellation) =>
        cancel(names, cancellation, { accountId }),
    }),

    acrossAccounts: {
      /**
       * Messages whose attempt is due, the longest waiting first. The query has no condition beside those of the queue's
       * index, so that it reads no more than it finds; a message in a state that may not be sent is unreadable.
       */
      async findDue({ partitions, ...query }: DueQuery): Promise<Found<MessageDocument>> {
        if (partitions.length <= MERGED_AT_ONCE) return findDueIn(partitions, query);
        const parts = [];
        for (let at = 0; at < partitions.length; at += MERGED_AT_ONCE) {
          parts.push(findDueIn(partitions.slice(at, at + MERGED_AT_ONCE), query));
        }
        const found = await Promise.all(parts);
        const unreadable = found.flatMap((part) => part.unreadable).slice(0, query.limit);
        const documents = found
          .flatMap((part) => part.documents)
          .sort((a, b) => Number(a.nextAttemptAt) - Number(b.nextAttemptAt))
          .slice(0, query.limit - unreadable.length);
        return { documents, unreadable };
      },

      /**
       * How many messages of these partitions wait, `limit` where there are more. The stores count in the index of the
       * queue and read no message, because each part of the filter bounds a field of that index.
       */
      countWaiting(partitions: readonly number[], limit = WAITING_COUNT_MAX): Promise<number> {
        const all = {
          partition: { $in: [...partitions] },
          priority: { $in: [...priorities] },
          nextAttemptAt: { $gte: new Date(0) },
        };
        return guarded(messages.countDocuments(all, { limit }));
      },

      oldestDueAt: createOldestDue(messages),

      ...createHandover(messages),

      ...createStrays(messages),

      applyTransitions,

      /**
       * As `applyTransitions`, behind the events that tell of them, by one command where the server has it: none is written without its
       * event.
       */
      async applyWithEvents(
        transitions: readonly MessageTransition[],
        happened: readonly NewEvent[],
        announced: Announcement,
      ): Promise<number> {
        const collection = messages.collectionName;
        const updates = transitions.map((transition) => ({ collection, ...updateOf(transition) }));
        const matched = await events.insertBefore(updates, happened, announced);
        return matched ?? applyTransitions(transitions);
      },

      /** Waiting messages of these partitions that somebody wants withdrawn, the earliest request first. */
      findCancelRequests(partitions: readonly number[], limit: number): Promise<Found<MessageDocument>> {
        const filter = {
          partition: { $in: [...partitions] },
          cancelRequestedAt: { $exists: true },
        };
        return readEach(
          (options) => messages.find(filter, options).sort({ cancelRequestedAt: 1 }).limit(limit),
          cancelFault,
        );
      },

      /**
       * As `withdrawBeforeDue`, for the partition's owner, who knows that no attempt is under way: many by one write.
       * @returns the ids of those that are out of the queue: the others have ended meanwhile, or have a later owner
       */
      async withdraw(names: readonly MessageName[], epoch: number): Promise<ReadonlySet<string>> {
        const filter: Filter<MessageDocument> = {
          ...allNamed(names),
          ...waiting,
          cancelRequestedAt: { $exists: true },
          epoch: { $not: { $gt: epoch } },
        };
        const update = { $unset: { nextAttemptAt: "" } } as const;
        const { matchedCount } = await guarded(messages.updateMany(filter, update));
        if (matchedCount === names.length) return new Set(names.map(({ _id }) => _id));
        const withdrawn = messages.find(
          { ...filter, nextAttemptAt: { $exists: false } },
          { projection: { _id: 1 } },
        );
        return new Set((await guarded(withdrawn.toArray())).map(({ _id }) => _id));
      },

      /**
       * Writes that messages are withdrawn whose withdrawal was requested; their events are written before. Only for the
       * owner of their partition, who knows that no attempt is under way.
       * @param epoch of the owner's lease
       * @returns how many were written
       */
      cancel: (names: readonly MessageName[], cancellation: Cancellation, epoch: number) =>
        cancel(names, cancellation, { epoch: { $not: { $gt: epoch } } }),
    },
  };
}

function updateOf(transition: MessageTransition): {
  readonly filter: Filter<MessageDocument>;
  readonly update: UpdateFilter<MessageDocument>;
} {
  const { messageId, bucket, to, attempts, at, epoch, nextAttemptAt, expireAt, category } = transition;
  const { resumeAt } = transition;
  const from = statesBeforeOutcome(to);
  if (from.length === 0) throw fault("internal.error", { internal: `no attempt ends in ${to}` });
  const filter = {
    ...named({ _id: messageId, bucket }),
    state: { $in: from },
    attempts: attempts - 1,
    epoch: { $not: { $gt: epoch } },
  };
  const set = {
    state: to,
    attempts: countedAttempts(transition),
    epoch,
    updatedAt: at,
    ...(expireAt && { expireAt }),
    ...(category !== undefined && { category }),
    ...(!isFinal(to) && nextAttemptAt && { nextAttemptAt }),
    ...(resumeAt && resumeAt.length > 0 && { resumeAt }),
  };
  const unset = {
    ...(isFinal(to) && { nextAttemptAt: "" as const, cancelRequestedAt: "" as const }),
    ...(category === undefined && { category: "" as const }),
    ...(resumeAt?.length === 0 && { resumeAt: "" as const }),
  };
  return { filter, update: { $set: set, ...(Object.keys(unset).length > 0 && { $unset: unset }) } };
}
