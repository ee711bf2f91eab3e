/** Rounds to a number of decimals. Never returns minus zero, which JSON writes unexpectedly. */
export function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor + 0;
}

/** The rounded mean; null: there are no values. */
export function meanOf(values: readonly number[], decimals: number): number | null {
  if (values.length === 0) return null;
  return rounded(values.reduce((sum, value) => sum + value, 0) / values.length, decimals);
}

/** A count with its denominator. */
export function ratioOf(count: number, of: number) {
  return { count, of, rate: of === 0 ? null : rounded(count / of, 6) };
}
