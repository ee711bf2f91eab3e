import { Fault, fault } from "../shared/fault.ts";
import { createNaturalBatch, type Settled } from "../shared/natural-batch.ts";
import { createSizeLanes } from "../shared/size-lanes.ts";
import type { NewContent } from "../store/content-store.ts";
import type { MessageDocument } from "../store/documents.ts";
import type { InsertOutcome } from "../store/message-store.ts";
import type { Store } from "../store/store.ts";

export interface Submission {
  readonly content: NewContent;
  readonly message: MessageDocument;
}

/** A submission whose caller may go away while it waits for its turn: then it is not stored. */
export interface WaitingSubmission extends Submission {
  readonly signal?: AbortSignal;
}

/** One message for each of several recipients. */
export interface SharedSubmission {
  readonly content: NewContent;
  readonly messages: readonly MessageDocument[];
}

export interface Intake {
  /**
   * Stores one submission; concurrent ones share the round trips.
   * @throws Fault store.unavailable: not acknowledged, though the store may have it; core.timeout: not stored, for
   * nobody waits for it
   */
  store(submission: WaitingSubmission): Promise<InsertOutcome>;
  /**
   * Stores all messages of one submission, which share a body, or none of them.
   * @throws Fault store.unavailable: not acknowledged, though the store may have them
   */
  storeTogether(submission: SharedSubmission): Promise<InsertOutcome>;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

export interface IntakeOptions {
  readonly store: Pick<Store, "contents" | "messages">;
  /** Told of each message once it is on disk, so that delivery need not look for it. */
  readonly onStored: (submission: Submission) => void;
  /** Told of what went wrong after the answer was known, and changes nothing in it. */
  readonly onTrouble: (error: unknown) => void;
}

/** Several smaller batches keep core and store at work at the same time. */
const MAX_SUBMISSIONS = 64;
/** A wire message to the store has 48 MB at most. */
const MAX_BATCH_BYTES = 24 * 1024 * 1024;
const MAX_BATCHES_UNDER_WAY = 3;
/** Each is megabytes that the store writes at once, and whatever is small waits for. */
const MAX_LARGE_BATCHES_UNDER_WAY = 1;
/** A write costs the store much the same for one message and for ten: 20 SMTP sessions come one after the other. */
const ENOUGH_SUBMISSIONS = 32;
const GATHER_MS = 5;
/** Each is a transaction, which costs the store more the more of them are open. */
const MAX_TRANSACTIONS = 8;

/** Writes what is accepted: bodies first, so that no message is ever without its body. */
export function createIntake({ store, onStored, onTrouble }: IntakeOptions): Intake {
  const removals = new Set<Promise<void>>();

  const batch = createSizeLanes<WaitingSubmission, InsertOutcome>({
    run: async (waiting) => {
      const submissions = waiting.filter(({ signal }) => !signal?.aborted);
      const settled = submissions.length > 0 ? await storeAll(submissions) : [];
      return waiting.map((submission): Settled<InsertOutcome> => {
        const index = submissions.indexOf(submission);
        return settled[index] ?? { ok: false, error: fault("core.timeout") };
      });
    },
    maxItems: MAX_SUBMISSIONS,
    maxSize: MAX_BATCH_BYTES,
    sizeOf: ({ content }) => content.sizeBytes,
    maxConcurrent: MAX_BATCHES_UNDER_WAY,
    maxConcurrentLarge: MAX_LARGE_BATCHES_UNDER_WAY,
    enoughItems: ENOUGH_SUBMISSIONS,
    gatherMs: GATHER_MS,
  });

  async function storeAll(submissions: readonly Submission[]): Promise<Settled<InsertOutcome>[]> {
    await store.contents.insertMany(submissions.map(({ content }) => content));
    const outcomes = await store.messages.insertMany(submissions.map(({ message }) => message));
    remove(submissions.filter((_, index) => outcomes[index] === "taken"));
    return submissions.map((submission, index): Settled<InsertOutcome> => {
      const value = outcomes[index] ?? fault("internal.error");
      if (value instanceof Fault) return { ok: false, error: value };
      if (value === "stored") tell(submission);
      return { ok: true, value };
    });
  }

  const together = createNaturalBatch<SharedSubmission, InsertOutcome>({
    run: async (submissions) =>
      Promise.all(submissions.map(async (one) => ({ ok: true, value: await insertAll(one) }))),
    maxItems: 1,
    maxSize: Number.POSITIVE_INFINITY,
    sizeOf: () => 1,
    maxConcurrent: MAX_TRANSACTIONS,
  });

  async function insertAll({ content, messages }: SharedSubmission): Promise<InsertOutcome> {
    await store.contents.insertMany([content]);
    const outcome = await store.messages.insertTogether(messages);
    if (outcome === "stored") for (const message of messages) tell({ content, message });
    else remove([{ content }]);
    return outcome;
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
    store: (submission) => batch.submit(submission),
    storeTogether: (submission) => together.submit(submission),
    idle: async () => {
      await Promise.all([batch.idle(), together.idle()]);
      await Promise.all(removals);
    },
  };
}
