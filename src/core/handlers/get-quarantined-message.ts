import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetQuarantinedMessageRequest,
  GetQuarantinedMessageResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { findQuarantined } from "../find-quarantined.ts";
import { toMessageEvent, toQuarantined } from "../to-proto.ts";

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
