import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListPoliciesRequest,
  ListPoliciesResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { pageOf, pageSizeOf, pageStartOf, placeIn, placeToken } from "../page.ts";
import { toPolicy } from "../policy/policy-to-proto.ts";

/** Policies of one account, by name. */
export function createListPolicies({ store }: { readonly store: Pick<Store, "accounts" | "policies"> }) {
  return async (
    request: ListPoliciesRequest,
  ): Promise<MessageInitShape<typeof ListPoliciesResponseSchema>> => {
    const { _id: accountId } = await store.accounts.resolve(request.accountId);
    const limit = pageSizeOf(request.pageSize);
    const after = pageStartOf(request.pageToken, placeIn(accountId));
    const found = await store.policies.list({ accountId, after, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ name }) => placeToken(accountId, name));
    return { policies: entries.map(toPolicy), nextPageToken };
  };
}
