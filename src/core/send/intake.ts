import { Fault, fault } from "../../shared/fault.ts";
import { createNaturalBatch, type Settled } from "../../shared/natural-batch.ts";
import { createSizeQueues } from "../../shared/size-queues.ts";
import type { NewContent } from "../../store/content-store.ts";
import type { Announcement } from "../../store/journal/journal-writer.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { InsertOutcome } from "../../store/message-store.ts";
import type { AcrossAccounts } from "../../store/store.ts";

export interface Submission {
  readonly content: NewContent;
  readonly message: MessageDocument;
}

/** A submission with a caller that may disconnect: if it is not stored by then, it is not stored. */
export interface WaitingSubmission extends Submission {
  readonly signal?: AbortSignal;
}

/** One message for each of several recipients. */
export interface SharedSubmission {
  readonly content: NewContent;
  readonly messages: readonly MessageDocument[];
  readonly signal?: AbortSignal;
}

export interface Intake {
  /**
   * Stores one submission; concurrent ones share the round trips.
   * @throws Fault store.unavailable: not acknowledged, although the store may have it; store.full: not stored;
   *   core.timeout: not stored, because the caller no longer waits
   */
  store(submission: WaitingSubmission): Promise<InsertOutcome>;
  /**
   * Stores all messages of one submission, which share a body, or none of them.
   * @throws Fault store.unavailable: not acknowledged, although the store may have them; store.full, core.timeout:
   *   not stored
   */
  storeTogether(submission: SharedSubmission): Promise<InsertOutcome>;
  /** Resolves when no submission waits or is being stored. */
  idle(): Promise<void>;
}

export interface IntakeOptions {
  /** Submissions of several accounts are written together. */
  readonly store: Pick<AcrossAccounts, "contents" | "messages" | "search">;
  /** Called for each message when it is on disk, so that delivery does not have to search for it. */
  readonly onStored: (submission: Submission) => void;
  /** Called with errors that occur after the answer was decided. */
  readonly onError: (error: unknown) => void;
}

/** Several smaller batches keep core and store busy at the same time. */
const MAX_SUBMISSIONS = 64;
/** A wire message to the store has at most 48 MB. */
const MAX_BATCH_BYTES = 24 * 1024 * 1024;
/**
 * A caller waits for its complete batch, and large bodies are written one after the other. A batch therefore contains
 * few of them, so that each is answered, or dropped, in its turn.
 */
const MAX_LARGE_BATCH_BYTES = 4 * 1024 * 1024;
const MAX_BATCHES_UNDER_WAY = 3;
/** Each batch makes the store write megabytes at once, and smaller batches wait for it. */
const MAX_LARGE_BATCHES_UNDER_WAY = 1;
/** Writing ten messages costs the store about as much as writing one: 20 SMTP sessions arrive one after the other. */
const ENOUGH_SUBMISSIONS = 32;
const GATHER_MS = 5;
/** Each is a transaction; open transactions slow down the store. */
const MAX_TRANSACTIONS = 8;

