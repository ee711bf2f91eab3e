import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { deliveries as contract, delivery } from "../../../contracts/dashboard/deliveries.ts";
import { DeliverySchema } from "../../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { bodyOf, createCoreFor, type DashboardParts, pageBody, pageRequest } from "./call.ts";

type Delivery = z.output<typeof delivery>;

/** What answers the routes of `dashboard.deliveries`. */
export function deliveries(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listDeliveries: async ({ request, params, query }) => {
      const asked = { endpointId: params.endpoint_id, state: query.state ?? "", ...pageRequest(query) };
      const found = await coreFor(request).deliveries.listDeliveries(asked);
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
    replayDelivery: async ({ request, params }) => {
      const found = await coreFor(request).deliveries.replayDelivery({ id: params.delivery_id });
      return { status: 200, body: bodyOf<Delivery>(DeliverySchema, found.delivery) };
    },
  };
}
