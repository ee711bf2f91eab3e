import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { requests as contract, loggedRequest } from "../../../contracts/dashboard/requests.ts";
import { RequestSchema } from "../../../gen/hermod/request/v1/request_service_pb.ts";
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
    getRequest: async ({ request, params }) => {
      const found = await coreFor(request).requests.getRequest({ id: params.request_id });
      return { status: 200, body: bodyOf<LoggedRequest>(RequestSchema, found.request) };
    },
  };
}
