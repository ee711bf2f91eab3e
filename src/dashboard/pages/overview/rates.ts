import type { Series } from "../../api/counters.ts";

/** How often each kind happened. */
export type Sums = Readonly<Record<string, number>>;

/** Sums of a span by kind, over all values of the dimension. */
export function sumsOf(series: readonly Pick<Series, "kind" | "sum">[]): Sums {
  const sums: Record<string, number> = {};
  for (const { kind, sum } of series) sums[kind] = (sums[kind] ?? 0) + sum;
  return sums;
}

/** Messages whose delivery has ended: rates are parts of these. */
export function endedOf(sums: Sums): number {
  return ["delivered", "bounced", "expired", "failed"].reduce((all, kind) => all + (sums[kind] ?? 0), 0);
}

const percent = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** As `99.1 %`; a dash where nothing can be divided. */
export function rateText(part: number, whole: number): string {
  return whole === 0 ? "–" : `${percent.format((100 * part) / whole)} %`;
}

/** As `+4 %` against the span before; undefined: that had none. */
export function changeText(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const change = Math.round((100 * (now - before)) / before);
  return `${change > 0 ? "+" : ""}${change} %`;
}
