import {
  MessageEventSchema,
  MessageSchema,
  QuarantinedMessageSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { SandboxMessageSchema } from "../../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { composeBody } from "../../message/mime/compose-body.ts";
import { Fault } from "../../shared/fault.ts";
import type { WalkedDocument } from "../../store/collections/collections.ts";
import type { MessageDocument, QuarantineDocument } from "../../store/message-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import { timelineOf } from "../timeline.ts";
import { toMessage, toQuarantined, toSandboxMessage } from "../to-proto.ts";
import { type Body, type Line, shown } from "./line.ts";

interface MailContext {
  readonly account: AccountStore;
  /** Includes bodies. */
  readonly bodies: boolean;
}

/** A message with its timeline, and with the sender's data that the session API does not show. */
export async function messageLine(message: MessageDocument, { account, bodies }: MailContext): Promise<Line> {
  const { documents, unreadable } = await account.exports.listEvents(message);
  const timeline = await timelineOf({ events: { listOf: async () => documents } }, message);
  return {
    kind: "message",
    fields: {
      ...shown(MessageSchema, toMessage(message)),
      envelope_from: message.envelopeFrom,
      not_delivered: message.notDelivered,
      priority: message.priority,
      notify: message.notify,
      original_recipient: message.originalRecipient,
      envelope_id: message.envelopeId,
      return_content: message.returnContent,
      notice_of: message.noticeOf,
      idempotency_key: message.idempotencyKey,
      tracking: message.tracking,
      cancel_requested_at: message.cancelRequestedAt,
      expire_at: message.expireAt,
      timeline: timeline.map((event) => shown(MessageEventSchema, event)),
      ...(unreadable.length > 0 && {
        unreadable_events: unreadable.map(({ id, reason }) => ({ id, reason })),
      }),
    },
    body: bodies ? () => bodyOf(account, message) : undefined,
  };
}

/**
 * The body as submitted, or composed from the submitted fields, without the header fields that are added when it is
 * sent.
 */
async function bodyOf({ contents }: AccountStore, message: MessageDocument): Promise<Body> {
  const body = await contents.load(message.contentId);
  if (!body) return undefined;
  if (body.kind === "unreadable") return { unreadable: body.reason };
  return readable(async () => composeBody(message, body));
}

export function capturedLine(
  captured: WalkedDocument<"sandboxMessages">,
  { account, bodies }: MailContext,
): Line {
  const load = () => readable(async () => (await account.sandbox.find(captured._id))?.source);
  const fields = { ...shown(SandboxMessageSchema, toSandboxMessage(captured)), expire_at: captured.expireAt };
  return { kind: "captured_message", fields, body: bodies ? load : undefined };
}

export function quarantinedLine(entry: QuarantineDocument): Line {
  return { kind: "quarantined_message", fields: shown(QuarantinedMessageSchema, toQuarantined(entry)) };
}

/** An unreadable body does not stop the export of the others. */
async function readable(load: () => Promise<Uint8Array | undefined>): Promise<Body> {
  try {
    const bytes = await load();
    return bytes && { bytes };
  } catch (error) {
    if (error instanceof Fault) throw error;
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}
