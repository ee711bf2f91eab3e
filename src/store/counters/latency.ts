// A DDSketch is a count for each of about 330 ranges, so `$inc` merges it in the transaction that counts the delivery,
// without a read. 3 % is visible in a plot, and 1 % would need three times the fields.

import { DDSketch } from "@datadog/sketches-js";

/**
 * A DDSketch of latencies: the count of each bin. Bin widths grow with the latency. Adding up the bins merges
 * sketches, so the database merges them with `$inc`, in the transaction that counts a message once.
 */
export type LatencyBins = Readonly<Record<string, number>>;

/** Maximum relative error of a percentile. It determines the bins, so it must not change for stored sketches. */
const RELATIVE_ACCURACY = 0.03;
/** Latencies outside of this range are clamped: a sketch has at most about 330 bins. */
const SHORTEST_MS = 1;
const LONGEST_MS = 5 * 86_400_000;

const { mapping } = new DDSketch({ relativeAccuracy: RELATIVE_ACCURACY });

/** The bin of a latency. */
export function binOf(ms: number): number {
  return mapping.key(Math.min(Math.max(ms, SHORTEST_MS), LONGEST_MS));
}

/** Adds bins to a sketch. */
export function addBins(sum: Map<number, number>, bins: LatencyBins): void {
  for (const [bin, n] of Object.entries(bins)) sum.set(Number(bin), (sum.get(Number(bin)) ?? 0) + n);
}

export interface Percentiles {
  /** Number of measured latencies. */
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** Undefined: there are no measurements. */
export function percentilesOf(bins: ReadonlyMap<number, number>): Percentiles | undefined {
  const sketch = new DDSketch({ relativeAccuracy: RELATIVE_ACCURACY });
  for (const [bin, n] of bins) {
    sketch.store.add(bin, n);
    sketch.count += n;
  }
  if (sketch.count === 0) return undefined;
  const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((of) => Math.round(sketch.getValueAtQuantile(of))) as [
    number,
    number,
    number,
  ];
  return { count: sketch.count, p50Ms, p95Ms, p99Ms };
}
