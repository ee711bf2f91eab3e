import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  LatencyPercentilesSchema,
  LatencySeriesSchema,
} from "../../../gen/hermod/counter/v1/counter_service_pb.ts";
import type { MeasuredValue } from "../../store/counter-store.ts";
import { addBins, percentilesOf } from "../../store/counters/latency.ts";
import type { Count } from "./read-count.ts";

/** Sketches of one value: of each point with measurements, and of all points together. */
interface Measured {
  readonly points: Map<number, Map<number, number>>;
  readonly all: Map<number, number>;
}

/** Merges sketches by value and point. The values with the most deliveries have their own series. */
export function latencySeries(
  { points, values, top }: Pick<Count, "points" | "values" | "top">,
  found: readonly MeasuredValue[],
): MessageInitShape<typeof LatencySeriesSchema>[] {
  const measured = new Map<string | undefined, Measured>();
  let point = 0;
  for (const { at, value, bins } of found) {
    while (point + 1 < points.length && (points[point + 1] as Date) <= at) point++;
    add(measured, value, point, bins);
  }
  const own = [...measured].flatMap(([value, of]) =>
    value === undefined ? [] : [{ value, count: countOf(of.all) }],
  );
  const largest = own.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  const shown = values ?? largest.slice(0, top).map(({ value }) => value);
  const series = shown.map((value) =>
    seriesOf({ value, isOther: false }, measured.get(value), points.length),
  );
  if (values) return series;
  const others = new Map<string | undefined, Measured>();
  for (const [value, { points: of }] of measured) {
    if (value !== undefined && shown.includes(value)) continue;
    for (const [index, bins] of of) add(others, undefined, index, Object.fromEntries(bins));
  }
  const other = others.get(undefined);
  return other ? [...series, seriesOf({ value: "", isOther: true }, other, points.length)] : series;
}

function add(
  measured: Map<string | undefined, Measured>,
  value: string | undefined,
  point: number,
  bins: MeasuredValue["bins"],
): void {
  const of = measured.get(value) ?? { points: new Map(), all: new Map() };
  measured.set(value, of);
  const ofPoint = of.points.get(point) ?? new Map<number, number>();
  of.points.set(point, ofPoint);
  addBins(ofPoint, bins);
  addBins(of.all, bins);
}

function seriesOf(
  head: { readonly value: string; readonly isOther: boolean },
  measured: Measured | undefined,
  length: number,
): MessageInitShape<typeof LatencySeriesSchema> {
  return {
    ...head,
    all: percentiles(measured?.all),
    points: Array.from({ length }, (_, point) => percentiles(measured?.points.get(point))),
  };
}

function percentiles(
  bins: ReadonlyMap<number, number> | undefined,
): MessageInitShape<typeof LatencyPercentilesSchema> {
  const found = bins && percentilesOf(bins);
  if (!found) return {};
  const { count, p50Ms, p95Ms, p99Ms } = found;
  return { count: BigInt(count), p50Ms: BigInt(p50Ms), p95Ms: BigInt(p95Ms), p99Ms: BigInt(p99Ms) };
}

function countOf(bins: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const n of bins.values()) sum += n;
  return sum;
}
