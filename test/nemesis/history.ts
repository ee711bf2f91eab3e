/** What a client heard of one try to submit a message. `unknown`: no answer came. */
export type Outcome = "accepted" | "refused" | "unknown";

export interface Try {
  /** The front end's process. */
  readonly via: string;
  readonly outcome: Outcome;
  /** Problem code, SMTP reply or socket error, where it is not an acceptance. */
  readonly reason: string;
  /** Performance clock. */
  readonly startedMs: number;
  readonly endedMs: number;
}

/** One message as its sender thinks of it, however often it is submitted. */
export interface Submission {
  readonly number: number;
  readonly source: "http" | "smtp";
  /** With an idempotency key it may be submitted again to learn what became of it. */
  readonly hasKey: boolean;
  readonly tries: Try[];
}

/** A fault while it lasted. On the performance clock. */
export interface Strike {
  readonly name: string;
  /** Whether what a worker had in flight may be sent once more because of it. */
  readonly mayDouble: boolean;
  /** The processes that may not be ready because of it; undefined: all. */
  readonly concerns: readonly string[] | undefined;
  readonly startedMs: number;
  /** When all was as before: a killed process runs again, a link carries again. */
  endedMs: number;
}

/** An arrival at a recipient's server. */
export interface Arrival {
  readonly number: number;
  readonly atMs: number;
}

/** A look at a process's /readyz. */
export interface ReadinessLook {
  readonly process: string;
  readonly askedMs: number;
  readonly answeredMs: number;
  /** undefined: no answer. */
  readonly isReady: boolean | undefined;
}

/** A time during which a process cannot have done its work: all that it needs was away. */
export interface Incapacity {
  readonly process: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** All that was seen from outside in one run. */
export interface History {
  readonly submissions: readonly Submission[];
  readonly strikes: readonly Strike[];
  readonly incapacities: readonly Incapacity[];
  /** When the last strike was over. */
  readonly healedMs: number;
  readonly arrivals: readonly Arrival[];
  readonly readiness: readonly ReadinessLook[];
}
