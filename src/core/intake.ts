import { createNaturalBatch } from "../shared/natural-batch.ts";
import type { NewContent } from "../store/content-store.ts";
import type { MessageDocument } from "../store/documents.ts";
import type { InsertOutcome } from "../store/message-store.ts";
import type { Store } from "../store/store.ts";

export interface Submission {
  readonly content: NewContent;
  readonly message: MessageDocument;
}

export interface Intake {
  /**
   * Stores one submission; concurrent ones share the round trips.
   * @throws Fault store.unavailable: not acknowledged, though the store may have it
   */
  store(submission: Submission): Promise<InsertOutcome>;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

export interface IntakeOptions {
  readonly store: Pick<Store, "contents" | "messages">;
  /** Told of each message once it is on disk, so that delivery need not look for it. */
  readonly onStored: (submission: Submission) => void;
}

/** Several smaller batches keep core and store at work at the same time. */
const MAX_SUBMISSIONS = 64;
/** A wire message to the store has 48 MB at most. */
const MAX_BATCH_BYTES = 24 * 1024 * 1024;
const MAX_BATCHES_UNDER_WAY = 3;

/** Writes what is accepted: bodies first, so that no message is ever without its body. */
export function createIntake({ store, onStored }: IntakeOptions): Intake {
  const batch = createNaturalBatch<Submission, InsertOutcome>({
    run: async (submissions) => {
      await store.contents.insertMany(submissions.map(({ content }) => content));
      const outcomes = await store.messages.insertMany(submissions.map(({ message }) => message));
      const replayed = submissions.filter((_, index) => outcomes[index] !== "stored");
      if (replayed.length > 0) await store.contents.remove(replayed.map(({ content }) => content.id));
      return submissions.map((submission, index) => {
        const value = outcomes[index] ?? "idempotency_key_taken";
        if (value === "stored") onStored(submission);
        return { ok: true, value };
      });
    },
    maxItems: MAX_SUBMISSIONS,
    maxSize: MAX_BATCH_BYTES,
    sizeOf: ({ content }) => content.sizeBytes,
    maxConcurrent: MAX_BATCHES_UNDER_WAY,
  });
  return { store: (submission) => batch.submit(submission), idle: () => batch.idle() };
}
