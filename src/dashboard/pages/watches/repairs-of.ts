import type { Watch, WatchCheck } from "../../api/watches.ts";

/** A check that is a finding, and the points that its repair gains; undefined if they are not known. */
export interface Repair {
  readonly check: WatchCheck;
  readonly gain: number | undefined;
}

const severities = ["critical", "warning", "info"];
const rankOf = ({ severity }: WatchCheck) => severities.indexOf(severity ?? "");

/**
 * The findings of a domain, largest gain first. A muted check is none.
 * @param gains points by the id of the check. A paused domain has none.
 */
export function repairsOf({ checks }: Pick<Watch, "checks">, gains: ReadonlyMap<string, number>): Repair[] {
  return checks
    .filter(({ severity, muted_until: muted }) => severity !== null && muted === null)
    .map((check) => ({ check, gain: gains.get(check.id) }))
    .toSorted(
      (one, other) => (other.gain ?? -1) - (one.gain ?? -1) || rankOf(one.check) - rankOf(other.check),
    );
}
