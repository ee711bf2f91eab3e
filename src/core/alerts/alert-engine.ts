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
   * Acknowledges or resolves an incident. An incident that is already in that state is not changed.
   * @throws Fault incident.unknown
   */
  change(asked: IncidentChange): Promise<Incident>;
  /** Sends due notifications. */
  check(): Promise<void>;
}

export interface IncidentChange {
  readonly accountId: string;
  readonly id: string;
  readonly action: "acknowledge" | "resolve";
  /** Name of the actor, for people. */
  readonly by: string;
}
