import type { Incident, Notice } from "../../../alerts/incident.ts";
import type { Digest, NotificationLimit } from "../../../alerts/notification-limit.ts";

/**
 * Sends settled notices to receivers of one kind: mail to addresses, or requests to alert targets. Each id is derived from
 * the notice, so that a repetition changes nothing.
 */
export interface Notifier {
  /**
   * Stores what a notice sends to receivers of this kind.
   * @returns remarks for the history of the incident, such as a target that does not exist any more
   * @throws Fault; a later run tries again
   */
  notice(incident: Incident, notice: Notice): Promise<readonly string[]>;
  /** The same for a digest to one receiver of this kind. */
  digest(limit: NotificationLimit, digest: Digest, ruleName: string): Promise<readonly string[]>;
}

/** An incident that a notice links to, with the time at which the notice was settled. */
export interface LinkedIncident {
  readonly accountId: string;
  readonly incidentId: string;
  readonly at: Date;
}

/** Address of the incident's page for a receiver of its notices; undefined: there is none. */
export type LinkOf = (to: LinkedIncident, receiver: string) => string | undefined;
