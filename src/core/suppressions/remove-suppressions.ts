import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  RemoveSuppressionRequest,
  RemoveSuppressionResponseSchema,
  RemoveSuppressionsRequest,
  RemoveSuppressionsResponseSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { domainOf } from "../../message/address/addresses.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { nameOfId, shownId } from "../../shared/suppression-id.ts";
import type { SuppressionDocument } from "../../store/documents.ts";
import type { OfAccount } from "../../store/owner.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type { SuppressionName } from "../../store/suppression-store.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toSuppression } from "../to-proto.ts";
import { checkCount, forAddresses } from "./address-results.ts";
import { readAddressField } from "./read-suppression.ts";

interface RemoveNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/** Maximum number of remaining entries in the answer. */
const MAX_REMAINING = 100;

/** @throws Fault account.unknown, suppression.unknown, request.validation_failed */
export function createRemoveSuppression({ store, clock }: RemoveNeeds) {
  return async (
    request: RemoveSuppressionRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof RemoveSuppressionResponseSchema>> => {
    const account = await resolveAccount(store, request, { actor });
    const name = readName(request);
    const now = clock.now();
    const removed = await account.suppressions.remove(name, now, audit);
    if (!removed) throw unknownFault(request, name);
    const remaining = await remainingOf(removed, { account, now });
    const notice = noticeOf(removed, remaining);
    return { suppression: toSuppression(removed), remaining: remaining.map(toSuppression), notice };
  };
}

/** Entries that still suppress mail to the address. */
async function remainingOf(
  { addressKey }: SuppressionDocument,
  { account: { suppressions }, now }: { readonly account: AccountStore; readonly now: Date },
): Promise<SuppressionDocument[]> {
  const own = await suppressions.list({ addressKey, now, limit: MAX_REMAINING - 1 });
  const domain = `@${domainOf(addressKey)}`;
  const all = domain === addressKey ? null : await suppressions.find({ addressKey: domain }, now);
  return all ? [...own, all] : own;
}

function noticeOf(
  { address, policy }: SuppressionDocument,
  remaining: readonly SuppressionDocument[],
): string {
  const mail = policy === undefined ? `Mail to ${address}` : `Mail of the policy "${policy}" to ${address}`;
  const stays = "Messages that were suppressed before are not sent.";
  const general = remaining.find((entry) => entry.policy === undefined);
  if (general) {
    return `${mail} is still not sent: ${general.address} is suppressed for all mail of the account. ${stays}`;
  }
  // Entries of other policies do not affect this one.
  const others = policy === undefined ? remaining.map((entry) => `"${entry.policy}"`) : [];
  const except = others.length === 0 ? "" : `, except mail of the policies ${others.join(", ")}`;
  return `${mail} is sent again, starting with the next attempt${except}. ${stays}`;
}

/** @throws Fault suppression.unknown, request.validation_failed */
function readName(request: RemoveSuppressionRequest): OfAccount<SuppressionName> {
  const { id, policy } = request;
  const faults = createFieldFaults();
  if (id !== "") {
    if (request.address !== "" || policy !== "") {
      faults.add("/id", "field.conflict", say("id_stands_place_address_policy"));
      throw validationFault(faults.found);
    }
    const name = nameOfId(id);
    if (name) return name;
    throw fault("suppression.unknown", { public: say("no_entry") });
  }
  const whom = readAddressField(request.address, faults);
  if (!whom) throw validationFault(faults.found);
  return { addressKey: whom.addressKey, ...(policy !== "" && { policy }) };
}

function unknownFault({ id, address }: RemoveSuppressionRequest, { policy }: OfAccount<SuppressionName>) {
  if (id !== "") {
    return fault("suppression.unknown", { public: say("no_entry") });
  }
  const scope = policy === undefined ? "all mail of the account" : `mail of the policy "${policy}"`;
  return fault("suppression.unknown", {
    public: say("address_not_suppressed", { address, scope }),
  });
}

/** @throws Fault account.unknown, request.validation_failed */
export function createRemoveSuppressions({ store, clock }: RemoveNeeds) {
  return async (
    request: RemoveSuppressionsRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof RemoveSuppressionsResponseSchema>> => {
    const account = await resolveAccount(store, request, { actor });
    const { addresses, policy } = request;
    checkCount(addresses);
    const results = await forAddresses(
      addresses,
      () => undefined,
      async (whom) => {
        const names = whom.map(({ addressKey }) => ({ addressKey, ...(policy !== "" && { policy }) }));
        const removed = await account.suppressions.removeMany(names, clock.now(), audit);
        return removed.map((entry) =>
          entry ? { outcome: "removed", suppressionId: shownId(entry) } : { outcome: "not_there" },
        );
      },
    );
    return { results };
  };
}
