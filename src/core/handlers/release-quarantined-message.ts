import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ReleaseQuarantinedMessageRequest,
  ReleaseQuarantinedMessageResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { eventId } from "../../store/event-store.ts";
import type { Store } from "../../store/store.ts";
import { findQuarantined } from "../find-quarantined.ts";
import { toQuarantined } from "../to-proto.ts";

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
      const { _id: messageId, accountId, traceId, attempts: attempt } = message;
      // By when it was kept aside: released twice at once, it is one event.
      const _id = eventId(messageId, attempt, `released-${entry.at.getTime()}`);
      const expireAt = new Date(at.getTime() + retentionMs);
      const detail = "released from quarantine";
      await store.events.insertMissing([
        { _id, messageId, accountId, traceId, kind: "released", attempt, at, expireAt, detail },
      ]);
    }
    await store.quarantine.release(entry, at);
    return { message: toQuarantined(entry) };
  };
}
