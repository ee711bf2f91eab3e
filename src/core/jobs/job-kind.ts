import type { Audit } from "../../shared/audit.ts";
import type { JobDocument, JobResultEntry } from "../../store/job-documents.ts";

/** A job in the form that its kind uses. */
export interface RunningJob
  extends Pick<JobDocument, "_id" | "accountId" | "params" | "startedBy" | "createdAt" | "steps"> {
  /** Context for the audit log: the actor is the one who started the job. */
  readonly audit: Audit;
  /** Unique name of the job's action on an item, usable as an idempotency key. */
  keyOf(item: string): string;
  /** Items found by a step of the job (`JobStep.found`), by its number. */
  foundBy(step: number): Promise<readonly string[]>;
  /** Aborted when the lease is lost or the process ends: a step then stops by throwing. */
  readonly signal: AbortSignal;
}

/** The parameters of a job. Only its kind stores jobs of this kind, and knows their type. */
export const jobParams = <Params>({ params }: Pick<JobDocument, "params">): Params =>
  params as unknown as Params;

export interface JobBegin<Place> {
  /** Number of items; undefined: not known before. */
  readonly total?: number | undefined;
  /** Cursor of the first step. */
  readonly place: Place;
}

export interface JobStep<Place> {
  /** Results of the items of this step. Each item belongs to one step. */
  readonly results: readonly JobResultEntry[];
  /**
   * Items for later steps. They are stored with the job, so that they stay the same when data changes. The maximum is
   * that of results.
   */
  readonly found?: readonly string[];
  /** Cursor of the next step; undefined: this was the last step. */
  readonly next: Place | undefined;
  /** Set if the total is known more exactly now. */
  readonly total?: number | undefined;
  /** Time that the job must wait (0): other jobs run during it. */
  readonly pauseMs?: number;
}

/**
 * Kind of jobs. A step is a short piece of work, of about 100 items and a few seconds. A completed step with an
 * unstored result runs again from the same cursor, perhaps in another process while the first one still works on it.
 * Its effect on an item must be the same for any number of runs, for example with an idempotency key (`keyOf`). A
 * thrown Fault that is an error of the request (HTTP 4xx) ends the job. All other errors are retried, and finally end
 * the job, too.
 *
 * @typeParam Place cursor of a job: plain values, as they are stored
 */
export interface JobKind<Place = unknown> {
  /** `resource.verb`. The name is stored: a renamed kind is another kind. */
  readonly kind: string;
  /** Runs before the first step. It can be called again, and changes nothing. */
  prepare(job: RunningJob): Promise<JobBegin<Place>>;
  step(job: RunningJob, position: Place): Promise<JobStep<Place>>;
}

/** A kind, for the list of all kinds. */
export function jobKind<Place>(kind: JobKind<Place>): JobKind {
  return kind as JobKind;
}

/** Maximum number of items that a step can find or have results of, because they are stored in one document. */
export const MAX_STEP_ITEMS = 500;
