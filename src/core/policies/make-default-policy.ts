import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  MakeDefaultPolicyRequest,
  MakeDefaultPolicyResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { FormerPolicy } from "../../store/policy-store.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import { resolveAccount } from "../resolve-account.ts";
import { checkOwner, noSuchPolicy } from "./delete-policy.ts";
import { toPolicy } from "./policy-to-proto.ts";

export interface MakeDefaultPolicyOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: Pick<AccountSettings, "forget">;
}

/** Changes only which policy is the default. The content of policies and their owners are unchanged. */
export function createMakeDefaultPolicy({ store, settings }: MakeDefaultPolicyOptions) {
  return async (
    request: MakeDefaultPolicyRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof MakeDefaultPolicyResponseSchema>> => {
    const account = await resolveAccount(store, request, { actor });
    const check = (former: FormerPolicy) => checkOwner(former, actor);
    const policy = await account.policies.makeDefault(request.name, check, audit);
    if (!policy) throw noSuchPolicy(request.name);
    settings.forget();
    return { policy: toPolicy(policy) };
  };
}
