import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetRequestRequest,
  GetRequestResponseSchema,
} from "../../../gen/hermod/request/v1/request_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import { readPlace, toRequest } from "./places.ts";

/** @throws Fault account.unknown, request.unknown */
export function createGetRequest({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (request: GetRequestRequest): Promise<MessageInitShape<typeof GetRequestResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const place = readPlace(request.id);
    const found = place && (await account.requests.find(place.documentId));
    const entry = found?.entries[place?.index ?? 0];
    if (!found || !entry || !place) throw fault("request.unknown");
    return { request: toRequest(account.id, place, entry) };
  };
}
