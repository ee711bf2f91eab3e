import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ClearSandboxMessagesRequest,
  type ClearSandboxMessagesResponseSchema,
  type GetSandboxMessageRequest,
  type GetSandboxMessageResponseSchema,
  type ListSandboxMessagesRequest,
  type ListSandboxMessagesResponseSchema,
  SandboxService,
} from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { defineArea } from "../rpc/area.ts";
import { OPERATOR_ONLY } from "../rpc/callers.ts";
import { fault } from "../shared/fault.ts";
import type { Store } from "../store/store.ts";
import type { Dependencies } from "./dependencies.ts";
import { messageIdIn, pageOf, pageSizeOf, pageStartOf } from "./page.ts";
import { toSandboxMessage } from "./to-proto.ts";

/** Messages that the sandbox has captured. */
export const sandbox = defineArea({
  service: SandboxService,
  callers: {
    listSandboxMessages: OPERATOR_ONLY,
    getSandboxMessage: OPERATOR_ONLY,
    clearSandboxMessages: OPERATOR_ONLY,
  },
  handlers: ({ store }: Pick<Dependencies, "store">) => ({
    listSandboxMessages: createListSandboxMessages({ store }),
    getSandboxMessage: createGetSandboxMessage({ store }),
    clearSandboxMessages: createClearSandboxMessages({ store }),
  }),
});

export function createListSandboxMessages({ store }: { readonly store: Pick<Store, "sandbox"> }) {
  return async ({
    pageSize,
    pageToken,
    accountId,
  }: ListSandboxMessagesRequest): Promise<MessageInitShape<typeof ListSandboxMessagesResponseSchema>> => {
    const limit = pageSizeOf(pageSize);
    const beforeId = pageStartOf(pageToken, messageIdIn);
    const found = await store.sandbox.list({ accountId, beforeId, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
    return { messages: entries.map(toSandboxMessage), nextPageToken };
  };
}

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

export function createClearSandboxMessages({ store }: { readonly store: Pick<Store, "sandbox"> }) {
  return async ({
    accountId,
  }: ClearSandboxMessagesRequest): Promise<MessageInitShape<typeof ClearSandboxMessagesResponseSchema>> => ({
    deleted: await store.sandbox.clear(accountId),
  });
}
