import type { Alert } from "../alerts/alert.ts";
import type { AlertLink, HoldReason } from "../alerts/incident.ts";
import type { RuleSettings } from "../alerts/rule.ts";

/** The documents of alerts, besides those that the state of incidents is made of (`src/alerts/incident.ts`). */

/** A rule as it is now. */
export interface AlertRuleDocument {
  /** `rul_…`. */
  readonly _id: string;
  readonly accountId: string;
  /** That of its settings: unique within the account. */
  readonly name: string;
  /** Of its settings. */
  readonly version: number;
  readonly settings: RuleSettings;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A version of a rule, which never changes. */
export interface AlertRuleVersionDocument {
  /** `rule.version`. */
  readonly _id: string;
  readonly accountId: string;
  readonly ruleId: string;
  readonly version: number;
  readonly settings: RuleSettings;
  readonly createdAt: Date;
  /** Revisions of the rule set that contain it: `from` is the first one, `to` the one after the last; `to` missing: it is in the current one. */
  readonly from: number;
  readonly to?: number;
}

/** All that decides about the alerts of an account, which changes as a whole. */
export interface AlertRuleSetDocument {
  /** The account's. */
  readonly _id: string;
  readonly accountId: string;
  /** Grows with every change of a rule, a silence or an inhibition. */
  readonly revision: number;
}

/** How a source says it: something fires, is well again, or somebody knows of it. */
export const alertStatuses = ["firing", "resolved", "acknowledged"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/**
 * - `routed`: a rule has mailed it, or will
 * - `suppressed`: rules take it, and none mails it for now
 * - `unmatched`: no rule takes it
 */
export const alertOutcomes = ["routed", "suppressed", "unmatched"] as const;
export type AlertOutcomeName = (typeof alertOutcomes)[number];

/** Why a rule does not mail an alert at once, or at all. */
export type AlertReasonCode =
  | HoldReason
  | "grouped"
  | "deduplicated"
  | "acknowledged"
  | "rate_ceiling"
  | "not_mailed"
  | "dropped"
  | "stopped"
  | "outdated";

export interface AlertReason {
  /** Name of the rule. */
  readonly rule: string;
  readonly reason: AlertReasonCode;
  /** When it is mailed, if what it says still holds then. */
  readonly nextNotificationAt?: Date;
}

/** What became of an alert when it came: the answer to it, which stays. */
export interface AlertOutcome {
  readonly status: AlertOutcomeName;
  /** Names of rules, in their order. */
  readonly matchedRules: readonly string[];
  readonly incidentIds: readonly string[];
  /** Messages that were made by it. */
  readonly messageIds: readonly string[];
  readonly reasons: readonly AlertReason[];
}

export interface AlertDocument {
  /** `alr_…`. */
  readonly _id: string;
  readonly accountId: string;
  readonly traceId: string;
  /** The key that it came with; empty: none. */
  readonly keyId: string;
  readonly at: Date;
  /** When it happened, as its source says; missing: it does not. */
  readonly occurredAt?: Date;
  readonly status: AlertStatus;
  readonly alert: Alert;
  readonly links: readonly AlertLink[];
  readonly dedupKey?: string;
  readonly fingerprint: string;
  readonly outcome: AlertOutcome;
  /** Revision of the rule set that decided. */
  readonly revision: number;
  readonly idempotencyKey?: string;
  /** Of the request, where it has an idempotency key. */
  readonly requestFingerprint?: string;
  readonly expireAt: Date;
}
