import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ClearSandboxMessagesRequest,
  ClearSandboxMessagesResponseSchema,
} from "../../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import type { Store } from "../../store/store.ts";

export function createClearSandboxMessages({ store }: { readonly store: Pick<Store, "sandbox"> }) {
  return async ({
    accountId,
  }: ClearSandboxMessagesRequest): Promise<MessageInitShape<typeof ClearSandboxMessagesResponseSchema>> => ({
    deleted: await store.sandbox.clear(accountId),
  });
}
