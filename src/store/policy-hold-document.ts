import type { AuditActor } from "../shared/audit.ts";

/** A hold of an account: the messages of a policy are not sent until a member or the operator releases it. */
export interface PolicyHoldDocument {
  /** `holdId` of its selection. Workers use nothing else, so that a damaged field releases no message. */
  readonly _id: string;
  readonly accountId: string;
  readonly policy: string;
  /** Domain of the recipients, in A-labels and lower case. Missing: all domains. */
  readonly destination?: string;
  readonly reason: string;
  readonly heldAt: Date;
  readonly heldBy: AuditActor;
}

/** Limits of holds: each worker keeps all of them in memory. */
export const MAX_HOLDS_OF_ACCOUNT = 100;
export const MAX_POLICY_HOLDS = 10_000;
