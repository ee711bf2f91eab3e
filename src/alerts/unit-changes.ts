import type { Severity } from "./alert.ts";
import type { Firing, Incident } from "./incident.ts";
import type { HistoryEntry } from "./incident-history.ts";
import type { InhibitionSource, Mute } from "./mutes.ts";
import type { NotificationLimit } from "./notification-limit.ts";
import type { AlertEnd } from "./occurrence.ts";

/** Incident event for endpoints and services. */
export interface IncidentNews {
  readonly type: "incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.escalated";
  readonly at: Date;
  readonly incident: Incident;
  /** User that caused the event, or escalation step. */
  readonly detail: string;
}

/**
 * Active alerts that a decision needs:
 *
 * - `untold`: alerts that no notice has named, for a notice of news
 * - `all`: all alerts, for a repeat or an escalation
 * - `quietest`: alerts with the oldest last update, to resolve them
 */
export type FiringReading = "untold" | "all" | "quietest";

export interface MuteVerdict {
  readonly mute: Mute | undefined;
}

/** Active alerts that were read and evaluated, but are not kept loaded. */
export interface LeftOut {
  readonly muted: number;
  /** Mute that ends first. */
  readonly mute: Mute | undefined;
}

/** Documents that a transaction has read. */
export interface Loaded {
  readonly incidents?: readonly Incident[];
  readonly firings?: readonly Firing[];
  /** Ids of incidents with all active alerts loaded. */
  readonly complete?: readonly string[];
  readonly ceilings?: readonly NotificationLimit[];
  readonly sources?: readonly InhibitionSource[];
  readonly ends?: readonly AlertEnd[];
}

/** Changes that a transaction has to write. */
export interface UnitChanges {
  readonly incidents: readonly { readonly before: Incident | undefined; readonly after: Incident }[];
  readonly firings: readonly Firing[];
  readonly removedFirings: readonly string[];
  /** Ids of active alerts that a notice has counted with this severity, and that are otherwise unchanged. */
  readonly notifiedFirings: readonly { readonly severity: Severity; readonly ids: readonly string[] }[];
  /** Ids of incidents that ended with all their active alerts. */
  readonly emptied: readonly string[];
  readonly ceilings: readonly NotificationLimit[];
  readonly sources: readonly InhibitionSource[];
  /** Fingerprints of alerts that are no longer inhibition sources. */
  readonly endedSources: readonly string[];
  /**
   * Fingerprints of alerts that incidents no longer have active. They are no longer sources, unless another incident has them
   * active.
   */
  readonly releasedSources: readonly string[];
  /** Ids of the current sources of alerts with a changed severity or context. */
  readonly keptSources: readonly { readonly fingerprint: string; readonly ids: readonly string[] }[];
  readonly ends: readonly AlertEnd[];
  readonly history: readonly HistoryEntry[];
  readonly news: readonly IncidentNews[];
}
