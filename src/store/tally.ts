// Sums of a workspace change with each domain, in the same transaction, so an answer counts nothing. They are whole
// numbers, so adding and removing leaves no remainder.

import type { UpdateFilter } from "mongodb";
import type { DomainStanding, DomainTally } from "./intel-documents.ts";

/** Contribution of a domain to the tallies of its workspace and its client. */
export type Counted = Pick<DomainStanding, "status" | "score" | "coverage" | "listings">;

export const emptyTally: DomainTally = {
  domains: 0,
  byStatus: {},
  listings: 0,
  scored: 0,
  scoreSum: 0,
  covered: 0,
  coverageSum: 0,
};

const COVERAGE_UNIT = 10_000;

/**
 * The update of a tally for a changed domain.
 * @param before missing: it is added; @param after missing: it is removed
 * @returns undefined: no change
 */
export function tallyUpdate(
  before: Counted | undefined,
  after: Counted | undefined,
): UpdateFilter<{ tally: DomainTally }> | undefined {
  const change = new Map<string, number>();
  const add = (one: Counted | undefined, sign: 1 | -1) => {
    for (const [name, value] of one ? countsOf(one) : [])
      change.set(name, (change.get(name) ?? 0) + sign * value);
  };
  add(before, -1);
  add(after, 1);
  const changed = [...change].filter(([, value]) => value !== 0);
  if (changed.length === 0) return undefined;
  return { $inc: Object.fromEntries(changed.map(([name, value]) => [`tally.${name}`, value])) };
}

function countsOf({ status, score, coverage, listings }: Counted): [string, number][] {
  return [
    ["domains", 1],
    [`byStatus.${status}`, 1],
    ["listings", listings],
    ...(score === null
      ? []
      : ([
          ["scored", 1],
          ["scoreSum", score],
        ] satisfies [string, number][])),
    ...(coverage === null
      ? []
      : ([
          ["covered", 1],
          ["coverageSum", Math.round(coverage * COVERAGE_UNIT)],
        ] satisfies [string, number][])),
  ];
}

/** undefined: there are no scores. */
export function meanScore({ scored, scoreSum }: DomainTally): number | undefined {
  return scored === 0 ? undefined : Math.round((10 * scoreSum) / scored) / 10;
}

export function meanCoverage({ covered, coverageSum }: DomainTally): number | undefined {
  return covered === 0 ? undefined : Math.round((100 * coverageSum) / covered / COVERAGE_UNIT) / 100;
}
