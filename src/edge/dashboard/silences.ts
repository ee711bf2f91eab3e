import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { silences as contract, silence } from "../../../contracts/dashboard/silences.ts";
import {
  CreateSilenceRequestSchema,
  InhibitionSchema,
  ListInhibitionsResponseSchema,
  PutInhibitionRequestSchema,
  SilenceSchema,
} from "../../../gen/hermod/silence/v1/silence_service_pb.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardParts,
  messageOf,
  momentOf,
  pageBody,
  pageRequest,
} from "./call.ts";

type Silence = z.output<typeof silence>;

/** Handlers of the routes of `dashboard.silences`. */
export function silences(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listSilences: async ({ request, query }) => {
      const found = await coreFor(request).silences.listSilences(pageRequest(query));
      const all = found.silences.map((one) => bodyOf<Silence>(SilenceSchema, one));
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
    createSilence: async ({ request, body: { starts_at, ends_at, ...rest } }) => {
      const startsAt = momentOf(starts_at, "/starts_at");
      const endsAt = momentOf(ends_at, "/ends_at");
      const created = await coreFor(request).silences.createSilence({
        ...messageOf(CreateSilenceRequestSchema, rest),
        ...(startsAt && { startsAt: timestampFromDate(startsAt) }),
        ...(endsAt && { endsAt: timestampFromDate(endsAt) }),
      });
      return { status: 201, body: bodyOf(SilenceSchema, created.silence) };
    },
    endSilence: async ({ request, params }) => {
      const { silence: ended } = await coreFor(request).silences.endSilence({ id: params.silence_id });
      return { status: 200, body: bodyOf(SilenceSchema, ended) };
    },
    listInhibitions: async ({ request }) => {
      const found = await coreFor(request).silences.listInhibitions({});
      const { inhibitions } = bodyOf<{ inhibitions: never[] }>(ListInhibitionsResponseSchema, found);
      return { status: 200, body: { data: inhibitions } };
    },
    putInhibition: async ({ request, params: { name }, body }) => {
      const asked = messageOf(PutInhibitionRequestSchema, { ...body, name });
      const { inhibition } = await coreFor(request).silences.putInhibition(asked);
      return { status: 200, body: bodyOf(InhibitionSchema, inhibition) };
    },
    deleteInhibition: async ({ request, params: { name }, query }) => {
      await coreFor(request).silences.deleteInhibition({ name, ifRevision: query.if_revision ?? "" });
      return { status: 204, body: undefined };
    },
  };
}
