import type { Incident } from "../../alerts/incident.ts";
import type { AlertDocument } from "../../store/alert-documents.ts";
import type { RuleSets } from "./rule-sets.ts";
import type { AcceptedAlert } from "./take-alerts.ts";

/** Evaluates alerts and sends notifications. */
export interface AlertEngine {
  readonly ruleSets: RuleSets;
  /**
   * Evaluates alerts of one account together, and stores them with their effects and the mail that is due.
   * @throws Fault store.unavailable; with the cause IdempotencyKeyTakenError if one of their keys is already used
   */
  take(accountId: string, alerts: readonly AcceptedAlert[]): Promise<readonly AlertDocument[]>;
  /**
   * Changes an incident. An incident that already has the requested state is not changed.
   * @throws Fault incident.unknown, incident.resolved, incident.group_open, incident.rule_removed, incident.too_many_notes
   */
  change(asked: IncidentChange): Promise<Incident>;
  /**
   * Acknowledges or resolves several incidents of one account, for a job. A repetition for the same job changes nothing more.
   * @returns the existing ones after the change, in the order of the ids
   */
  changeMany(asked: IncidentsChange): Promise<Incident[]>;
  /** Sends due notifications. */
  check(): Promise<void>;
}

/** Actions on one incident. */
export type IncidentAction =
  | { readonly action: "acknowledge" | "unacknowledge" | "resolve" | "reopen" | "end_snooze" }
  | { readonly action: "snooze"; readonly until: Date }
  /** `user` undefined: no member works on it. */
  | { readonly action: "assign"; readonly user: { readonly id: string; readonly name: string } | undefined }
  | { readonly action: "note"; readonly text: string };

interface By {
  readonly accountId: string;
  /** Name of the actor, for people. */
  readonly by: string;
}

export type IncidentChange = IncidentAction & By & { readonly id: string };

/** Actions on many incidents. */
export const bulkIncidentActions = ["acknowledge", "resolve"] as const;
export type BulkIncidentAction = (typeof bulkIncidentActions)[number];

export interface IncidentsChange extends By {
  readonly ids: readonly string[];
  readonly action: BulkIncidentAction;
  readonly jobId: string;
}
