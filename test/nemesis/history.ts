/** A client's result of one submission. `unknown`: no answer came. */
export type Outcome = "accepted" | "refused" | "unknown";

export interface Try {
  /** The front end's process. */
  readonly via: string;
  readonly outcome: Outcome;
  /** Problem code, SMTP reply or socket error, if it was not accepted. */
  readonly reason: string;
  /** Performance clock. */
  readonly startedMs: number;
  readonly endedMs: number;
}

/** One message from the view of its sender, for all submissions of it. */
export interface Submission {
  readonly number: number;
  readonly source: "http" | "smtp";
  /** With an idempotency key it may be resubmitted to learn its outcome. */
  readonly hasKey: boolean;
  readonly tries: Try[];
}

/** A fault with its duration, on the performance clock. */
export interface Strike {
  readonly name: string;
  /** Whether it may cause a second sending of a worker's messages in flight. */
  readonly mayDouble: boolean;
  /** Processes that may be unready because of it; undefined: all. */
  readonly concerns: readonly string[] | undefined;
  readonly startedMs: number;
  /** Time of the recovery: a killed process runs again, a link works again. */
  endedMs: number;
}

/** An arrival at a recipient's server. */
export interface Arrival {
  readonly number: number;
  readonly atMs: number;
}

/** A check of a process's /readyz. */
export interface ReadinessLook {
  readonly process: string;
  readonly askedMs: number;
  readonly answeredMs: number;
  /** undefined: no answer. */
  readonly isReady: boolean | undefined;
}

/** A time during which a process could not work, because all its dependencies were unavailable. */
export interface Incapacity {
  readonly process: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** All observations from outside in one run. */
export interface History {
  readonly submissions: readonly Submission[];
  readonly strikes: readonly Strike[];
  readonly incapacities: readonly Incapacity[];
  /** End of the last strike. */
  readonly healedMs: number;
  readonly arrivals: readonly Arrival[];
  readonly readiness: readonly ReadinessLook[];
}
