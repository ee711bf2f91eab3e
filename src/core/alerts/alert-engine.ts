import type { Incident } from "../../alerts/incident.ts";
import type { AlertDocument } from "../../store/alert-documents.ts";
import type { RuleSets } from "./rule-sets.ts";
import type { AcceptedAlert } from "./take-alerts.ts";

/** What decides about alerts, and tells of them. */
export interface AlertEngine {
  readonly ruleSets: RuleSets;
  /**
   * Decides about alerts of one account together, stores them with all that follows, and the mail that is due.
   * @throws Fault store.unavailable; with the cause IdempotencyKeyTakenError when one of their keys is taken
   */
  take(accountId: string, alerts: readonly AcceptedAlert[]): Promise<readonly AlertDocument[]>;
  /**
   * Somebody acknowledges or resolves an incident; one that is so already stays as it is.
   * @throws Fault incident.unknown
   */
  change(asked: IncidentChange): Promise<Incident>;
  /** Tells what is due. */
  look(): Promise<void>;
}

export interface IncidentChange {
  readonly accountId: string;
  readonly id: string;
  readonly action: "acknowledge" | "resolve";
  /** Who, for people. */
  readonly by: string;
}
