import { type DailyRollup, mainSender } from "./daily-rollup.ts";

/** Source that combines the unknown sources beyond a limit. */
export const OTHER_SOURCES = "other";

/** Replacement for the address of a source beyond a limit. It combines sources that are unknown or belong to the same service. */
export function asOther<Rollup extends DailyRollup>(rollup: Rollup): Rollup {
  const sender = mainSender(rollup);
  return { ...rollup, sourceIp: sender === undefined ? OTHER_SOURCES : `${OTHER_SOURCES} ${sender}` };
}

/**
 * Reduces the number of sources without changing the number of messages. The sources with the most messages stay unchanged. The
 * others of each day become one source, or one for each service. Forged mail may come from any address.
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

/** Combines entries of the same domain, day and source. */
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
