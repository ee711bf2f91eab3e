import type { MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import {
  PolicySchema,
  type RestorePolicyRequest,
  type RestorePolicyResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { newId } from "../../shared/ids.ts";
import { authorOf } from "../../store/policy-document.ts";
import { resolveAccount } from "../resolve-account.ts";
import { checkOwner, checkRevision, type DeletePolicyOptions, noSuchPolicy } from "./delete-policy.ts";
import { keepPasswords } from "./kept-passwords.ts";
import { toPolicy } from "./policy-to-proto.ts";
import { findPolicyVersion } from "./policy-versions.ts";
import { readPolicy } from "./read-policy.ts";

/**
 * Stores the content of an earlier version as a new revision. The rules of today apply. A transport gets the present
 * password of its servers and user name, or else the one of the version.
 * @throws Fault account.unknown, policy.not_found, policy.version_not_found, policy.stale, policy.operator_owned,
 *   request.validation_failed
 */
export function createRestorePolicy({ store, settings, clock, bounds }: DeletePolicyOptions) {
  return async (
    request: RestorePolicyRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof RestorePolicyResponseSchema>> => {
    const { name } = request;
    const account = await resolveAccount(store, request, { actor });
    const policy = await account.policies.find(name);
    if (!policy) throw noSuchPolicy(name);
    const version = await findPolicyVersion(account, policy, String(request.version));
    // Its servers and its passwords are those of the operator, even if a member has stored the policy since.
    checkOwner({ storedBy: authorOf(version.shown) }, actor);
    const now = clock.now();
    const restored = await account.policies.replace(
      name,
      (former) => {
        if (!former) throw noSuchPolicy(name);
        checkOwner(former, actor);
        if (request.revision !== "") checkRevision(request.revision, former);
        const shown = create(PolicySchema, toPolicy(version.shown));
        const withPresent = keepPasswords(shown, () => former.open());
        const given = keepPasswords(withPresent, () => version.open());
        const content = readPolicy(given, bounds, actor);
        return { ...content, default: former.default, updatedAt: now, revision: newId("rev", now) };
      },
      audit,
      version.number,
    );
    settings.forget();
    return { policy: toPolicy(restored) };
  };
}