/** Stores accepted submissions: bodies, search entries and counters first, so that no message exists without them. */
export function createIntake({ store, onStored, onError }: IntakeOptions): Intake {
  const removals = new Set<Promise<void>>();

  const batch = createSizeQueues<WaitingSubmission, InsertOutcome>({
    run: storeAll,
    maxItems: MAX_SUBMISSIONS,
    maxSize: MAX_BATCH_BYTES,
    maxSizeLarge: MAX_LARGE_BATCH_BYTES,
    sizeOf: ({ content }) => content.sizeBytes,
    maxConcurrent: MAX_BATCHES_UNDER_WAY,
    maxConcurrentLarge: MAX_LARGE_BATCHES_UNDER_WAY,
    enoughItems: ENOUGH_SUBMISSIONS,
    gatherMs: GATHER_MS,
  });

  async function storeAll(submissions: readonly WaitingSubmission[]): Promise<Settled<InsertOutcome>[]> {
    const settled = new Map<WaitingSubmission, Settled<InsertOutcome>>();
    const results = () => submissions.map((one) => settled.get(one) ?? notStored());
    const begun = submissions.filter(isAwaited);
    if (begun.length === 0) return results();
    const announced = store.messages.announce(begun.map(({ message }) => message));
    const settle = (stored: readonly WaitingSubmission[], outcomes: readonly (InsertOutcome | Fault)[]) => {
      const concluded = conclude(stored, outcomes);
      for (const [index, one] of stored.entries())
        settled.set(one, concluded[index] as Settled<InsertOutcome>);
    };
    try {
      const outcomes = await store.messages.insertWithBodies(begun, announced);
      if (outcomes) settle(begun, outcomes);
      else {
        const awaited = await storeBodies(begun, announced);
        const messages = awaited.map(({ message }) => message);
        if (awaited.length > 0) settle(awaited, await store.messages.insertMany(messages, announced));
      }
    } finally {
      announced.settle(() => false);
    }
    return results();
  }

  /** Result of each submission; dispatches the stored ones. */
  function conclude(
    awaited: readonly WaitingSubmission[],
    outcomes: readonly (InsertOutcome | Fault)[],
  ): Settled<InsertOutcome>[] {
    remove(awaited.filter((_, index) => outcomes[index] === "taken"));
    return awaited.map((submission, index) => {
      const value = outcomes[index] ?? fault("internal.error");
      if (value === "stored") publish(submission);
      return value instanceof Fault ? { ok: false, error: value } : { ok: true, value };
    });
  }

  /**
   * Stores the bodies. A large body takes long, and callers can disconnect during it: their bodies are removed again.
   * @returns submissions with a waiting caller
   */
  async function storeBodies(begun: readonly WaitingSubmission[], { written }: Announcement) {
    await Promise.all([
      store.contents.insertMany(begun.map(({ content }) => content)),
      store.search.add(begun.map(({ message }) => message)),
      written,
    ]);
    const awaited = begun.filter(isAwaited);
    remove(begun.filter((submission) => !awaited.includes(submission)));
    return awaited;
  }

  const together = createNaturalBatch<SharedSubmission, InsertOutcome>({
    run: async (submissions) =>
      Promise.all(submissions.map(async (one) => ({ ok: true, value: await insertAll(one) }))),
    maxItems: 1,
    maxSize: Number.POSITIVE_INFINITY,
    sizeOf: () => 1,
    maxConcurrent: MAX_TRANSACTIONS,
  });

  async function insertAll({ content, messages, signal }: SharedSubmission): Promise<InsertOutcome> {
    const announced = store.messages.announce(messages);
    try {
      const { written } = announced;
      await Promise.all([store.contents.insertMany([content]), store.search.add(messages), written]);
      if (signal?.aborted) {
        remove([{ content }]);
        throw fault("core.timeout");
      }
      const outcome = await store.messages.insertTogether(messages, announced);
      if (outcome === "stored") for (const message of messages) publish({ content, message });
      else remove([{ content }]);
      return outcome;
    } finally {
      announced.settle(() => false);
    }
  }

  /** A message that is not dispatched is found by polling. */
  function publish(submission: Submission): void {
    try {
      onStored(submission);
    } catch (error) {
      onError(error);
    }
  }

  /** Removes bodies of duplicates. No caller waits for it, and a body that cannot be removed expires. */
  function remove(duplicates: readonly Pick<Submission, "content">[]): void {
    if (duplicates.length === 0) return;
    const removal = store.contents
      .remove(duplicates.map(({ content }) => content))
      .catch(onError)
      .finally(() => removals.delete(removal));
    removals.add(removal);
  }

  return {
    store: (submission) => batch.submit(submission, 0, submission.signal),
    storeTogether: (submission) => together.submit(submission, 0, submission.signal),
    idle: async () => {
      await Promise.all([batch.idle(), together.idle()]);
      await Promise.all(removals);
    },
  };
}

/** The caller no longer waited. */
function notStored(): Settled<never> {
  return { ok: false, error: fault("core.timeout") };
}

function isAwaited({ signal }: Pick<WaitingSubmission, "signal">): boolean {
  return !signal?.aborted;
}
