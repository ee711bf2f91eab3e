import type { AuditActor } from "../../shared/audit.ts";

/** One field of a resource that became different. Values are JSON; a long one is there as its length and digest. */
export interface AuditChange {
  /** Its path, as `transports.0.username`. */
  readonly field: string;
  /** Missing: it was not there. */
  readonly before?: string;
  /** Missing: it is not there any more. */
  readonly after?: string;
  /** It changed, and no more is said of it. */
  readonly secret?: true;
}

/**
 * `changed`: it was done. `read`: a body, or an export, was handed out. `refused`: it was asked for and not done.
 */
export const auditOutcomes = ["changed", "read", "refused"] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** Somebody did something, or was refused it. Entries are written and end by themselves; nothing changes one. */
export interface AuditEntryDocument {
  /** In the order of time. */
  readonly _id: string;
  /** The account in whose log it stands; empty: the installation's own. */
  readonly accountId: string;
  /** The user in whose own list it stands as well. */
  readonly userId?: string;
  readonly at: Date;
  readonly actor: AuditActor;
  readonly sessionId?: string;
  readonly clientAddress?: string;
  readonly clientAgent?: string;
  /** `resource.verb` */
  readonly action: string;
  readonly target: AuditTarget;
  readonly changes: readonly AuditChange[];
  readonly outcome: AuditOutcome;
  /** The code of the fault; refusals only. */
  readonly reason?: string;
  /** It stands for so many refusals since `since`; missing: for one. */
  readonly count?: number;
  readonly since?: Date;
  readonly traceId: string;
  readonly expireAt: Date;
}

/** What something was done to. */
export interface AuditTarget {
  readonly kind: string;
  readonly id: string;
  /** As it was then. */
  readonly name: string;
}
