import type { Message, MessageEvent } from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { isoTime } from "../output/time.ts";

/** A message as `--json` writes it. */
export function messageJson(message: Message) {
  return {
    id: message.id,
    sx_trace_id: message.traceId,
    account_id: message.accountId,
    state: message.state,
    from: message.from,
    recipient: message.recipient,
    subject: message.subject,
    routing_policy: message.routingPolicy,
    attempts: message.attempts,
    created_at: isoTime(message.createdAt),
    updated_at: isoTime(message.updatedAt),
    next_attempt_at: isoTime(message.nextAttemptAt),
    header_message_id: message.headerMessageId,
    tags: message.tags,
    metadata: message.metadata,
    template: message.template === "" ? null : { name: message.template, version: message.templateVersion },
  };
}

/** One entry of a timeline as `--json` writes it; what does not apply is null. */
export function eventJson(event: MessageEvent) {
  return {
    id: event.id,
    kind: event.kind,
    at: isoTime(event.at),
    attempt: event.attempt,
    via: event.via || null,
    reply_code: event.replyCode || null,
    enhanced_status_code: event.enhancedStatusCode || null,
    detail: event.detail || null,
    next_attempt_at: isoTime(event.nextAttemptAt),
  };
}
