import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { requests as contract, loggedRequest } from "../../../contracts/dashboard/requests.ts";
import { type RequestCounts, RequestSchema } from "../../../gen/hermod/request/v1/request_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { bodyOf, createCoreFor, type DashboardParts, momentOf, pageBody, pageRequest } from "./call.ts";

type LoggedRequest = z.output<typeof loggedRequest>;

/** Handlers of the routes of `dashboard.requests`. */
export function requests(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listRequests: async ({ request, query }) => {
      const { key_id: keyId, trace_id: traceId, method, route, status, code } = query;
      const [from, until] = [momentOf(query.from, "/from"), momentOf(query.until, "/until")];
      const filter = {
        ...withoutUndefined({ keyId, traceId, method, route, status, code }),
        ...(from && { from: timestampFromDate(from) }),
        ...(until && { until: timestampFromDate(until) }),
      };
      const found = await coreFor(request).requests.listRequests({ ...pageRequest(query), filter });
      const data = found.requests.map((one) => bodyOf<LoggedRequest>(RequestSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getRequestStatistics: async ({ request, query }) => {
      const [from, until] = [momentOf(query.from, "/from"), momentOf(query.until, "/until")];
      const found = await coreFor(request).requests.getRequestStatistics({
        step: query.step ?? "",
        ...(from && { from: timestampFromDate(from) }),
        ...(until && { until: timestampFromDate(until) }),
      });
      const { step, all, points, measuredSince } = found;
      const body = {
        step,
        all: countsBody(all),
        points: points.map(({ at, counts }) => ({ at: timeText(at), counts: countsBody(counts) })),
        measured_since: measuredSince ? timeText(measuredSince) : null,
      };
      return { status: 200, body };
    },
    getRequest: async ({ request, params }) => {
      const found = await coreFor(request).requests.getRequest({ id: params.request_id });
      return { status: 200, body: bodyOf<LoggedRequest>(RequestSchema, found.request) };
    },
  };
}

const timeText = (at: Timestamp | undefined): string => timestampDate(at as Timestamp).toISOString();

/** Counts in the response. They are far below 2^53. */
function countsBody(counts: RequestCounts | undefined) {
  return {
    count: Number(counts?.count ?? 0),
    status_2xx: Number(counts?.status2xx ?? 0),
    status_3xx: Number(counts?.status3xx ?? 0),
    status_4xx: Number(counts?.status4xx ?? 0),
    status_429: Number(counts?.status429 ?? 0),
    status_5xx: Number(counts?.status5xx ?? 0),
    other: Number(counts?.other ?? 0),
  };
}
