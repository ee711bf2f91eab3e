import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AddSuppressionRequest,
  AddSuppressionResponseSchema,
  AddSuppressionsRequest,
  AddSuppressionsResponseSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { shownId } from "../../shared/suppression-id.ts";
import type { Addition } from "../../store/plan-additions.ts";
import type { Store } from "../../store/store.ts";
import { concernedRules } from "../alerts/suppressed-recipients.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toSuppression } from "../to-proto.ts";
import { checkCount, forAddresses } from "./address-results.ts";
import { checkDomainTerms, readAddressField, readSuppressed, readTerms } from "./read-suppression.ts";

interface AddNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/** @throws Fault account.unknown, policy.unknown, request.validation_failed with all errors */
export function createAddSuppression({ store, clock }: AddNeeds) {
  return async (
    request: AddSuppressionRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof AddSuppressionResponseSchema>> => {
    const account = await resolveAccount(store, request, { actor });
    const faults = createFieldFaults();
    const now = clock.now();
    const whom = readAddressField(request.address, faults);
    const terms = await readTerms(request, { account, now, faults });
    if (whom && terms) checkDomainTerms(whom, terms, faults);
    if (!whom || !terms || faults.found.length > 0) throw validationFault(faults.found);
    const { address, addressKey } = whom;
    const entry = { address, addressKey, ...terms };
    const [addition] = await account.suppressions.addMany([entry], now, audit);
    const { after, outcome } = addition as Addition;
    const concerned = await concernedRules(account, [{ keys: [addressKey], policy: terms.policy }]);
    return { suppression: toSuppression(after), outcome, ...concerned };
  };
}

/** @throws Fault account.unknown, policy.unknown, request.validation_failed for errors that affect all addresses */
export function createAddSuppressions({ store, clock }: AddNeeds) {
  return async (
    request: AddSuppressionsRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof AddSuppressionsResponseSchema>> => {
    const account = await resolveAccount(store, request, { actor });
    const { addresses } = request;
    checkCount(addresses);
    const faults = createFieldFaults();
    const now = clock.now();
    const terms = await readTerms(request, { account, now, faults });
    if (!terms) throw validationFault(faults.found);
    const results = await forAddresses(
      addresses,
      (whom) => {
        const own = createFieldFaults();
        checkDomainTerms(whom, terms, own);
        return own.found[0];
      },
      async (whom) => {
        const entries = whom.map(({ address, addressKey }) => ({ address, addressKey, ...terms }));
        const additions = await account.suppressions.addMany(entries, now, audit);
        return additions.map(({ after, outcome }) => ({ outcome, suppressionId: shownId(after) }));
      },
    );
    const keys = addresses.flatMap((address) => {
      const read = readSuppressed(address);
      return read.ok ? [read.addressKey] : [];
    });
    return { results, ...(await concernedRules(account, [{ keys, policy: terms.policy }])) };
  };
}
