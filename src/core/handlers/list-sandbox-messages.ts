import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListSandboxMessagesRequest,
  ListSandboxMessagesResponseSchema,
} from "../../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { messageIdIn, pageSizeOf, pageStartOf } from "../page.ts";
import { toSandboxMessage } from "../to-proto.ts";

export function createListSandboxMessages({ store }: { readonly store: Pick<Store, "sandbox"> }) {
  return async ({
    pageSize,
    pageToken,
    accountId,
  }: ListSandboxMessagesRequest): Promise<MessageInitShape<typeof ListSandboxMessagesResponseSchema>> => {
    const limit = pageSizeOf(pageSize);
    const beforeId = pageStartOf(pageToken, messageIdIn);
    const found = await store.sandbox.list({ accountId, beforeId, limit: limit + 1 });
    const messages = found.slice(0, limit);
    const last = messages.at(-1);
    return {
      messages: messages.map(toSandboxMessage),
      nextPageToken: found.length > limit && last ? last._id : "",
    };
  };
}
