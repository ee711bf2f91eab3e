/** A worker with messages for a destination, and how many deliveries at once these would keep busy. */
export interface Claimant {
  readonly id: string;
  /** A part of one where messages are few and far between. */
  readonly wants: number;
}

/** How much of a limit one of those who claim it gets. */
export interface Share {
  /** Deliveries at once; 0: the others have their turn. */
  readonly concurrency: number;
  /** 0 to 1, of a rate. */
  readonly part: number;
  /** It comes to less than one delivery at once: one may be begun, and what it needs is not to be kept. */
  readonly isLent?: boolean | undefined;
}

/** Successive turns begin so far from each other on the ring of those who wait, as a part of it, that all come soon. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Divides a limit by need: nobody gets more than he wants while another one gets less than an equal share. What nobody
 * wants is spread evenly, to be at hand. Who has the odd ones goes by the ids; where there is not even one for each who
 * wants more than there is, it goes by turns.
 * @param turn grows by one whenever others are to have their turn, at the same time for everybody
 * @returns the share of each, by id; those of less than one delivery are rounded up, all others come to `whole` at most
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
    ...shortOf.map(({ id }, place) => {
      const given = each + ((place - first + left) % left < odd ? 1 : 0);
      return [id, given, given] as const;
    }),
  ]);
}

/** @param given the id of each, how much it gets, and how many whole deliveries at once that makes */
function sharesOf(given: readonly (readonly [string, number, number])[]): ReadonlyMap<string, Share> {
  const total = given.reduce((sum, [, amount]) => sum + amount, 0);
  return new Map(
    given.map(([id, amount, whole]) => {
      const isLent = whole === 0 && amount > 0;
      return [id, { concurrency: isLent ? 1 : whole, part: total > 0 ? amount / total : 1, isLent }];
    }),
  );
}
