import type { Series } from "../../api/counters.ts";
import { numberText, percentText } from "../../texts/number-text.ts";

/** Number of events of each kind. */
export type Sums = Readonly<Record<string, number>>;

/** Sums of a span by kind, over all values of the dimension. */
export function sumsOf(series: readonly Pick<Series, "kind" | "sum">[]): Sums {
  const sums: Record<string, number> = {};
  for (const { kind, sum } of series) sums[kind] = (sums[kind] ?? 0) + sum;
  return sums;
}

/** Messages with a final delivery state. They are the base of the rates. */
export function endedOf(sums: Sums): number {
  return ["delivered", "bounced", "expired", "failed"].reduce((all, kind) => all + (sums[kind] ?? 0), 0);
}

/** Rate as `99.1 %`, without a line break; a dash if the base is zero. */
export function rateText(part: number, whole: number): string {
  return whole === 0 ? "–" : percentText(part / whole);
}

/** Change from the previous span as `+4 %`; undefined if that was zero. */
export function changeText(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const change = Math.round((100 * (now - before)) / before);
  return `${change > 0 ? "+" : ""}${change}\u00a0%`;
}

/** Difference of two rates in percentage points, as `+0.4 pp`; undefined if one of them has no base. */
export function pointsText(now: number, before: number): string | undefined {
  if (!Number.isFinite(now) || !Number.isFinite(before)) return undefined;
  const points = Math.round(10_000 * (now - before)) / 100;
  return `${points > 0 ? "+" : ""}${numberText(points)}\u00a0pp`;
}

interface PublishedLimit {
  readonly provider: string;
  readonly measure: string;
  readonly level: string;
  readonly rate: number;
}

/** The lowest rate at which a provider takes action; undefined if none is published. */
export function limitOf(
  limits: readonly PublishedLimit[],
  measure: "complaints" | "bounces",
): { readonly rate: number; readonly name: string; readonly text: string } | undefined {
  const all = limits.filter((one) => one.measure === measure && one.level === "limit");
  const rate = Math.min(...all.map((one) => one.rate));
  if (!Number.isFinite(rate)) return undefined;
  const names = all.flatMap((one) =>
    one.rate === rate ? (providerNames[one.provider] ?? one.provider) : [],
  );
  return { rate, name: [...new Set(names)].join(", "), text: rateText(rate, 1) };
}

const providerNames: Readonly<Record<string, string>> = { gmail: "Gmail", yahoo: "Yahoo", ses: "Amazon SES" };
