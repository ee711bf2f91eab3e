import { Fault, fault } from "../../shared/fault.ts";
import { createNaturalBatch, type Settled } from "../../shared/natural-batch.ts";
import { createSizeLanes } from "../../shared/size-lanes.ts";
import type { NewContent } from "../../store/content-store.ts";
import type { Announcement } from "../../store/journal/journal-writer.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { InsertOutcome } from "../../store/message-store.ts";
import type { AcrossAccounts } from "../../store/store.ts";

export interface Submission {
  readonly content: NewContent;
  readonly message: MessageDocument;
}

/** A submission whose caller may go away: what is not in the store by then is not stored. */
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
   * @throws Fault store.unavailable: not acknowledged, though the store may have it; store.full: not stored;
   * core.timeout: not stored, for nobody waits for it
   */
  store(submission: WaitingSubmission): Promise<InsertOutcome>;
  /**
   * Stores all messages of one submission, which share a body, or none of them.
   * @throws Fault store.unavailable: not acknowledged, though the store may have them; store.full, core.timeout: not
   * stored
   */
  storeTogether(submission: SharedSubmission): Promise<InsertOutcome>;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

export interface IntakeOptions {
  /** What several accounts submit at once is written at once. */
  readonly store: Pick<AcrossAccounts, "contents" | "messages" | "search">;
  /** Told of each message once it is on disk, so that delivery need not look for it. */
  readonly onStored: (submission: Submission) => void;
  /** Told of what went wrong after the answer was known, and changes nothing in it. */
  readonly onTrouble: (error: unknown) => void;
}

/** Several smaller batches keep core and store at work at the same time. */
const MAX_SUBMISSIONS = 64;
/** A wire message to the store has 48 MB at most. */
const MAX_BATCH_BYTES = 24 * 1024 * 1024;
/**
 * A caller that waits for a batch waits for all of it, and large bodies are written one after the other anyway: a few of them
 * fill a batch, so that each is answered, or dropped, when it is its turn.
 */
const MAX_LARGE_BATCH_BYTES = 4 * 1024 * 1024;
const MAX_BATCHES_UNDER_WAY = 3;
/** Each is megabytes that the store writes at once, and whatever is small waits for. */
const MAX_LARGE_BATCHES_UNDER_WAY = 1;
/** A write costs the store much the same for one message and for ten: 20 SMTP sessions come one after the other. */
const ENOUGH_SUBMISSIONS = 32;
const GATHER_MS = 5;
/** Each is a transaction, which costs the store more the more of them are open. */
const MAX_TRANSACTIONS = 8;

/** Writes what is accepted: bodies, what it is found by and counted by first, so that no message is ever without them. */
export function createIntake({ store, onStored, onTrouble }: IntakeOptions): Intake {
  const removals = new Set<Promise<void>>();

  const batch = createSizeLanes<WaitingSubmission, InsertOutcome>({
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
      const told = conclude(stored, outcomes);
      for (const [index, one] of stored.entries()) settled.set(one, told[index] as Settled<InsertOutcome>);
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

  /** What each of the submissions came to, of which those are told of that are stored. */
  function conclude(
    awaited: readonly WaitingSubmission[],
    outcomes: readonly (InsertOutcome | Fault)[],
  ): Settled<InsertOutcome>[] {
    remove(awaited.filter((_, index) => outcomes[index] === "taken"));
    return awaited.map((submission, index) => {
      const value = outcomes[index] ?? fault("internal.error");
      if (value === "stored") tell(submission);
      return value instanceof Fault ? { ok: false, error: value } : { ok: true, value };
    });
  }

  /**
   * Writes the bodies. A large one takes the store a while, in which callers go away: theirs are removed again.
   * @returns those that somebody still waits for
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
      if (outcome === "stored") for (const message of messages) tell({ content, message });
      else remove([{ content }]);
      return outcome;
    } finally {
      announced.settle(() => false);
    }
  }

  /** A message that nobody is told of is found by polling. */
  function tell(submission: Submission): void {
    try {
      onStored(submission);
    } catch (error) {
      onTrouble(error);
    }
  }

  /** Bodies of duplicates: nobody waits for it, and what cannot be removed goes when it expires. */
  function remove(duplicates: readonly Pick<Submission, "content">[]): void {
    if (duplicates.length === 0) return;
    const removal = store.contents
      .remove(duplicates.map(({ content }) => content))
      .catch(onTrouble)
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

/** Nobody waited for it. */
function notStored(): Settled<never> {
  return { ok: false, error: fault("core.timeout") };
}

function isAwaited({ signal }: Pick<WaitingSubmission, "signal">): boolean {
  return !signal?.aborted;
}
