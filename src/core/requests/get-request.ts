import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetRequestRequest,
  GetRequestResponseSchema,
} from "../../../gen/hermod/request/v1/request_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import { readPosition, toRequest } from "./positions.ts";

/** @throws Fault account.unknown, request.unknown */
export function createGetRequest({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (request: GetRequestRequest): Promise<MessageInitShape<typeof GetRequestResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const position = readPosition(request.id);
    const found = position && (await account.requests.find(position.documentId));
    const entry = found?.entries[position?.index ?? 0];
    if (!found || !entry || !position) throw fault("request.unknown");
    return { request: toRequest(account.id, position, entry) };
  };
}
