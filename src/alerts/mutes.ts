import { createHash } from "node:crypto";
import { type Alert, contextPath, fieldReader } from "./alert.ts";
import { compileMatchers, type Matchers } from "./condition.ts";
import type { HoldReason } from "./incident.ts";
import { createRuleIndex } from "./rule-index.ts";

/** For a time, what meets it is told to nobody. */
export interface Silence {
  /** `sil_…`. */
  readonly _id: string;
  readonly accountId: string;
  readonly matchers: Matchers;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly comment: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expireAt: Date;
}

/** While something fires that meets the source, what meets the target and agrees with it in some fields is told to nobody. */
export interface Inhibition {
  /** `inh_…`. */
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly source: Matchers;
  readonly target: Matchers;
  readonly equal: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Something that fires, and meets the source of an inhibition. */
export interface InhibitionSource {
  /** `inhibition.key.fingerprint`. */
  readonly _id: string;
  readonly accountId: string;
  /** `inhibition.key`: what those agree in that it inhibits. */
  readonly name: string;
  readonly fingerprint: string;
  /** It meets the target as well: it does not inhibit its like. */
  readonly both: boolean;
  /** When one of several incidents that have it active ended; missing: none has. */
  readonly releasedAt?: Date;
  /** Missing: an incident has it active, and ends it. */
  readonly expireAt?: Date;
}

export interface Mute {
  readonly reason: HoldReason;
  /** When it is to be looked again. */
  readonly until: Date;
}

/** A source that no incident has active inhibits for so long after its last alert. */
const SOURCE_MS = 24 * 3_600_000;
/** Whoever is inhibited is told of its end at once; this is for an end of which nobody was told. */
const LOOK_AGAIN_MS = 60_000;

/** A thing, and what was said of it. */
export interface Heard {
  readonly alert: Alert;
  readonly fingerprint: string;
}

export interface Mutes {
  /** Silences or inhibitions look at the context of alerts. */
  readonly readsContext: boolean;
  /** There are inhibitions at all. */
  readonly inhibits: boolean;
  /**
   * What an active alert is a source of, with its present severity.
   * @param isTracked an incident has it active
   */
  sourcesOf(heard: Heard, isTracked: boolean, now: Date): InhibitionSource[];
  /** Names of the sources that would inhibit it. */
  inhibitorsOf(alert: Alert): string[];
  /**
   * Why something is not told now; undefined: it may be.
   * @param sources what fires of those that would inhibit it
   */
  muteOf(heard: Heard, sources: (name: string) => readonly InhibitionSource[], now: Date): Mute | undefined;
}

export function createMutes(silences: readonly Silence[], inhibitions: readonly Inhibition[]): Mutes {
  const silenceIndex = createRuleIndex(silences);
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
        .filter(({ startsAt, endsAt }) => startsAt <= now && now < endsAt)
        .map(({ endsAt }) => endsAt.getTime());
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
      return { reason: "inhibited", until: new Date(now.getTime() + LOOK_AGAIN_MS) };
    },
  };
}

function readsContext({ match, any }: Matchers): boolean {
  return [...match, ...any].some(({ field }) => contextPath(field) !== undefined);
}

/** What is missing equals what is empty. */
function digest(values: unknown): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, 22);
}
