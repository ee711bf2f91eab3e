import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { message, messageEvent } from "../../../contracts/common/dashboard-message.ts";
import type { bulkCount, matchCount } from "../../../contracts/common/message-counts.ts";
import type { policyHold } from "../../../contracts/common/policy-queue.ts";
import type { job } from "../../../contracts/dashboard/jobs.ts";
import type { messages as contract } from "../../../contracts/dashboard/messages.ts";
import { JobSchema } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import {
  CountBulkResponseSchema,
  CountMatchingMessagesResponseSchema,
  MessageEventSchema,
  MessageSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { PolicyHoldSchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { idempotencyKeyOf } from "../idempotency-key.ts";
import { messageFilterOf } from "../message-filter.ts";
import { bodyOf, createCoreFor, pageBody, pageRequest } from "./call.ts";
import { CSV, fileDownload, NDJSON } from "./file-download.ts";
import type { LoadMail, MailParts } from "./mail-reader.ts";

type Message = z.output<typeof message>;
type BulkCount = z.output<typeof bulkCount>;
type MatchCount = z.output<typeof matchCount>;
type Job = z.output<typeof job>;
type Hold = z.output<typeof policyHold>;
type Event = z.output<typeof messageEvent>;

/** Handlers of the routes of `dashboard.messages`. */
export function messages(parts: MailParts): RouterImplementation<typeof contract> {
  const { mails } = parts;
  const coreFor = createCoreFor(parts);
  return {
    listMessages: async ({ request, query }) => {
      const { limit, cursor, ...asked } = query;
      const page = pageRequest({ limit, cursor });
      const found = await coreFor(request).messages.listMessages({ ...page, filter: messageFilterOf(asked) });
      const data = found.messages.map((one) => bodyOf<Message>(MessageSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    countMatchingMessages: async ({ request, query }) => {
      const counted = await coreFor(request).messages.countMatchingMessages({
        filter: messageFilterOf(query),
      });
      return { status: 200, body: bodyOf<MatchCount>(CountMatchingMessagesResponseSchema, counted) };
    },
    exportMessages: async ({ request, reply, query }) => {
      const { format = "csv", ...asked } = query;
      const parts = coreFor(request).messages.exportMessages({ filter: messageFilterOf(asked), format });
      const mediaType = format === "csv" ? CSV : NDJSON;
      return fileDownload(reply, { name: `messages.${format}`, mediaType }, parts);
    },
    getMessage: async ({ request, params }) => {
      const found = await coreFor(request).messages.getMessage({ id: params.message_id });
      const timeline = found.timeline.map((one) => bodyOf<Event>(MessageEventSchema, one));
      const hold = found.hold && bodyOf<Hold>(PolicyHoldSchema, found.hold);
      const message = bodyOf<Message>(MessageSchema, found.message);
      return { status: 200, body: { message, timeline, ...(hold && { hold }) } };
    },
    getMessageContents: async ({ request, params }) => {
      const { contents } = await mails.contents(request, stored(params));
      return { status: 200, body: contents };
    },
    getMessageSource: ({ params, ...call }) => mails.source(call, stored(params), params.message_id),
    getMessageHtml: ({ params, ...call }) => mails.html(call, stored(params)),
    getMessageAttachment: ({ params, ...call }) => mails.attachment(call, stored(params), params.index),
    bulkMessages: async ({ request, body }) => {
      const { action, ids = [], filter, confirmation } = body;
      const { messages: core } = coreFor(request);
      const bulk = { action, ids, ...(filter && { filter: messageFilterOf(filter, "/filter") }) };
      if (confirmation === undefined) {
        const counted = await core.countBulk({ bulk });
        return { status: 200, body: bodyOf<BulkCount>(CountBulkResponseSchema, counted) };
      }
      const begun = await core.beginBulk({ bulk, confirmation });
      return { status: 202, body: bodyOf<Job>(JobSchema, begun.job) };
    },
    retryMessage: async ({ request, params }) => {
      const { message } = await coreFor(request).messages.retryMessage({ id: params.message_id });
      return { status: 200, body: bodyOf<Message>(MessageSchema, message) };
    },
    sendMessage: async ({ request, reply, body }) => {
      const { routing_policy: routingPolicy, ...content } = body;
      const asked = { ...content, routingPolicy, idempotencyKey: idempotencyKeyOf(request) };
      const { message, replayed } = await coreFor(request).messages.sendMessage(withoutUndefined(asked));
      if (replayed) reply.header("idempotent-replayed", "true");
      return { status: 202, body: bodyOf<Message>(MessageSchema, message) };
    },
    resendMessage: async ({ request, reply, params }) => {
      const asked = { id: params.message_id, idempotencyKey: idempotencyKeyOf(request) };
      const { message, replayed } = await coreFor(request).messages.resendMessage(asked);
      if (replayed) reply.header("idempotent-replayed", "true");
      return { status: 202, body: bodyOf<Message>(MessageSchema, message) };
    },
    cancelMessage: async ({ request, params }) => {
      const { message } = await coreFor(request).messages.cancelMessage({ id: params.message_id });
      return { status: 200, body: bodyOf<Message>(MessageSchema, message) };
    },
  };
}

const stored =
  ({ message_id: id }: { readonly message_id: string }): LoadMail<unknown> =>
  ({ messages }) =>
    messages.getMessageSource({ id });
