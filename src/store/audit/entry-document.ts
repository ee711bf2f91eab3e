import type { AuditActor } from "../../shared/audit.ts";

/** One changed field of a resource. Values are JSON; a long value is replaced with its length and digest. */
export interface AuditChange {
  /** Path of the field, such as `transports.0.username`. */
  readonly field: string;
  /** Missing: the field did not exist. */
  readonly before?: string;
  /** Missing: the field no longer exists. */
  readonly after?: string;
  /** The field has changed, and its values are secret. */
  readonly secret?: true;
}

/** `changed`: the action was performed. `read`: a body or an export was returned. `refused`: the request was refused. */
export const auditOutcomes = ["changed", "read", "refused"] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** An action or a refusal. Entries expire and never change. */
export interface AuditEntryDocument {
  /** Ordered by time. */
  readonly _id: string;
  /** Account of the log that contains the entry; empty: the installation. */
  readonly accountId: string;
  /** User with the entry in the own list, too. */
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
  /** Code of the fault, for refusals only. */
  readonly reason?: string;
  /** Number of refusals since `since`; missing: one. */
  readonly count?: number;
  readonly since?: Date;
  readonly traceId: string;
  readonly expireAt: Date;
}

/** Target of an action. */
export interface AuditTarget {
  readonly kind: string;
  readonly id: string;
  /** Name at that time. */
  readonly name: string;
}
