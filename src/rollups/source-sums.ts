import type { DailyRollup, Disposition } from "./daily-rollup.ts";

/** Messages of several rollups. */
export interface MessageSums {
  messages: number;
  /** Messages that pass DMARC: an identifier is aligned with the From field. */
  passed: number;
  dkimAligned: number;
  spfAligned: number;
  overridden: number;
  readonly dispositions: Record<Disposition, number>;
}

/** Sums of one source. */
export interface SourceSums {
  readonly source: string;
  readonly known: boolean;
  readonly sums: MessageSums;
  readonly addresses: ReadonlySet<string>;
  /** Messages by domain. */
  readonly domains: ReadonlyMap<string, number>;
  /** Messages of each day, and those that fail DMARC. */
  readonly messagesByDay: readonly number[];
  readonly failedByDay: readonly number[];
}

/** Sums of one day. */
export interface DaySums {
  readonly day: string;
  messages: number;
  failed: number;
  knownMessages: number;
  knownFailed: number;
}

interface Source extends Omit<SourceSums, "messagesByDay" | "failedByDay"> {
  readonly addresses: Set<string>;
  readonly domains: Map<string, number>;
  /** By the index of the day. Most sources send on few days. */
  readonly counts: Map<number, { messages: number; failed: number }>;
}

/**
 * Sums rollups by source and by day.
 * @param days every day of the range, such as `2026-03-01`, in order. Rollups of other days do not count
 * @param sourceOf source of a rollup
 */
export function createSourceSums(
  days: readonly string[],
  sourceOf: (rollup: DailyRollup) => Pick<SourceSums, "source" | "known">,
) {
  const indexes = new Map(days.map((day, index) => [day, index]));
  const byDay = days.map(
    (day): DaySums => ({ day, messages: 0, failed: 0, knownMessages: 0, knownFailed: 0 }),
  );
  const sources = new Map<string, Source>();
  const total = noSums();

  function find(rollup: DailyRollup): Source {
    const { source, known } = sourceOf(rollup);
    const key = `${known} ${source}`;
    const found = sources.get(key);
    if (found) return found;
    const fresh: Source = {
      source,
      known,
      sums: noSums(),
      addresses: new Set<string>(),
      domains: new Map<string, number>(),
      counts: new Map(),
    };
    sources.set(key, fresh);
    return fresh;
  }

  return {
    /** @param domain domain that the rollups are about */
    add(domain: string, rollups: readonly DailyRollup[]): void {
      for (const rollup of rollups) {
        const index = indexes.get(rollup.day);
        const day = index === undefined ? undefined : byDay[index];
        if (index === undefined || !day) continue;
        const one = find(rollup);
        const { messages, alignment, sourceIp } = rollup;
        const failed = messages - passedOf(alignment);
        addTo(one.sums, rollup);
        addTo(total, rollup);
        one.addresses.add(sourceIp);
        one.domains.set(domain, (one.domains.get(domain) ?? 0) + messages);
        const count = one.counts.get(index) ?? { messages: 0, failed: 0 };
        count.messages += messages;
        count.failed += failed;
        one.counts.set(index, count);
        day.messages += messages;
        day.failed += failed;
        if (!one.known) continue;
        day.knownMessages += messages;
        day.knownFailed += failed;
      }
    },
    /** In any order. */
    sources: (): readonly SourceSums[] =>
      [...sources.values()].map(({ counts, ...source }) => ({
        ...source,
        get messagesByDay() {
          return days.map((_, index) => counts.get(index)?.messages ?? 0);
        },
        get failedByDay() {
          return days.map((_, index) => counts.get(index)?.failed ?? 0);
        },
      })),
    days: (): readonly DaySums[] => byDay,
    total: (): MessageSums => total,
  };
}

function noSums(): MessageSums {
  return {
    messages: 0,
    passed: 0,
    dkimAligned: 0,
    spfAligned: 0,
    overridden: 0,
    dispositions: { none: 0, quarantine: 0, reject: 0, other: 0 },
  };
}

function addTo(sums: MessageSums, { messages, alignment, dispositions, overridden }: DailyRollup): void {
  sums.messages += messages;
  sums.passed += passedOf(alignment);
  sums.dkimAligned += alignment.both + alignment.dkim;
  sums.spfAligned += alignment.both + alignment.spf;
  sums.overridden += overridden;
  for (const name of ["none", "quarantine", "reject", "other"] as const)
    sums.dispositions[name] += dispositions[name];
}

function passedOf({ both, dkim, spf }: DailyRollup["alignment"]): number {
  return both + dkim + spf;
}
