import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  DropQuarantinedMessageRequest,
  DropQuarantinedMessageResponseSchema,
  GetQuarantinedMessageRequest,
  GetQuarantinedMessageResponseSchema,
  ListQuarantinedMessagesRequest,
  ListQuarantinedMessagesResponseSchema,
  ReleaseQuarantinedMessageRequest,
  ReleaseQuarantinedMessageResponseSchema,
} from "../../gen/hermod/message/v1/message_service_pb.ts";
import { messageEvent } from "../events/message-event.ts";
import type { HandlerContext } from "../rpc/callers.ts";
import type { Clock } from "../shared/clock.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { detailFields, phrase } from "../shared/phrase.ts";
import type { QuarantineDocument } from "../store/message-documents.ts";
import { type OperatorScope, type OperatorStore, operatorScope } from "./operator-scope.ts";
import { pageOf, pageSizeOf, pageStartOf } from "./page.ts";
import { toMessageEvent, toQuarantined } from "./to-proto.ts";

/** Lists quarantined messages. The page token is the last id of the previous page. */
export function createListQuarantined({ store }: { readonly store: OperatorStore }) {
  return async (
    request: ListQuarantinedMessagesRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof ListQuarantinedMessagesResponseSchema>> => {
    const limit = pageSizeOf(request.pageSize);
    const found = await operatorScope(store, request, context).quarantine.list({
      // A damaged message can have any id.
      afterId: pageStartOf(request.pageToken, (token) => token),
      limit: limit + 1,
    });
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
    return { messages: entries.map(toQuarantined), nextPageToken };
  };
}

/** Returns the readable parts of a quarantined message, with its timeline. */
export function createGetQuarantined({ store }: { readonly store: OperatorStore }) {
  return async (
    request: GetQuarantinedMessageRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof GetQuarantinedMessageResponseSchema>> => {
    const scope = operatorScope(store, request, context);
    const entry = await findQuarantined(scope, request.id);
    const events = await scope.events.listOfMessage(entry._id);
    return {
      message: toQuarantined(entry),
      timeline: events.map((event) => toMessageEvent(event, entry.recipient ?? "")),
    };
  };
}

export interface ReleaseQuarantinedOptions {
  readonly store: OperatorStore;
  readonly clock: Clock;
  /** Retention time of the event. */
  readonly retentionMs: number;
}

/** Releases a message that can be read again, because it was repaired or a newer release reads it. */
export function createReleaseQuarantined({ store, clock, retentionMs }: ReleaseQuarantinedOptions) {
  return async (
    request: ReleaseQuarantinedMessageRequest,
    context: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof ReleaseQuarantinedMessageResponseSchema>> => {
    const scope = operatorScope(store, request, context);
    const entry = await findQuarantined(scope, request.id);
    // Throws message.unreadable with the reason if a worker would only quarantine it again.
    const message = await scope.messages.findById(entry._id);
    const at = clock.now();
    if (message) {
      // The id contains the time of the quarantine, so that two parallel releases result in one event.
      const name = `released-${entry.at.getTime()}`;
      const expireAt = new Date(at.getTime() + retentionMs);
      const reply = detailFields(phrase("message.released"));
      await scope.events.insertMissing([
        messageEvent(message, { kind: "released", name, attempt: message.attempts, at, expireAt, reply }),
      ]);
    }
    await scope.quarantine.release(entry, at, context.audit);
    return { message: toQuarantined(entry) };
  };
}

export interface DropQuarantinedOptions {
  readonly store: OperatorStore;
  readonly clock: Clock;
  /** Retention time of dropped messages. */
  readonly retentionMs: number;
}

/** Gives up an unreadable message: it is not delivered, and is removed after its retention time. */
export function createDropQuarantined({ store, clock, retentionMs }: DropQuarantinedOptions) {
  return async (
    request: DropQuarantinedMessageRequest,
    context: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof DropQuarantinedMessageResponseSchema>> => {
    const scope = operatorScope(store, request, context);
    const entry = await findQuarantined(scope, request.id);
    const { _id, accountId = "", traceId = "", reason } = entry;
    const at = clock.now();
    const expireAt = new Date(at.getTime() + retentionMs);
    const reply = detailFields(phrase("message.dropped", { detail: reason }));
    await scope.events.insertMissing([
      messageEvent(
        { _id, accountId, traceId },
        { kind: "cancelled", name: "dropped", attempt: 0, at, expireAt, reply },
      ),
    ]);
    await scope.quarantine.drop(entry, at, expireAt, context.audit);
    return { message: toQuarantined(entry) };
  };
}

/**
 * Finds a quarantined message. A message of another account is unknown, as if it did not exist.
 * @throws Fault message.unknown
 */
async function findQuarantined(
  { quarantine }: Pick<OperatorScope, "quarantine">,
  id: string,
): Promise<QuarantineDocument> {
  const entry = await quarantine.find(id);
  if (entry) return entry;
  throw fault("message.unknown", { public: say("no_message_quarantine", { id }) });
}
