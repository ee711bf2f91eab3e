import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListPoliciesRequest,
  ListPoliciesResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { pageOfAccount } from "../page.ts";
import { toPolicy } from "../policy/policy-to-proto.ts";

/** Policies of one account, by name. */
export function createListPolicies({ store }: { readonly store: Pick<Store, "accounts" | "policies"> }) {
  return async (
    request: ListPoliciesRequest,
  ): Promise<MessageInitShape<typeof ListPoliciesResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      accounts: store.accounts,
      list: (page) => store.policies.list(page),
      placeOf: ({ name }) => name,
    });
    return { policies: entries.map(toPolicy), nextPageToken };
  };
}
