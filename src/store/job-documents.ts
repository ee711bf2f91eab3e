import type { AuditActor } from "../shared/audit.ts";

/**
 * - `queued`: nobody has begun it
 * - `running`: it was begun, and waits for its next turn or has it
 * - `succeeded`: each item has its result, whatever that is
 * - `failed`: it could not go on
 * - `cancelled`: somebody ended it before its time
 */
export const jobStates = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];

/** What became of an item. `skipped`: it needed nothing, or could not have it any more. */
export const jobOutcomes = ["done", "skipped", "failed"] as const;
export type JobOutcome = (typeof jobOutcomes)[number];

export interface JobFailure {
  /** Of the catalogue of faults. */
  readonly code: string;
  /** A sentence for its account. */
  readonly message: string;
}

/** Long work of an account. Who changes what: `src/core/jobs/run-jobs.ts`. */
export interface JobDocument {
  readonly _id: string;
  readonly accountId: string;
  /** What does it: see `JobKind`. */
  readonly kind: string;
  /** What its kind needs to know. */
  readonly params: Readonly<Record<string, unknown>>;
  /** What people are shown of that, in the audit log too. */
  readonly about: Readonly<Record<string, string>>;
  /** `resource.verb` that beginning it took; cancelling it takes the same. */
  readonly permission: string;
  readonly startedBy: AuditActor;
  readonly state: JobState;
  /** Missing: the items are not counted yet. */
  readonly total?: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** Where it goes on, as its kind writes it; missing: it was not begun. */
  readonly place?: unknown;
  /** Steps that are done. */
  readonly steps: number;
  readonly createdAt: Date;
  readonly startedAt?: Date;
  readonly finishedAt?: Date;
  readonly cancelRequestedAt?: Date;
  readonly expireAt?: Date;
  readonly failure?: JobFailure;
  /** One of the places for open jobs that its account has; missing: it has ended. */
  readonly slot?: number;
  /** Its next turn is not before; missing: it has ended. The account that waits longest is next. */
  readonly turnAt?: Date;
  /** When it last had one: of an account's jobs, the one that waits longest is next. */
  readonly ranAt?: Date;
  /** Who has the turn, until then by the store's clock. */
  readonly holder?: string;
  readonly expiresAt?: Date;
  /** Grows with every turn: what an earlier one still writes is refused. */
  readonly epoch: number;
  /** Turns since a step was done. */
  readonly takes: number;
}

export interface JobResultEntry {
  /** What the job is about, as the id of a message. */
  readonly item: string;
  readonly outcome: JobOutcome;
  /** Why it was skipped or failed. */
  readonly code?: string;
  /** A sentence. */
  readonly message?: string;
}

/** What one step has done: stored together with the place behind it, and never changed. */
export interface JobResultsDocument {
  /** Of the job and the number of the step. */
  readonly _id: string;
  readonly accountId: string;
  readonly jobId: string;
  readonly entries: readonly JobResultEntry[];
  /** Those that its entries have. */
  readonly outcomes: readonly JobOutcome[];
  readonly expireAt: Date;
}

/** Items that one step has found, for later ones: what a job is about stays what it was when it was begun. */
export interface JobItemsDocument {
  /** As of results. */
  readonly _id: string;
  readonly accountId: string;
  readonly items: readonly string[];
  readonly expireAt: Date;
}

const STEP_DIGITS = 10;

/** Sorts as the steps of its job do. */
export function jobStepId(jobId: string, step: number): string {
  return `${jobId}.${String(step).padStart(STEP_DIGITS, "0")}`;
}

/** How long a job is kept after its end, and a result after its step. */
export const JOB_RETENTION_MS = 30 * 24 * 3_600_000;
