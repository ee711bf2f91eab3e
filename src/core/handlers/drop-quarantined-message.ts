import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  DropQuarantinedMessageRequest,
  DropQuarantinedMessageResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { eventId } from "../../store/event-store.ts";
import type { Store } from "../../store/store.ts";
import { findQuarantined } from "../find-quarantined.ts";
import { toQuarantined } from "../to-proto.ts";

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
    const { _id: messageId, accountId = "", traceId = "", reason } = entry;
    const at = clock.now();
    const expireAt = new Date(at.getTime() + retentionMs);
    const _id = eventId(messageId, 0, "dropped");
    const detail = `dropped from quarantine: ${reason}`;
    await store.events.insertMissing([
      { _id, messageId, accountId, traceId, kind: "cancelled", attempt: 0, at, expireAt, detail },
    ]);
    await store.quarantine.drop(entry, at, expireAt);
    return { message: toQuarantined(entry) };
  };
}
