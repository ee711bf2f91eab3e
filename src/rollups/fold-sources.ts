import { type DailyRollup, mainSender } from "./daily-rollup.ts";

/** Stands for the unknown sources beyond a bound, together. */
export const OTHER_SOURCES = "other";

/** What a source beyond a bound becomes, in place of its address: one with the others that are not known, or that are the same service. */
export function asOther<Rollup extends DailyRollup>(rollup: Rollup): Rollup {
  const sender = mainSender(rollup);
  return { ...rollup, sourceIp: sender === undefined ? OTHER_SOURCES : `${OTHER_SOURCES} ${sender}` };
}

/**
 * The same messages from fewer sources: so many with the most messages stay as they are, and the others of each day become one, or
 * one for each service. A forger's mail may come from every address there is.
 */
export function foldSources(rollups: readonly DailyRollup[], most: number): DailyRollup[] {
  if (rollups.length <= most) return [...rollups];
  const byMessages = [...rollups].sort((one, other) => other.messages - one.messages);
  const folded = new Map<string, DailyRollup>();
  for (const rollup of byMessages.slice(most)) {
    const other = asOther(rollup);
    const key = `${other.day} ${other.policyDomain} ${other.sourceIp}`;
    const before = folded.get(key);
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
