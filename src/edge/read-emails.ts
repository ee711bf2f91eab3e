import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { email, emailWithTimeline } from "../../contracts/common/email-schemas.ts";
import type { Engagement, Message, MessageEvent } from "../../gen/hermod/message/v1/message_service_pb.ts";
import type { CoreClient } from "../rpc/client.ts";
import { Fault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { inRequestNames, pageBody, pageRequest } from "./dashboard/call.ts";
import { type MessageFilterQuery, messageFilterOf } from "./message-filter.ts";
import { type HeaderSink, setRateLimitHeaders } from "./problem-reply.ts";

type Email = z.output<typeof email>;
type Entry = z.output<typeof emailWithTimeline>["timeline"][number];

interface Call {
  readonly request: Pick<FastifyRequest, "caller">;
  readonly reply: HeaderSink;
}

interface CallOfOne extends Call {
  readonly params: { readonly message_id: string };
}

interface EmailQuery extends Omit<MessageFilterQuery, "state" | "trace_id"> {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly status?: string[] | undefined;
  readonly sx_trace_id?: string | undefined;
}

interface ListCall extends Call {
  readonly query: EmailQuery;
}

/** Handlers of the routes of `api.emails` that show messages of a key and cancel them. */
export function readEmails({ core }: { readonly core: Pick<CoreClient, "emails"> }) {
  return {
    listEmails: async ({ request, reply, query }: ListCall) => {
      const { limit, cursor, status: state, sx_trace_id: trace_id, ...asked } = query;
      const filter = messageFilterOf({ ...asked, state, trace_id });
      const wanted = { ...keyOf(request), ...pageRequest({ limit, cursor }), filter };
      const found = await core.emails.listEmails(wanted).catch((refused) => {
        throw inRequestNames(Fault.from(refused), true, queryNames);
      });
      setRateLimitHeaders(reply, found.rateLimits);
      return { status: 200, body: pageBody(found.messages.map(toEmail), found.nextPageToken) } as const;
    },
    getEmail: async ({ request, reply, params }: CallOfOne) => {
      const found = await core.emails.getEmail({ ...keyOf(request), id: params.message_id });
      setRateLimitHeaders(reply, found.rateLimits);
      const body = { ...toEmail(answered(found.message)), timeline: found.timeline.map(toEntry) };
      return { status: 200, body } as const;
    },
    cancelEmail: async ({ request, reply, params }: CallOfOne) => {
      const { message, rateLimits } = await core.emails.cancelEmail({
        ...keyOf(request),
        id: params.message_id,
      });
      setRateLimitHeaders(reply, rateLimits);
      return { status: 200, body: toEmail(answered(message)) } as const;
    },
  };
}

/** Names of the core's filter fields in queries. */
const queryNames = { tags: "tag", states: "status", trace_id: "sx_trace_id" };

const keyOf = ({ caller }: Pick<FastifyRequest, "caller">) => ({
  apiKey: caller?.apiKey ?? "",
  clientAddress: caller?.clientAddress ?? "",
});

function answered(message: Message | undefined): Message {
  if (message) return message;
  throw new Error("the core answered without a message");
}

const iso = (at: Timestamp | undefined) => at && timestampDate(at).toISOString();

function toEmail(message: Message): Email {
  const { createdAt, updatedAt, sendAt, nextAttemptAt } = message;
  return {
    message_id: message.id,
    sx_trace_id: message.traceId,
    status: message.state,
    created_at: iso(createdAt) ?? "",
    updated_at: iso(updatedAt) ?? "",
    from: message.from,
    recipient: message.recipient,
    subject: message.subject,
    routing_policy: message.routingPolicy,
    attempts: message.attempts,
    tags: message.tags,
    metadata: message.metadata,
    header_message_id: message.headerMessageId,
    size_bytes: message.sizeBytes,
    ...withoutUndefined({
      key_id: message.keyId || undefined,
      source: message.source || undefined,
      template: message.template || undefined,
      template_version: message.templateVersion || undefined,
      category: message.category || undefined,
      scheduled_at: iso(sendAt),
      next_attempt_at: iso(nextAttemptAt),
      opens: toEngagement(message.opens),
      clicks: toEngagement(message.clicks),
    }),
  };
}

function toEngagement(counted: Engagement | undefined): Email["opens"] {
  if (!counted) return undefined;
  const { count, machineCount, firstAt } = counted;
  return { count, machine_count: machineCount, ...withoutUndefined({ first_at: iso(firstAt) }) };
}

function toEntry({ id, kind, at, attempt, ...event }: MessageEvent): Entry {
  return {
    id,
    kind,
    at: iso(at) ?? "",
    attempt,
    ...withoutUndefined({
      via: event.via || undefined,
      reply_code: event.replyCode || undefined,
      enhanced_status_code: event.enhancedStatusCode || undefined,
      detail: event.detail || undefined,
      category: event.category || undefined,
      next_attempt_at: iso(event.nextAttemptAt),
      url: event.url || undefined,
      machine: event.machineReason !== "" || undefined,
      machine_reason: event.machineReason || undefined,
      proxy: event.proxy || undefined,
      first: event.first || undefined,
      user_agent: event.userAgent || undefined,
      client_address: event.clientAddress || undefined,
    }),
  };
}
