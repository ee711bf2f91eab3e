/** A worker with messages for a destination, and the concurrent deliveries that it could use. */
export interface Claimant {
  readonly id: string;
  /** A fraction of one if messages are rare. */
  readonly wants: number;
}

/** Share of one claimant of a limit. */
export interface Share {
  /** Concurrent deliveries; 0: the others have their turn. */
  readonly concurrency: number;
  /** 0 to 1, of a rate. */
  readonly part: number;
  /** True if it is less than one delivery: one may begin, but the share is not reserved. */
  readonly isLent?: boolean | undefined;
}

/**
 * Offset between successive turns on the ring of waiting workers, as a fraction of it, chosen so that every turn comes soon.
 */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Divides a limit by need: no worker gets more than it wants while another one gets less than an equal share. The unwanted rest
 * is spread evenly as a reserve. The order of the ids decides on remainders; if there is not one for each worker that wants
 * more than the whole, they take turns.
 * @param turn counter that grows by one for all workers at the same time when the turn changes
 * @returns the share of each worker by id; shares of less than one delivery are rounded up, all others add up to at most
 *   `whole`
 */
export function divide(
  whole: number,
  claimants: readonly Claimant[],
  turn: number,
): ReadonlyMap<string, Share> {
  const total = claimants.reduce((sum, { wants }) => sum + wants, 0);
  if (total <= whole) {
    const spare = (whole - total) / claimants.length;
    return sharesOf(claimants.map(({ id, wants }) => [id, wants + spare, Math.floor(wants + spare)]));
  }
  const byNeed = claimants.toSorted((a, b) => a.wants - b.wants);
  let rest = whole;
  let left = byNeed.length;
  for (const { wants } of byNeed) {
    if (wants * left > rest) break;
    rest -= wants;
    left--;
  }
  const content = byNeed.slice(0, byNeed.length - left);
  const shortOf = byNeed.slice(byNeed.length - left).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const each = Math.floor(rest / left);
  const odd = Math.max(each === 0 ? 1 : 0, Math.floor(rest) - each * left);
  const first = each === 0 ? Math.floor(((turn * GOLDEN) % 1) * left) : 0;
  return sharesOf([
    ...content.map(({ id, wants }) => [id, wants, Math.floor(wants)] as const),
    ...shortOf.map(({ id }, position) => {
      const given = each + ((position - first + left) % left < odd ? 1 : 0);
      return [id, given, given] as const;
    }),
  ]);
}

/** @param given id and share of each, and the number of whole concurrent deliveries of all shares */
function sharesOf(given: readonly (readonly [string, number, number])[]): ReadonlyMap<string, Share> {
  const total = given.reduce((sum, [, amount]) => sum + amount, 0);
  return new Map(
    given.map(([id, amount, whole]) => {
      const isLent = whole === 0 && amount > 0;
      return [id, { concurrency: isLent ? 1 : whole, part: total > 0 ? amount / total : 1, isLent }];
    }),
  );
}
