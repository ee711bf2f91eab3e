import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ServerInferRequest } from "@ts-rest/core";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { counters as contract } from "../../../contracts/dashboard/counters.ts";
import type { LatencyPercentiles } from "../../../gen/hermod/counter/v1/counter_service_pb.ts";
import { createCoreFor, type DashboardParts, momentOf } from "./call.ts";

/** Handlers of the routes of `dashboard.counters`. */
export function counters(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    countMessages: async ({ request, query }) => {
      const asked = { ...spanOf(query), kinds: query.kind ?? [] };
      const found = await coreFor(request).counters.countMessages(asked);
      const series = found.series.map(({ value, isOther, kind, counts, sum }) => ({
        value,
        is_other: isOther,
        kind,
        counts,
        sum: Number(sum),
      }));
      return { status: 200, body: { ...headOf(found), series } };
    },
    measureLatency: async ({ request, query }) => {
      const found = await coreFor(request).counters.measureLatency(spanOf(query));
      const series = found.series.map(({ value, isOther, all, points }) => ({
        value,
        is_other: isOther,
        all: percentilesOf(all),
        points: points.map(percentilesOf),
      }));
      return { status: 200, body: { ...headOf(found), series } };
    },
    countWaiting: async ({ request, query: { top = 0 } }) => {
      const found = await coreFor(request).counters.countWaiting({ top });
      const body = {
        waiting: Number(found.waiting),
        scheduled: Number(found.scheduled),
        oldest_at: timeOrNull(found.oldestAt),
        destinations: found.destinations.map(({ domain, waiting, oldestAt }) => ({
          domain,
          waiting: Number(waiting),
          oldest_at: timestampDate(oldestAt as Time).toISOString(),
        })),
        other_waiting: Number(found.otherWaiting),
        is_partial: found.isPartial,
      };
      return { status: 200, body };
    },
  };
}

type SpanQuery = ServerInferRequest<typeof contract.measureLatency>["query"];

function spanOf(query: SpanQuery) {
  const [from, until] = [momentOf(query.from, "/from"), momentOf(query.until, "/until")];
  const { step = "", dimension = "", value = [], top = 0, time_zone: timeZone = "" } = query;
  return {
    ...(from && { from: timestampFromDate(from) }),
    ...(until && { until: timestampFromDate(until) }),
    step,
    dimension,
    values: value,
    top,
    timeZone,
  };
}

type Time = Parameters<typeof timestampDate>[0];

interface Head {
  readonly step: string;
  readonly points: readonly Time[];
  readonly measuredSince?: Time | undefined;
}

function headOf({ step, points, measuredSince }: Head) {
  const times = points.map((at) => timestampDate(at).toISOString());
  return { step, points: times, measured_since: timeOrNull(measuredSince) };
}

function percentilesOf(of: LatencyPercentiles | undefined) {
  if (!of || of.count === 0n) return null;
  const { count, p50Ms, p95Ms, p99Ms } = of;
  return { count: Number(count), p50_ms: Number(p50Ms), p95_ms: Number(p95Ms), p99_ms: Number(p99Ms) };
}

function timeOrNull(at: Time | undefined): string | null {
  return at ? timestampDate(at).toISOString() : null;
}
