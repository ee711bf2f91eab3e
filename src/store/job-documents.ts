import type { AuditActor } from "../shared/audit.ts";

/**
 * - `queued`: not started
 * - `running`: started; waits for its next time slice or is in it
 * - `succeeded`: each item has a result
 * - `failed`: it could not continue
 * - `cancelled`: a caller cancelled it
 */
export const jobStates = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];

/** Outcome of an item. `skipped`: it needed no action, or no longer allowed it. */
export const jobOutcomes = ["done", "skipped", "failed"] as const;
export type JobOutcome = (typeof jobOutcomes)[number];

export interface JobFailure {
  /** Code from the catalogue of faults. */
  readonly code: string;
  /** A sentence for the account. */
  readonly message: string;
}

/** A long-running job of an account. For the writers of its fields, see `src/core/jobs/run-jobs.ts`. */
export interface JobDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Kind of the job: see `JobKind`. */
  readonly kind: string;
  /** Parameters of its kind. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Displayed parameters, also in the audit log. */
  readonly about: Readonly<Record<string, string>>;
  /** Permission `resource.verb` that was required to start it. Cancellation requires the same. */
  readonly permission: string;
  readonly startedBy: AuditActor;
  readonly state: JobState;
  /** Missing: the items are not counted yet. */
  readonly total?: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** Position at which it continues, in the format of its kind. Missing: not started. */
  readonly place?: unknown;
  /** Number of finished steps. */
  readonly steps: number;
  readonly createdAt: Date;
  readonly startedAt?: Date;
  readonly finishedAt?: Date;
  readonly cancelRequestedAt?: Date;
  readonly expireAt?: Date;
  readonly failure?: JobFailure;
  /** Slot among the account's open jobs. Missing: it has ended. */
  readonly slot?: number;
  /** Start of its next time slice. Missing: it has ended. The account that has waited longest is next. */
  readonly turnAt?: Date;
  /** Time of its last time slice. Among an account's jobs, the one that has waited longest is next. */
  readonly ranAt?: Date;
  /** Holder of the time slice, until its lease expires by the store's clock. */
  readonly holder?: string;
  readonly expiresAt?: Date;
  /** Incremented with every time slice, so that late writes of an earlier one are refused. */
  readonly epoch: number;
  /** Number of time slices since a step was finished. */
  readonly takes: number;
}

export interface JobResultEntry {
  /** Item of the result, such as the id of a message. */
  readonly item: string;
  readonly outcome: JobOutcome;
  /** Why it was skipped or failed. */
  readonly code?: string;
  /** A sentence. */
  readonly message?: string;
}

/** Results of one step. Stored together with the following position, and never changed. */
export interface JobResultsDocument {
  /** Id of the job, and number of the step. */
  readonly _id: string;
  readonly accountId: string;
  readonly jobId: string;
  readonly entries: readonly JobResultEntry[];
  /** Outcomes of its entries. */
  readonly outcomes: readonly JobOutcome[];
  readonly expireAt: Date;
}

/** Items that one step has found for later ones, so that the items of a job do not change after its start. */
export interface JobItemsDocument {
  /** As the id of results. */
  readonly _id: string;
  readonly accountId: string;
  readonly items: readonly string[];
  readonly expireAt: Date;
}

const STEP_DIGITS = 10;

/** Sorts in the order of the job's steps. */
export function jobStepId(jobId: string, step: number): string {
  return `${jobId}.${String(step).padStart(STEP_DIGITS, "0")}`;
}

/** Retention of a job after its end, and of a result after its step. */
export const JOB_RETENTION_MS = 30 * 24 * 3_600_000;
