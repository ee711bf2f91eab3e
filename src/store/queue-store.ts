import type { Db, Filter, UpdateFilter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import { isFinal, type MessageState, statesBeforeOutcome, waitingStates } from "../shared/message-state.ts";
import type { RecordEnds } from "./attempt-ends.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { allNamed, type MessageName, named } from "./bucket.ts";
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

/** The end of one attempt, or of a message without an attempt. */
export interface MessageTransition {
  readonly messageId: string;
  /** Bucket of the message. */
  readonly bucket: number | undefined;
  readonly to: MessageState;
  readonly attempts: number;
  readonly at: Date;
  /** Epoch of the lease of the attempt: a later owner's result takes precedence. */
  readonly epoch: number;
  /** For `deferred`. */
  readonly nextAttemptAt?: Date;
  /** For final states: time from which on the record may be removed. */
  readonly expireAt?: Date;
  /** Category of a refusal. Missing: there was no refusal. */
  readonly category?: string;
  /** For `deferred`: `resumeAt` of the message. Empty: removed. Missing: unchanged. */
  readonly resumeAt?: readonly number[];
}

export interface DueQuery {
  readonly partitions: readonly number[];
  readonly priority: Priority;
  /** Only messages due at this time or later. */
  readonly from: Date | undefined;
  readonly now: Date;
  readonly limit: number;
}

/** A request to cancel a message. */
export interface CancelRequest {
  readonly at: Date;
  readonly audit: Audit;
}

/** Limit of the displayed count of waiting messages: the cost must not grow with the queue. */
const WAITING_COUNT_MAX = 100_000;

/** A suppressed message was offered to no server: it does not count as an attempt. */
export function countedAttempts({ to, attempts }: Pick<MessageTransition, "to" | "attempts">): number {
  return to === "suppressed" ? attempts - 1 : attempts;
}

/** Waiting messages for the owners of their partitions, and cancel requests of their senders. */
export function createQueueStore(db: Db, writes: AuditedWrites, recordEnds: RecordEnds) {
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
   * Requests the cancellation of a message, and writes an entry of the audit log. An earlier request has its own
   * entry.
   * @returns false: no message matches the condition
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

  return {
    forAccount: (accountId: string) => ({
      /** Asks the partition's owner to cancel a waiting message. An earlier request stays unchanged. */
      async requestCancel(message: MessageName, by: CancelRequest): Promise<void> {
        const unasked = { ...named(message), accountId, cancelRequestedAt: { $exists: false } };
        await request(unasked, { $set: { cancelRequestedAt: by.at } }, by);
      },

      /**
       * Removes a message from the queue that is due after `dueAfter`. From then on it is not attempted, and
       * `findCancelRequests` returns it until `cancel` has finished it.
       * @returns false: it is not waiting, or is due earlier
       */
      withdrawBeforeDue(message: MessageName, dueAfter: Date, by: CancelRequest): Promise<boolean> {
        const late = { nextAttemptAt: { $gt: dueAfter }, held: { $exists: false } };
        const update = { $set: { cancelRequestedAt: by.at }, $unset: { nextAttemptAt: "" as const } };
        return request({ ...named(message), accountId, ...late }, update, by);
      },

      /**
       * Marks a message as cancelled after a cancel request. Its event must be written before. Only for the caller
       * that has removed it from the queue, which ensures that no attempt is running.
       * @returns the number of written messages: one or none
       */
      cancel: (message: MessageName, cancellation: Cancellation) =>
        cancel([message], cancellation, { accountId }),

      /** As `requestCancel` and `withdrawBeforeDue`, for many messages. The audit log contains their job. */
      withdrawMany: (names: readonly MessageName[], withdrawal: Withdrawal): Promise<void> =>
        withdrawMany(names, withdrawal, accountId),

      /**
       * Makes a deferred message due immediately if it is due after `dueAfter`.
       * @returns false: it is not deferred, is due earlier, may be in processing, or has a cancel request
       */
      retryNow: (message: MessageName, retry: Retry, audit: Audit): Promise<boolean> =>
        retryNow(message, accountId, retry, audit),

      /** As `retryNow`, for many messages and a job, which the audit log contains. */
      retryMany: (names: readonly MessageName[], retry: Retry & { readonly jobId: string }): Promise<void> =>
        retryMany(names, accountId, retry),

      /** As `cancel`. */
      cancelMany: (names: readonly MessageName[], cancellation: Cancellation) =>
        cancel(names, cancellation, { accountId }),
    }),

    acrossAccounts: {
      /**
       * Messages with a due attempt, the longest waiting first. The query has only conditions of the queue index, so
       * that it reads no other messages. A message in a state that must not be sent is unreadable.
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
       * Number of waiting messages of these partitions, at most `limit`. The stores count in the queue index and read
       * no message, because each part of the filter limits a field of that index.
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

      /**
       * Writes the ends of attempts, each with its event before it, in one command if the server supports it. A transition has
       * no effect if the message has moved on or has a later owner.
       * @param happened the events of the transitions, in their order
       * @returns the number of written transitions
       */
      async applyWithEvents(
        transitions: readonly MessageTransition[],
        happened: readonly NewEvent[],
        announced: Announcement,
      ): Promise<number> {
        const ends = transitions.map((transition, index) => ({
          event: happened[index] as NewEvent,
          ...updateOf(transition),
        }));
        return recordEnds(ends, announced);
      },

      /** Waiting messages of these partitions with a cancel request, the earliest request first. */
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
       * As `withdrawBeforeDue`, for the partition's owner, which ensures that no attempt is running: many in one
       * write.
       * @returns the ids of the messages that left the queue; the others have ended, or have a later owner
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
       * Marks messages as cancelled after cancel requests. Their events must be written before. Only for the owner of
       * their partition, which ensures that no attempt is running.
       * @param epoch of the owner's lease
       * @returns the number of written messages
       */
      cancel: (names: readonly MessageName[], cancellation: Cancellation, epoch: number) =>
        cancel(names, cancellation, { epoch: { $not: { $gt: epoch } } }),
    },
  };
}

function updateOf(transition: MessageTransition): {
  readonly filter: Filter<MessageDocument>;
  readonly update: UpdateFilter<MessageDocument> & { readonly $set: object };
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
