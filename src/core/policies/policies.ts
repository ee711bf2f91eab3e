import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type GetPolicyRequest,
  type GetPolicyResponseSchema,
  type ListPoliciesRequest,
  type ListPoliciesResponseSchema,
  PolicyService,
  type PutPolicyRequest,
  type PutPolicyResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS } from "../../rpc/audits.ts";
import { type HandlerContext, OPERATOR_ONLY } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import type { Dependencies, PolicyBounds } from "../dependencies.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { keepPasswords } from "./kept-passwords.ts";
import { toPolicy } from "./policy-to-proto.ts";
import { readPolicy } from "./read-policy.ts";

/** Routing policies of accounts. */
export const policies = defineArea({
  service: PolicyService,
  callers: { putPolicy: OPERATOR_ONLY, getPolicy: OPERATOR_ONLY, listPolicies: OPERATOR_ONLY },
  audits: {
    putPolicy: changes("policy.put"),
    getPolicy: LOOKS,
    listPolicies: LOOKS,
  },
  handlers: ({
    store,
    settings,
    clock,
    policyBounds,
  }: Pick<Dependencies, "store" | "settings" | "clock" | "policyBounds">) => ({
    putPolicy: createPutPolicy({ store, settings, clock, bounds: policyBounds }),
    getPolicy: createGetPolicy({ store }),
    listPolicies: createListPolicies({ store }),
  }),
});

export interface PutPolicyOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
  readonly bounds: PolicyBounds;
}

/** Stores a policy whole, with the passwords that it keeps, or nothing of it; where it may lead depends on who stores it. */
export function createPutPolicy({ store, settings, clock, bounds }: PutPolicyOptions) {
  return async (
    request: PutPolicyRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof PutPolicyResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const now = clock.now();
    const make = (former: () => PolicyDocument | undefined) => {
      const given = request.policy && keepPasswords(request.policy, former);
      return { ...readPolicy(given, bounds, actor), updatedAt: now };
    };
    const document = await account.policies.replace(request.policy?.name ?? "", make, audit);
    settings.forget();
    return { policy: toPolicy(document), updatedAt: timestampFromDate(now) };
  };
}

/** A policy by its name, without passwords. */
function createGetPolicy({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (request: GetPolicyRequest): Promise<MessageInitShape<typeof GetPolicyResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const policy = await account.policies.find(request.name);
    if (!policy) throw fault("policy.unknown", { public: `There is no routing policy "${request.name}".` });
    return { policy: toPolicy(policy), updatedAt: timestampFromDate(policy.updatedAt) };
  };
}

/** Policies of one account, by name. */
export function createListPolicies({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (
    request: ListPoliciesRequest,
  ): Promise<MessageInitShape<typeof ListPoliciesResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: ({ policies }, page) => policies.list(page),
      placeOf: ({ name }) => name,
    });
    return { policies: entries.map(toPolicy), nextPageToken };
  };
}
