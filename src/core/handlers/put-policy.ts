import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  PutPolicyRequest,
  PutPolicyResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../account-settings.ts";
import type { HandlerContext } from "../handler-context.ts";
import { keepPasswords } from "../policy/kept-passwords.ts";
import { toPolicy } from "../policy/policy-to-proto.ts";
import { type PolicySurroundings, readPolicy } from "../policy/read-policy.ts";

export interface PutPolicyOptions {
  readonly store: Pick<Store, "accounts" | "policies">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
  readonly surroundings: PolicySurroundings;
}

/** Stores a policy whole, with the passwords that it keeps, or nothing of it; where it may lead depends on who stores it. */
export function createPutPolicy({ store, settings, clock, surroundings }: PutPolicyOptions) {
  return async (
    request: PutPolicyRequest,
    { actor }: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof PutPolicyResponseSchema>> => {
    const { _id: accountId } = await store.accounts.resolve(request.accountId);
    const now = clock.now();
    const document = await store.policies.replace(accountId, request.policy?.name ?? "", (former) => {
      const given = request.policy && keepPasswords(request.policy, former);
      const policy = readPolicy(given, surroundings, actor);
      return { _id: `${accountId}.${policy.name}`, accountId, ...policy, updatedAt: now };
    });
    settings.forget();
    return { policy: toPolicy(document), updatedAt: timestampFromDate(now) };
  };
}
