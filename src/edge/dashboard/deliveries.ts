import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { deliveries as contract, delivery } from "../../../contracts/dashboard/deliveries.ts";
import type { job } from "../../../contracts/dashboard/jobs.ts";
import { DeliverySchema } from "../../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { JobSchema } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { bodyOf, createCoreFor, type DashboardParts, pageBody, pageRequest, spanOf } from "./call.ts";

type Delivery = z.output<typeof delivery>;
type Job = z.output<typeof job>;

/** Handlers of the routes of `dashboard.deliveries`. */
export function deliveries(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listDeliveries: async ({ request, params, query }) => {
      const asked = { endpointId: params.endpoint_id, state: query.state ?? "", ...pageRequest(query) };
      const found = await coreFor(request).deliveries.listDeliveries(asked);
      const data = found.deliveries.map((one) => bodyOf<Delivery>(DeliverySchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    listAllDeliveries: async ({ request, query }) => {
      const { endpoint_id: endpointId, message_id: messageId, event_id: eventId } = query;
      const { state, type, status } = query;
      const filter = {
        ...withoutUndefined({ endpointId, messageId, eventId, state, type, status }),
        ...spanOf(query),
      };
      const found = await coreFor(request).deliveries.listAllDeliveries({ ...pageRequest(query), filter });
      const data = found.deliveries.map((one) => bodyOf<Delivery>(DeliverySchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    listDeliveriesOfMessage: async ({ request, params }) => {
      const asked = { messageId: params.message_id };
      const found = await coreFor(request).deliveries.listDeliveriesOfMessage(asked);
      return {
        status: 200,
        body: { data: found.deliveries.map((one) => bodyOf<Delivery>(DeliverySchema, one)) },
      };
    },
    getDelivery: async ({ request, params }) => {
      const found = await coreFor(request).deliveries.getDelivery({ id: params.delivery_id });
      return { status: 200, body: bodyOf<Delivery>(DeliverySchema, found.delivery) };
    },
    replayDeliveries: async ({ request, params, body }) => {
      const replays = {
        endpointId: params.endpoint_id,
        delivered: body.delivered ?? false,
        ...withoutUndefined({ types: body.types, status: body.status }),
        ...spanOf(body),
      };
      const core = coreFor(request).deliveries;
      if (body.count_only) {
        const { count, hasMore } = await core.countReplays({ replays });
        return { status: 200, body: { count, has_more: hasMore } };
      }
      const begun = await core.beginReplays({ replays });
      return { status: 202, body: bodyOf<Job>(JobSchema, begun.job) };
    },
    retryDelivery: async ({ request, params }) => {
      const found = await coreFor(request).deliveries.retryDelivery({ id: params.delivery_id });
      return { status: 200, body: bodyOf<Delivery>(DeliverySchema, found.delivery) };
    },
    retryDeliveries: async ({ request, params }) => {
      const asked = { endpointId: params.endpoint_id };
      const { count, hasMore } = await coreFor(request).deliveries.retryDeliveries(asked);
      return { status: 200, body: { count, has_more: hasMore } };
    },
    replayDelivery: async ({ request, params }) => {
      const found = await coreFor(request).deliveries.replayDelivery({ id: params.delivery_id });
      return { status: 200, body: bodyOf<Delivery>(DeliverySchema, found.delivery) };
    },
  };
}
