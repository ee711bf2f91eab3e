import { withoutUndefined } from "../shared/without-undefined.ts";
import type { EventDocument, EventHit, MessageDocument } from "../store/message-documents.ts";
import type { WebhookEndpointDocument } from "../store/webhook-documents.ts";

/** Sent on request, to whoever is asked for. */
export const TEST_TYPE = "webhook.test";

/** The version of the payloads that endpoints are pinned to. */
export const PAYLOAD_VERSION = "2026-11-01";

export interface PayloadParts {
  /** As `message.delivered`. */
  readonly type: string;
  readonly eventId: string;
  readonly at: Date;
  readonly message: MessageDocument;
  /** Missing: the event is that the message was stored. */
  readonly event: EventDocument | undefined;
  /** Which of the message's events it is, from 1 on. */
  readonly sequence: number;
}

/** What a receiver is told of a message (Standard Webhooks: `type`, `timestamp`, `data`). */
export function messagePayload({ type, eventId, at, message, event, sequence }: PayloadParts) {
  return {
    id: eventId,
    type,
    version: PAYLOAD_VERSION,
    timestamp: at.toISOString(),
    account_id: message.accountId,
    data: {
      message_id: message._id,
      sx_trace_id: message.traceId,
      sequence,
      from: message.from,
      recipient: message.recipient,
      routing_policy: message.policy,
      tags: message.tags ?? [],
      metadata: message.metadata ?? {},
      ...(message.sendAt && type === "message.scheduled" && { send_at: message.sendAt.toISOString() }),
      ...(event && (event.hit ? hitOf(event.hit) : attemptOf(event))),
      ...(event?.kind === "captured" && { sandbox: true }),
    },
  };
}

function hitOf({ first, machineReason, proxy, url, userAgent, clientAddress }: EventHit) {
  return {
    first: first === true,
    machine: machineReason !== undefined,
    ...withoutUndefined({ machine_reason: machineReason, proxy, url }),
    ...withoutUndefined({ user_agent: userAgent, client_address: clientAddress }),
  };
}

function attemptOf(event: EventDocument) {
  const { attempt, via, replyCode, enhancedStatusCode, category, detail, nextAttemptAt, suppression } = event;
  return {
    attempt,
    detail: detail ?? "",
    ...(via !== undefined && {
      reply: {
        server: via,
        ...(replyCode !== undefined && { code: replyCode }),
        ...(enhancedStatusCode !== undefined && { enhanced_code: enhancedStatusCode }),
      },
    }),
    ...(category !== undefined && { category }),
    ...(nextAttemptAt && { next_attempt_at: nextAttemptAt.toISOString() }),
    ...(suppression?.policy !== undefined && { suppressed_policy: suppression.policy }),
  };
}

/** What a receiver is told to see whether it hears. */
export function testPayload({
  eventId,
  at,
  endpoint,
}: Pick<PayloadParts, "eventId" | "at"> & { readonly endpoint: WebhookEndpointDocument }) {
  return {
    id: eventId,
    type: TEST_TYPE,
    version: PAYLOAD_VERSION,
    timestamp: at.toISOString(),
    account_id: endpoint.accountId,
    data: { endpoint_id: endpoint._id, text: "This endpoint hears of its account's events." },
  };
}
