import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { job } from "../../../contracts/dashboard/jobs.ts";
import type {
  bulkCount,
  messages as contract,
  message,
  messageEvent,
} from "../../../contracts/dashboard/messages.ts";
import { JobSchema } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import {
  CountBulkResponseSchema,
  MessageEventSchema,
  MessageSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { bodyOf, createCoreFor, type DashboardParts, momentOf, pageBody, pageRequest } from "./call.ts";

type Message = z.output<typeof message>;
type BulkCount = z.output<typeof bulkCount>;
type Job = z.output<typeof job>;
type Event = z.output<typeof messageEvent>;

/** What answers the routes of `dashboard.messages`. */
export function messages(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listMessages: async ({ request, query }) => {
      const { limit, cursor, ...asked } = query;
      const page = pageRequest({ limit, cursor });
      const found = await coreFor(request).messages.listMessages({ ...page, filter: filterOf(asked) });
      const data = found.messages.map((one) => bodyOf<Message>(MessageSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getMessage: async ({ request, params }) => {
      const found = await coreFor(request).messages.getMessage({ id: params.message_id });
      const timeline = found.timeline.map((one) => bodyOf<Event>(MessageEventSchema, one));
      return { status: 200, body: { message: bodyOf<Message>(MessageSchema, found.message), timeline } };
    },
    bulkMessages: async ({ request, body }) => {
      const { action, ids = [], filter, confirmation } = body;
      const { messages: core } = coreFor(request);
      const bulk = { action, ids, ...(filter && { filter: filterOf(filter, "/filter") }) };
      if (confirmation === undefined) {
        const counted = await core.countBulk({ bulk });
        return { status: 200, body: bodyOf<BulkCount>(CountBulkResponseSchema, counted) };
      }
      const begun = await core.beginBulk({ bulk, confirmation });
      return { status: 202, body: bodyOf<Job>(JobSchema, begun.job) };
    },
    cancelMessage: async ({ request, params }) => {
      const { message } = await coreFor(request).messages.cancelMessage({ id: params.message_id });
      return { status: 200, body: bodyOf<Message>(MessageSchema, message) };
    },
  };
}

interface FilterQuery {
  readonly recipient?: string | undefined;
  readonly sender?: string | undefined;
  readonly subject?: string | undefined;
  readonly tag?: string[] | undefined;
  readonly metadata?: string[] | undefined;
  readonly state?: string[] | undefined;
  readonly routing_policy?: string | undefined;
  readonly key_id?: string | undefined;
  readonly source?: string | undefined;
  readonly template?: string | undefined;
  readonly category?: string | undefined;
  readonly trace_id?: string | undefined;
  readonly message_id?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * @param at where it stands in the request
 * @throws Fault request.validation_failed
 */
function filterOf(query: FilterQuery, at = "") {
  const { recipient, sender, subject, source, template, category, tag, metadata, state } = query;
  const [from, until] = [momentOf(query.from, `${at}/from`), momentOf(query.until, `${at}/until`)];
  return {
    ...withoutUndefined({
      recipient,
      sender,
      subject,
      source,
      template,
      category,
      tags: tag,
      states: state,
      routingPolicy: query.routing_policy,
      keyId: query.key_id,
      traceId: query.trace_id,
      messageId: query.message_id,
      from: from && timestampFromDate(from),
      until: until && timestampFromDate(until),
    }),
    metadata: Object.fromEntries((metadata ?? []).map(entryOf)),
  };
}

/** `name=value`. */
function entryOf(text: string): [string, string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}
