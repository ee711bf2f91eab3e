import type { Audit } from "../../shared/audit.ts";
import type { JobDocument, JobResultEntry } from "../../store/job-documents.ts";

/** A job, as its kind sees it. */
export interface RunningJob
  extends Pick<JobDocument, "_id" | "accountId" | "params" | "startedBy" | "createdAt" | "steps"> {
  /** For the audit log: what is done is done by the one who began the job. */
  readonly audit: Audit;
  /** Names what the job does to an item, once and for all: an idempotency key. */
  keyOf(item: string): string;
  /** What a step of the job has found (`JobStep.found`), by its number. */
  foundBy(step: number): Promise<readonly string[]>;
  /** Aborted when the turn is lost or the process ends: a step gives up then, by throwing. */
  readonly signal: AbortSignal;
}

export interface JobBegin<Place> {
  /** How many items there are; undefined: it is not known before. */
  readonly total?: number | undefined;
  /** Where the first step begins. */
  readonly place: Place;
}

export interface JobStep<Place> {
  /** What became of the items of this step: each item in one step. */
  readonly results: readonly JobResultEntry[];
  /** Items for later steps, kept with the job: so they are the same, whatever changes meanwhile. As many as results. */
  readonly found?: readonly string[];
  /** Where the next step begins; undefined: that was the last. */
  readonly next: Place | undefined;
  /** When more is known of it by now. */
  readonly total?: number | undefined;
  /** What the job waits for takes so long (0): others have their turn meanwhile. */
  readonly pauseMs?: number;
}

/**
 * What a job can be. Steps are short pieces of work, of some 100 items and some seconds. A step that was done, but whose end
 * was not stored, is done again from the same place, perhaps by another process while the first one still is at it: what it
 * does to an item has to be the same however often it is done, for instance by an idempotency key (`keyOf`).
 * What they throw: a Fault that is the request's (HTTP 4xx) is the end of the job; all else is tried again, and in the end, too.
 *
 * @typeParam Place where a job goes on: plain values, as they are stored
 */
export interface JobKind<Place = unknown> {
  /** `resource.verb`. It is stored: a kind that is called otherwise later is another one. */
  readonly kind: string;
  /** Before the first step. It may be called again, and changes nothing. */
  prepare(job: RunningJob): Promise<JobBegin<Place>>;
  step(job: RunningJob, place: Place): Promise<JobStep<Place>>;
}

/** A kind, for the list of all. */
export function jobKind<Place>(kind: JobKind<Place>): JobKind {
  return kind as JobKind;
}

/** So many items a step may find, or have results of: they are one document. */
export const MAX_STEP_ITEMS = 500;
