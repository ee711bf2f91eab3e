import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  HoldPolicyQueueRequest,
  HoldPolicyQueueResponseSchema,
  PolicyHoldSchema,
  ReleasePolicyQueueRequest,
  ReleasePolicyQueueResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { parseDomain } from "../../message/address/senders.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { HoldDocument } from "../../store/hold-document.ts";
import {
  MAX_HOLDS_OF_ACCOUNT,
  MAX_POLICY_HOLDS,
  type PolicyHoldDocument,
} from "../../store/policy-hold-document.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { noSuchPolicy } from "./delete-policy.ts";

interface Needs {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}
type Context = Pick<HandlerContext, "actor" | "audit">;

const MAX_REASON_LENGTH = 200;

/**
 * Holds the messages of a policy, also of a deleted one that messages still use.
 * @throws Fault account.unknown, policy.not_found, request.validation_failed, queue.too_many_holds
 */
export function createHoldPolicyQueue({
  store,
}: {
  readonly store: Needs["store"] & Pick<Store, "acrossAccounts">;
}) {
  return async (
    request: HoldPolicyQueueRequest,
    { actor, audit }: Context,
  ): Promise<MessageInitShape<typeof HoldPolicyQueueResponseSchema>> => {
    const { name } = request;
    const account = await resolveAccount(store, request, { actor });
    const { reason } = request;
    const faults = createFieldFaults();
    const destination = readDestination(request.destination, faults);
    checkReason(reason, faults);
    if (faults.found.length > 0) throw validationFault(faults.found);
    if (!(await account.policies.findOfMessage(name))) throw noSuchPolicy(name);
    if (await store.acrossAccounts.policyHolds.isFull()) throw tooMany(MAX_POLICY_HOLDS);
    const selection = { policy: name, reason, ...withoutUndefined({ destination }) };
    const hold = await account.policyHolds.add(selection, audit);
    if (!hold) throw tooMany(MAX_HOLDS_OF_ACCOUNT);
    return { hold: toPolicyHold(hold) };
  };
}

/** @throws Fault account.unknown, request.validation_failed, queue.hold_unknown */
export function createReleasePolicyQueue({ store }: Needs) {
  return async (
    request: ReleasePolicyQueueRequest,
    { actor, audit }: Context,
  ): Promise<MessageInitShape<typeof ReleasePolicyQueueResponseSchema>> => {
    const account = await resolveAccount(store, request, { actor });
    const faults = createFieldFaults();
    const destination = readDestination(request.destination, faults);
    if (faults.found.length > 0) throw validationFault(faults.found);
    // The policy may have been removed since.
    const selection = { policy: request.name, ...withoutUndefined({ destination }) };
    const hold = await account.policyHolds.remove(selection, audit);
    if (!hold) throw fault("queue.hold_unknown");
    return { hold: toPolicyHold(hold) };
  };
}

const tooMany = (max: number) => fault("queue.too_many_holds", { public: say("holds_already", { max }) });

/** @returns the domain in A-labels; undefined: all destinations */
function readDestination(destination: string, faults: FieldFaults): string | undefined {
  if (destination === "") return undefined;
  const domain = parseDomain(destination);
  if (domain.ok) return domain.domain;
  faults.add("/destination", "field.invalid", say("destination_domain", { detail: domain.message.text }));
  return undefined;
}

function checkReason(reason: string, faults: FieldFaults): void {
  if (reason.trim() === "") faults.add("/reason", "field.required", say("needed"));
  if (reason.length <= MAX_REASON_LENGTH) return;
  const message = say("field_at_most_characters", { field: "reason", max: MAX_REASON_LENGTH });
  faults.add("/reason", "field.too_long", message);
}

export function toPolicyHold(hold: PolicyHoldDocument): MessageInitShape<typeof PolicyHoldSchema> {
  const { policy, destination = "", reason, heldAt, heldBy } = hold;
  return {
    policy,
    destination,
    reason,
    heldAt: timestampFromDate(heldAt),
    heldBy: { ...heldBy },
    owner: "account",
  };
}

/** A hold of the operator. Its reason is shown only to the account that it names. */
export function toOperatorHold({
  accountId,
  destination = "",
  policy = "",
  reason,
  heldAt,
}: HoldDocument): MessageInitShape<typeof PolicyHoldSchema> {
  return {
    policy,
    destination,
    reason: accountId === undefined ? "" : reason,
    heldAt: timestampFromDate(heldAt),
    heldBy: { kind: "operator", id: "operator", name: "operator" },
    owner: "operator",
  };
}

/** Holds of the operator that cover messages of this account and policy, and of this domain if there is one. */
export function operatorHoldsOf(
  holds: readonly HoldDocument[],
  accountId: string,
  { policy, destination }: { readonly policy: string; readonly destination?: string },
): HoldDocument[] {
  return holds.filter(
    (hold) =>
      (hold.accountId ?? accountId) === accountId &&
      (hold.policy ?? policy) === policy &&
      (destination === undefined || (hold.destination ?? destination) === destination),
  );
}
