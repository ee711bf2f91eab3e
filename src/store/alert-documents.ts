import type { Alert } from "../alerts/alert.ts";
import type { AlertLink, HoldReason } from "../alerts/incident.ts";
import type { RuleSettings } from "../alerts/rule.ts";

/** The documents of alerts, in addition to the state of incidents (`src/alerts/incident.ts`). */

/** Current state of a rule. */
export interface AlertRuleDocument {
  /** `rul_…`. */
  readonly _id: string;
  readonly accountId: string;
  /** Name from its settings: unique within the account. */
  readonly name: string;
  /** Version of its settings. */
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
  /**
   * Revisions of the rule set that contain this version: `from` is the first one, `to` the one after the last.
   * Missing `to`: the current revision contains it.
   */
  readonly from: number;
  readonly to?: number;
}

/** All settings that decide about the alerts of an account. They change as a whole. */
export interface AlertRuleSetDocument {
  /** Id of the account. */
  readonly _id: string;
  readonly accountId: string;
  /** Increases with every change of a rule, a silence or an inhibition. */
  readonly revision: number;
}

/** Status as sent by a source: the alert is active, resolved or acknowledged. */
export const alertStatuses = ["firing", "resolved", "acknowledged"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/**
 * - `routed`: a rule has sent or will send a notification
 * - `suppressed`: rules match it, but suppress the notification for now
 * - `unmatched`: no rule matches it
 */
export const alertOutcomes = ["routed", "suppressed", "unmatched"] as const;
export type AlertOutcomeName = (typeof alertOutcomes)[number];

/** Why a rule does not notify of an alert immediately, or at all. */
export type AlertReasonCode =
  | HoldReason
  | "grouped"
  | "deduplicated"
  | "acknowledged"
  | "snoozed"
  | "rate_ceiling"
  | "not_mailed"
  | "dropped"
  | "stopped"
  | "outdated";

export interface AlertReason {
  /** Name of the rule. */
  readonly rule: string;
  readonly reason: AlertReasonCode;
  /** Time of the next notification, if its conditions still apply then. */
  readonly nextNotificationAt?: Date;
}

/** Outcome of an alert at its arrival. This answer to the request never changes. */
export interface AlertOutcome {
  readonly status: AlertOutcomeName;
  /** Names of rules, in order. */
  readonly matchedRules: readonly string[];
  readonly incidentIds: readonly string[];
  /** Messages that it created. */
  readonly messageIds: readonly string[];
  readonly reasons: readonly AlertReason[];
}

export interface AlertDocument {
  /** `alr_…`. */
  readonly _id: string;
  readonly accountId: string;
  readonly traceId: string;
  /** The API key of the request; empty: none. */
  readonly keyId: string;
  readonly at: Date;
  /** Time of the event according to its source. Missing: unknown. */
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
  /** Fingerprint of the request, if it has an idempotency key. */
  readonly requestFingerprint?: string;
  readonly expireAt: Date;
}
