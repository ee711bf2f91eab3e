import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  GetPolicyRequest,
  GetPolicyResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import { toPolicy } from "../policy/policy-to-proto.ts";

/** A policy by its name, without passwords. */
export function createGetPolicy({ store }: { readonly store: Pick<Store, "accounts" | "policies"> }) {
  return async (request: GetPolicyRequest): Promise<MessageInitShape<typeof GetPolicyResponseSchema>> => {
    const account = await store.accounts.resolve(request.accountId);
    const policy = await store.policies.find(account._id, request.name);
    if (!policy) throw fault("policy.unknown", { public: `There is no routing policy "${request.name}".` });
    return { policy: toPolicy(policy), updatedAt: timestampFromDate(policy.updatedAt) };
  };
}
