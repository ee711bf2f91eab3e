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
import type { Clock } from "../shared/clock.ts";
import { fault } from "../shared/fault.ts";
import type { QuarantineDocument } from "../store/documents.ts";
import type { Store } from "../store/store.ts";
import type { MessageName } from "./find-message.ts";
import { pageOf, pageSizeOf, pageStartOf } from "./page.ts";
import { toMessageEvent, toQuarantined } from "./to-proto.ts";

/** Messages that are kept aside; the page token is the last id of the page before. */
export function createListQuarantined({ store }: { readonly store: Pick<Store, "quarantine"> }) {
  return async (
    request: ListQuarantinedMessagesRequest,
  ): Promise<MessageInitShape<typeof ListQuarantinedMessagesResponseSchema>> => {
    const limit = pageSizeOf(request.pageSize);
    const found = await store.quarantine.list({
      accountId: request.accountId === "" ? undefined : request.accountId,
      // Whatever a damaged message has for an id.
      afterId: pageStartOf(request.pageToken, (token) => token),
      limit: limit + 1,
    });
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
    return { messages: entries.map(toQuarantined), nextPageToken };
  };
}

/** What can be read of a message that is kept aside, and what happened to it. */
export function createGetQuarantined({ store }: { readonly store: Pick<Store, "quarantine" | "events"> }) {
  return async (
    request: GetQuarantinedMessageRequest,
  ): Promise<MessageInitShape<typeof GetQuarantinedMessageResponseSchema>> => {
    const entry = await findQuarantined(store, request);
    const events = await store.events.listOfMessage(entry._id);
    return { message: toQuarantined(entry), timeline: events.map(toMessageEvent) };
  };
}

export interface ReleaseQuarantinedOptions {
  readonly store: Pick<Store, "quarantine" | "messages" | "events">;
  readonly clock: Clock;
  /** How long the event is kept. */
  readonly retentionMs: number;
}

/** Has a message delivered that can be read again: because it was mended, or by a newer release. */
export function createReleaseQuarantined({ store, clock, retentionMs }: ReleaseQuarantinedOptions) {
  return async (
    request: ReleaseQuarantinedMessageRequest,
  ): Promise<MessageInitShape<typeof ReleaseQuarantinedMessageResponseSchema>> => {
    const entry = await findQuarantined(store, request);
    // Throws message.unreadable, with the reason, where a worker would only keep it aside again.
    const message = await store.messages.findById(entry._id);
    const at = clock.now();
    if (message) {
      // The id goes by when it was kept aside: released twice at once, it is one event.
      const name = `released-${entry.at.getTime()}`;
      const expireAt = new Date(at.getTime() + retentionMs);
      const reply = { detail: "released from quarantine" };
      await store.events.insertMissing([
        messageEvent(message, { kind: "released", name, attempt: message.attempts, at, expireAt, reply }),
      ]);
    }
    await store.quarantine.release(entry, at);
    return { message: toQuarantined(entry) };
  };
}

export interface DropQuarantinedOptions {
  readonly store: Pick<Store, "quarantine" | "events">;
  readonly clock: Clock;
  /** How long dropped messages are kept. */
  readonly retentionMs: number;
}

/** Gives a message up that cannot be read: nobody receives it, and it goes after its retention. */
export function createDropQuarantined({ store, clock, retentionMs }: DropQuarantinedOptions) {
  return async (
    request: DropQuarantinedMessageRequest,
  ): Promise<MessageInitShape<typeof DropQuarantinedMessageResponseSchema>> => {
    const entry = await findQuarantined(store, request);
    const { _id, accountId = "", traceId = "", reason } = entry;
    const at = clock.now();
    const expireAt = new Date(at.getTime() + retentionMs);
    const reply = { detail: `dropped from quarantine: ${reason}` };
    await store.events.insertMissing([
      messageEvent(
        { _id, accountId, traceId },
        { kind: "cancelled", name: "dropped", attempt: 0, at, expireAt, reply },
      ),
    ]);
    await store.quarantine.drop(entry, at, expireAt);
    return { message: toQuarantined(entry) };
  };
}

/**
 * A message that is kept aside; one of another account is as unknown as one that never was.
 * @throws Fault message.unknown
 */
async function findQuarantined(
  { quarantine }: Pick<Store, "quarantine">,
  { id, accountId }: MessageName,
): Promise<QuarantineDocument> {
  const entry = await quarantine.find(id);
  if (entry && (accountId === "" || entry.accountId === accountId)) return entry;
  throw fault("message.unknown", { public: `There is no message "${id}" in quarantine.` });
}
