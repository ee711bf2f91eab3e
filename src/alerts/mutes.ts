import { createHash } from "node:crypto";
import { type Alert, contextPath, fieldReader } from "./alert.ts";
import { compileMatchers, type Matchers } from "./condition.ts";
import type { HoldReason } from "./incident.ts";
import { createRuleIndex } from "./rule-index.ts";
import { createEffectUntil, type SilenceTimes } from "./silence-times.ts";

/** Suppresses notifications for matching alerts during a time range, or in weekly windows. */
export interface Silence extends SilenceTimes {
  /** Id: `sil_…`. */
  readonly _id: string;
  readonly accountId: string;
  readonly matchers: Matchers;
  readonly comment: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Missing if the silence has no end. */
  readonly expireAt?: Date;
}

/**
 * Suppresses notifications for alerts that match the target while an alert that matches the source is active and both have equal
 * values in some fields.
 */
export interface Inhibition {
  /** Id: `inh_…`. */
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly source: Matchers;
  readonly target: Matchers;
  readonly equal: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Active alert that matches the source of an inhibition. */
export interface InhibitionSource {
  /** Id: `inhibition.key.fingerprint`. */
  readonly _id: string;
  readonly accountId: string;
  /** `inhibition.key`. The key stands for the values that source and target must have in common. */
  readonly name: string;
  readonly fingerprint: string;
  /** The alert also matches the target. It does not inhibit alerts that match both. */
  readonly both: boolean;
  /** Time at which one of several incidents with this active alert was resolved; missing if none was. */
  readonly releasedAt?: Date;
  /** Missing while an incident has the alert active. */
  readonly expireAt?: Date;
}

export interface Mute {
  readonly reason: HoldReason;
  /** Time of the next check. */
  readonly until: Date;
}

/** Duration of an inhibition after the last alert, for a source that is not active in any incident. */
const SOURCE_MS = 24 * 3_600_000;
/** The end of an inhibition is normally reported at once. This interval covers a missed report. */
const RECHECK_MS = 60_000;

/** Alert with its fingerprint. */
export interface Heard {
  readonly alert: Alert;
  readonly fingerprint: string;
}

export interface Mutes {
  /** True if a silence or an inhibition reads the context of alerts. */
  readonly readsContext: boolean;
  /** True if there are inhibitions. */
  readonly inhibits: boolean;
  /**
   * Inhibition sources that an active alert is, with its current severity.
   * @param isTracked an incident has the alert active
   */
  sourcesOf(heard: Heard, isTracked: boolean, now: Date): InhibitionSource[];
  /** Names of the sources that would inhibit the alert. */
  inhibitorsOf(alert: Alert): string[];
  /**
   * Reason why notifications of an alert are suppressed; undefined if they are not.
   * @param sources active sources by name
   */
  muteOf(heard: Heard, sources: (name: string) => readonly InhibitionSource[], now: Date): Mute | undefined;
}

export function createMutes(silences: readonly Silence[], inhibitions: readonly Inhibition[]): Mutes {
  const silenceIndex = createRuleIndex(
    silences.map((silence) => ({ matchers: silence.matchers, effectUntil: createEffectUntil(silence) })),
  );
  const sides = inhibitions.map((inhibition) => ({
    inhibition,
    isSource: compileMatchers(inhibition.source),
    isTarget: compileMatchers(inhibition.target),
    fields: inhibition.equal.map(fieldReader),
  }));
  const bySource = createRuleIndex(sides.map((side) => ({ side, matchers: side.inhibition.source })));
  const byTarget = createRuleIndex(sides.map((side) => ({ side, matchers: side.inhibition.target })));
  const nameOf = ({ inhibition, fields }: (typeof sides)[number], alert: Alert) =>
    `${inhibition._id}.${digest(fields.map((read) => read(alert) ?? ""))}`;

  return {
    readsContext:
      silences.some(({ matchers }) => readsContext(matchers)) ||
      inhibitions.some(
        ({ source, target, equal }) =>
          readsContext(source) || readsContext(target) || equal.some((field) => contextPath(field)),
      ),
    inhibits: inhibitions.length > 0,

    sourcesOf: ({ alert, fingerprint }, isTracked, now) =>
      bySource.matching(alert).map(({ side }) => {
        const name = nameOf(side, alert);
        const { accountId } = side.inhibition;
        const expireAt = new Date(now.getTime() + SOURCE_MS);
        const both = side.isTarget(alert);
        const source = { _id: `${name}.${fingerprint}`, accountId, name, fingerprint, both };
        return isTracked ? source : { ...source, expireAt };
      }),

    inhibitorsOf: (alert) => byTarget.matching(alert).map(({ side }) => nameOf(side, alert)),

    muteOf({ alert, fingerprint }, sources, now) {
      const ends = silenceIndex
        .matching(alert)
        .flatMap(({ effectUntil }) => effectUntil(now)?.getTime() ?? []);
      if (ends.length > 0) return { reason: "silenced", until: new Date(Math.max(...ends)) };
      const isInhibited = byTarget.matching(alert).some(({ side }) => {
        const isBoth = side.isSource(alert);
        return sources(nameOf(side, alert)).some(
          (source) =>
            source.fingerprint !== fingerprint &&
            !(isBoth && source.both) &&
            (!source.expireAt || source.expireAt > now),
        );
      });
      if (!isInhibited) return undefined;
      return { reason: "inhibited", until: new Date(now.getTime() + RECHECK_MS) };
    },
  };
}

/** Whether conditions read the context of alerts. */
export function readsContext({ match, any }: Matchers): boolean {
  return [...match, ...any].some(({ field }) => contextPath(field) !== undefined);
}

/** Missing values equal empty values. */
function digest(values: unknown): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, 22);
}
