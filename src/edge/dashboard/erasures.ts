import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { erasures as contract, erasure, erasurePreview } from "../../../contracts/dashboard/erasures.ts";
import {
  ErasureSchema,
  PreviewErasureResponseSchema,
} from "../../../gen/hermod/erasure/v1/erasure_service_pb.ts";
import { bodyOf, createCoreFor, type DashboardParts, pageBody, pageRequest } from "./call.ts";

type Erasure = z.output<typeof erasure>;

/** Handlers of the routes of `dashboard.erasures`. */
export function erasures(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listErasures: async ({ request, query }) => {
      const found = await coreFor(request).erasures.listErasures(pageRequest(query));
      const data = found.erasures.map((one) => bodyOf<Erasure>(ErasureSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getErasure: async ({ request, params }) => {
      const found = await coreFor(request).erasures.getErasure({ id: params.erasure_id });
      return { status: 200, body: bodyOf<Erasure>(ErasureSchema, found.erasure) };
    },
    previewErasure: async ({ request, body }) => {
      const counts = await coreFor(request).erasures.previewErasure(body);
      const answer = bodyOf<z.output<typeof erasurePreview>>(PreviewErasureResponseSchema, counts);
      return { status: 200, body: answer };
    },
    beginErasure: async ({ request, body }) => {
      const { recipient, keep_suppressed: keepSuppressed = false } = body;
      const begun = await coreFor(request).erasures.beginErasure({ recipient, keepSuppressed });
      return { status: 202, body: bodyOf<Erasure>(ErasureSchema, begun.erasure) };
    },
  };
}
