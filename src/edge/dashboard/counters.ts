import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { counters as contract } from "../../../contracts/dashboard/counters.ts";
import { createCoreFor, type DashboardParts, momentOf } from "./call.ts";

/** What answers the routes of `dashboard.counters`. */
export function counters(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    countMessages: async ({ request, query }) => {
      const [from, until] = [momentOf(query.from, "/from"), momentOf(query.until, "/until")];
      const { step = "", kind = [], dimension = "", value = [], top = 0, time_zone: timeZone = "" } = query;
      const found = await coreFor(request).counters.countMessages({
        ...(from && { from: timestampFromDate(from) }),
        ...(until && { until: timestampFromDate(until) }),
        step,
        kinds: kind,
        dimension,
        values: value,
        top,
        timeZone,
      });
      const points = found.points.map((at) => timestampDate(at).toISOString());
      const series = found.series.map(({ value, isOther, kind, counts, sum }) => ({
        value,
        is_other: isOther,
        kind,
        counts,
        sum: Number(sum),
      }));
      return { status: 200, body: { step: found.step, points, series } };
    },
  };
}
