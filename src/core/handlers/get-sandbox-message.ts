import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetSandboxMessageRequest,
  GetSandboxMessageResponseSchema,
} from "../../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import { toSandboxMessage } from "../to-proto.ts";

export function createGetSandboxMessage({ store }: { readonly store: Pick<Store, "sandbox"> }) {
  return async ({
    id,
    accountId,
  }: GetSandboxMessageRequest): Promise<MessageInitShape<typeof GetSandboxMessageResponseSchema>> => {
    const captured = await store.sandbox.find(id);
    if (!captured || (accountId !== "" && captured.accountId !== accountId))
      throw fault("message.unknown", { public: `The sandbox has no message "${id}".` });
    return { message: toSandboxMessage(captured), source: captured.source };
  };
}
