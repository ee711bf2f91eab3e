import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListSandboxMessagesRequest,
  ListSandboxMessagesResponseSchema,
} from "../../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { pageSizeOf } from "../page-size.ts";
import { toSandboxMessage } from "../to-proto.ts";

export function createListSandboxMessages({ store }: { readonly store: Pick<Store, "sandbox"> }) {
  return async ({
    pageSize,
    pageToken,
  }: ListSandboxMessagesRequest): Promise<MessageInitShape<typeof ListSandboxMessagesResponseSchema>> => {
    const limit = pageSizeOf(pageSize);
    const found = await store.sandbox.list(limit + 1, pageToken || undefined);
    const messages = found.slice(0, limit);
    const last = messages.at(-1);
    return {
      messages: messages.map(toSandboxMessage),
      nextPageToken: found.length > limit && last ? last._id : "",
    };
  };
}
