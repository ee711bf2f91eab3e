import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  DeletePolicyRequest,
  DeletePolicyResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { type Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { FormerPolicy } from "../../store/policy-store.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import type { PolicyBounds } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { MAX_AGE_SECONDS } from "./read-policy.ts";

export interface DeletePolicyOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: Pick<AccountSettings, "forget">;
  readonly clock: Clock;
  readonly bounds: PolicyBounds;
}

/** Other processes can accept messages for it during this time, because they cache policies for seconds. */
const REMEMBERED_MS = 3_600_000;

/**
 * Deletes a policy, except for waiting messages: they were accepted with it, and a count of them would be outdated
 * before the answer.
 */
export function createDeletePolicy({ store, settings, clock, bounds }: DeletePolicyOptions) {
  return async (
    request: DeletePolicyRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof DeletePolicyResponseSchema>> => {
    const account = await resolveAccount(store, request, { actor });
    const at = clock.now();
    const expireAt = new Date(at.getTime() + longestWaitMs(bounds) + REMEMBERED_MS);
    const check = (former: FormerPolicy) => {
      checkOwner(former, actor);
      if (request.revision !== "") checkRevision(request.revision, former);
      if (former.default) throw fault("policy.is_default");
    };
    const removal = createRemoval({ kind: "policy", name: request.name }, request);
    const retirement = { at, expireAt, check, checkUse: removal.check };
    const isDeleted = await account.policies.retire(request.name, retirement, audit);
    if (!isDeleted) throw noSuchPolicy(request.name);
    settings.forget();
    return { waitingUntil: timestampFromDate(expireAt), ...removal.answer() };
  };
}

/** Longest time that a message can wait: until it is due, and then the longest delivery time of any policy. */
function longestWaitMs({ longestScheduleMs = 0, maxAgeMs }: PolicyBounds): number {
  return longestScheduleMs + Math.max(maxAgeMs, MAX_AGE_SECONDS * 1000);
}

/**
 * A member can change the policies of the account, except those that the operator stored.
 * @throws Fault policy.operator_owned
 */
export function checkOwner(
  { storedBy }: Pick<FormerPolicy, "storedBy">,
  actor: HandlerContext["actor"],
): void {
  if (storedBy === "operator" && actor !== "operator") throw fault("policy.operator_owned");
}

/** @throws Fault policy.stale */
export function checkRevision(seen: string, { revision }: FormerPolicy): void {
  if (seen !== revision) throw fault("policy.stale", { revision });
}

export function noSuchPolicy(name: string): Fault {
  return fault("policy.not_found", { public: say("no_policy", { name }) });
}
