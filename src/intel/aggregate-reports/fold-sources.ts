import type { DailyRollup } from "./roll-up.ts";

/** Stands for the sources beyond a bound, together. */
export const OTHER_SOURCES = "other";

/**
 * The same messages from fewer sources: so many with the most messages stay as they are, and the others of each day are one.
 * A forger's mail may come from every address there is.
 */
export function foldSources(rollups: readonly DailyRollup[], most: number): DailyRollup[] {
  if (rollups.length <= most) return [...rollups];
  const byMessages = [...rollups].sort((one, other) => other.messages - one.messages);
  const folded = new Map<string, DailyRollup>();
  for (const rollup of byMessages.slice(most)) {
    const key = `${rollup.day} ${rollup.policyDomain}`;
    const before = folded.get(key);
    const other = { ...rollup, sourceIp: OTHER_SOURCES };
    folded.set(key, before ? sumOf(before, other) : other);
  }
  return [...byMessages.slice(0, most), ...folded.values()];
}

/** Of the same domain, day and source. */
export function sumOf(one: DailyRollup, other: DailyRollup): DailyRollup {
  return {
    ...one,
    senders: addUp(one.senders, other.senders),
    messages: one.messages + other.messages,
    dispositions: addUp(one.dispositions, other.dispositions),
    alignment: addUp(one.alignment, other.alignment),
    overridden: one.overridden + other.overridden,
  };
}

function addUp<Name extends string>(
  one: Readonly<Record<Name, number>>,
  other: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const sum: Record<Name, number> = { ...one };
  for (const [name, count] of Object.entries(other) as [Name, number][]) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
