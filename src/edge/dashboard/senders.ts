import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { senders as contract, sender } from "../../../contracts/dashboard/senders.ts";
import { SenderSchema } from "../../../gen/hermod/sender/v1/sender_service_pb.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardParts,
  isForced,
  pageBody,
  pageRequest,
  removedAnswer,
} from "./call.ts";

type Sender = z.output<typeof sender>;

/** Handlers of the routes of `dashboard.senders`. */
export function senders(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listSenders: async ({ request, query }) => {
      const { search = "", state = "" } = query;
      const found = await coreFor(request).senders.listSenders({ ...pageRequest(query), search, state });
      const data = found.senders.map((one) => bodyOf<Sender>(SenderSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    verifySender: async ({ request, body }) => {
      const asked = await coreFor(request).senders.verifySender({ value: body.value });
      return { status: 200, body: bodyOf<Sender>(SenderSchema, asked.sender) };
    },
    removeSender: async ({ request, params, query }) => {
      const removed = await coreFor(request).senders.removeSender({
        value: params.sender,
        force: isForced(query),
      });
      return removedAnswer(removed);
    },
  };
}
