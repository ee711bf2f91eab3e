import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListPoliciesRequest,
  ListPoliciesResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { toPolicy } from "../policy/policy-to-proto.ts";

export function createListPolicies({ store }: { readonly store: Pick<Store, "accounts" | "policies"> }) {
  return async ({
    accountId,
  }: ListPoliciesRequest): Promise<MessageInitShape<typeof ListPoliciesResponseSchema>> => {
    const account = await store.accounts.resolve(accountId);
    return { policies: (await store.policies.list(account._id)).map(toPolicy) };
  };
}
