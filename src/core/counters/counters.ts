import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type CounterSeriesSchema,
  CounterService,
  type CountMessagesRequest,
  type MeasureLatencyRequest,
} from "../../../gen/hermod/counter/v1/counter_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import type { CountedValue, CounterQuery } from "../../store/counter-store.ts";
import { type CounterKind, laterDimensions, laterKinds } from "../../store/counters/counter-documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createCountWaiting } from "./count-waiting.ts";
import { latencySeries } from "./latency-series.ts";
import { createMeasuredSince } from "./measured-since.ts";
import { type Count, readCount } from "./read-count.ts";

/** Counts events of messages over time, and waiting messages. */
export const counters: Area<CountMessagesNeeds> = defineArea(CounterService, {
  /**
   * Reads the counters of messages over time.
   * @throws Fault account.unknown, request.validation_failed
   */
  countMessages: [
    permitted("messages.read"),
    READS,
    createAnswer(async (account, count, range) => ({
      series: seriesOf(count, linesOf(count, await account.counters.read(range))),
      isLater: laterDimensions.has(count.dimension) || count.kinds.some((kind) => laterKinds.has(kind)),
    })),
  ],
  /**
   * Percentiles of the time to delivery.
   * @throws Fault account.unknown, request.validation_failed
   */
  measureLatency: [
    permitted("messages.read"),
    READS,
    createAnswer(async (account, count, range) => ({
      series: latencySeries(count, await account.counters.readLatencies(range)),
      isLater: true,
    })),
  ],
  /** @throws Fault account.unknown, request.validation_failed, service.busy */
  countWaiting: [permitted("messages.read"), READS, createCountWaiting],
});

export interface CountMessagesNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount" | "schema">;
  readonly clock: Pick<Clock, "now" | "monotonicMs">;
}

interface Answered<S> {
  readonly series: S[];
  /** Only later releases measure a part of it. */
  readonly isLater: boolean;
}

/** Answers with an account's counters of a range, as series over the same points. */
function createAnswer<S>(
  readSeries: (account: AccountStore, count: Count, range: CounterQuery) => Promise<Answered<S>>,
) {
  return ({ store, clock }: CountMessagesNeeds) => {
    const measuredSince = createMeasuredSince({ store, clock });
    return async (request: CountMessagesRequest | MeasureLatencyRequest) => {
      const account = await resolveAccount(store, request);
      const count = readCount(request, clock.now());
      const { step, readStep, points, end, dimension } = count;
      const [from = end] = points;
      const { series, isLater } = await readSeries(account, count, {
        step: readStep,
        from,
        until: end,
        dimension,
      });
      const since = isLater ? await measuredSince(from) : undefined;
      return {
        step,
        points: points.map(timestampFromDate),
        series,
        ...(since && { measuredSince: timestampFromDate(since) }),
      };
    };
  };
}

/** Counts by kind, one per point. */
type Lines = Map<CounterKind, number[]>;

/** By value; undefined: values without their own counters. */
function linesOf({ points, kinds }: Count, found: readonly CountedValue[]): Map<string | undefined, Lines> {
  const values = new Map<string | undefined, Lines>();
  let point = 0;
  for (const { at, value, counts } of found) {
    while (point + 1 < points.length && (points[point + 1] as Date) <= at) point++;
    const lines = values.get(value) ?? new Map<CounterKind, number[]>();
    values.set(value, lines);
    for (const kind of kinds) {
      const n = counts[kind];
      if (n !== undefined) add(lines, kind, point, n, points.length);
    }
  }
  return values;
}

function add(lines: Lines, kind: CounterKind, point: number, n: number, length: number): void {
  const line = lines.get(kind) ?? new Array<number>(length).fill(0);
  line[point] = (line[point] ?? 0) + n;
  lines.set(kind, line);
}

type Series = MessageInitShape<typeof CounterSeriesSchema>;

function seriesOf(
  { points, kinds, values, top }: Count,
  lines: ReadonlyMap<string | undefined, Lines>,
): Series[] {
  const own = [...lines].flatMap(([value, of]) =>
    value === undefined ? [] : [{ value, of, sum: sumOf(of) }],
  );
  const largest = own.toSorted((a, b) => b.sum - a.sum || (a.value < b.value ? -1 : 1));
  const shown = values ?? largest.slice(0, top).map(({ value }) => value);
  const others: Lines = new Map([...(lines.get(undefined) ?? [])].map(([kind, line]) => [kind, [...line]]));
  for (const { value, of } of own) {
    if (shown.includes(value)) continue;
    for (const [kind, line] of of)
      for (const [point, n] of line.entries()) add(others, kind, point, n, points.length);
  }
  const nothing = () => new Array<number>(points.length).fill(0);
  const series = shown.flatMap((value) =>
    kinds.flatMap((kind): Series[] => {
      const counts = lines.get(value)?.get(kind);
      return counts || values ? [{ value, isOther: false, kind, counts: counts ?? nothing() }] : [];
    }),
  );
  if (!values) for (const [kind, counts] of others) series.push({ value: "", isOther: true, kind, counts });
  return series.map((one) => ({ ...one, sum: BigInt((one.counts ?? []).reduce((sum, n) => sum + n, 0)) }));
}

function sumOf(lines: Lines): number {
  let sum = 0;
  for (const line of lines.values()) for (const n of line) sum += n;
  return sum;
}
