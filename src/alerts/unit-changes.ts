import type { Severity } from "./alert.ts";
import type { Ceiling, Firing, HistoryEntry, Incident } from "./incident.ts";
import type { InhibitionSource, Mute } from "./mutes.ts";
import type { AlertEnd } from "./occurrence.ts";

/** What endpoints and services are told of incidents. */
export interface IncidentNews {
  readonly type: "incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.escalated";
  readonly at: Date;
  readonly incident: Incident;
  /** Who did it, or which step it is. */
  readonly detail: string;
}

/**
 * The active alerts that a decision needs:
 *
 * - `untold`: those that no notice has named, for a notice of news
 * - `all`: all of them, for a repeat or an escalation
 * - `quietest`: those without an update for the longest time, to resolve them
 */
export type FiringReading = "untold" | "all" | "quietest";

export interface MuteVerdict {
  readonly mute: Mute | undefined;
}

/** Active alerts that were read, decided about, and not kept at hand. */
export interface LeftOut {
  readonly muted: number;
  /** The mute that ends first. */
  readonly mute: Mute | undefined;
}

/** Documents that a transaction has read. */
export interface Loaded {
  readonly incidents?: readonly Incident[];
  readonly firings?: readonly Firing[];
  /** Ids of incidents whose active alerts are all loaded. */
  readonly complete?: readonly string[];
  readonly ceilings?: readonly Ceiling[];
  readonly sources?: readonly InhibitionSource[];
  readonly ends?: readonly AlertEnd[];
}

/** What a transaction is to write. */
export interface UnitChanges {
  readonly incidents: readonly { readonly before: Incident | undefined; readonly after: Incident }[];
  readonly firings: readonly Firing[];
  readonly removedFirings: readonly string[];
  /** Ids of active alerts that a notice has counted with this severity, and that are otherwise unchanged. */
  readonly toldFirings: readonly { readonly severity: Severity; readonly ids: readonly string[] }[];
  /** Ids of incidents that ended with all their active alerts. */
  readonly emptied: readonly string[];
  readonly ceilings: readonly Ceiling[];
  readonly sources: readonly InhibitionSource[];
  /** Fingerprints of what is a source no more. */
  readonly endedSources: readonly string[];
  /** Fingerprints of what incidents no longer have active: sources no more, unless another incident has them active. */
  readonly releasedSources: readonly string[];
  /** Of alerts that are active with another severity or context: the ids of sources that they are now. */
  readonly keptSources: readonly { readonly fingerprint: string; readonly ids: readonly string[] }[];
  readonly ends: readonly AlertEnd[];
  readonly history: readonly HistoryEntry[];
  readonly news: readonly IncidentNews[];
}
