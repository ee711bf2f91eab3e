import type { MessageInitShape } from "@bufbuild/protobuf";
import { getPublicSuffix } from "tldts";
import type {
  AddDomainRequest,
  AddDomainResponseSchema,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newDomain } from "../../store/domain-store.ts";
import { resolveAccount } from "../resolve-account.ts";
import { type DomainNeeds, describeDomain, readDomainName } from "./domain-needs.ts";
import { makeDomainKeys } from "./make-domain-keys.ts";

/** Enough for the clients of an agency. Each domain costs two keys, and a check per day. */
export const DOMAINS_MAX = 1_000;

/**
 * Adds a domain without a proof of ownership, with its first keys, which sign immediately. Parallel calls all get the
 * keys of one of them.
 * @throws Fault account.unknown, domain.too_many, request.validation_failed
 */
export function createAddDomain(needs: Omit<DomainNeeds, "checkDomain">) {
  const { store, settings, clock } = needs;
  return async (
    request: AddDomainRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof AddDomainResponseSchema>> => {
    const name = readDomainName(request.domain);
    if (getPublicSuffix(name, { allowPrivateDomains: false }) === name) throw publicSuffix(name);
    const account = await resolveAccount(store, request, { actor });
    const [known, knownKeys] = await Promise.all([account.domains.find(name), account.domainKeys.list(name)]);
    if (known && knownKeys.length > 0)
      return describeDomain(needs, { account, domain: known, keys: knownKeys });
    if (!known && (await account.domains.count(DOMAINS_MAX)) >= DOMAINS_MAX) throw fault("domain.too_many");
    const now = clock.now();
    // The keys are stored first, so that every stored domain has keys that sign.
    const keys = await account.domainKeys.insertFirst(name, await makeDomainKeys(name, now, now), audit);
    const domain = known ?? (await account.domains.add(newDomain(name, now), audit));
    settings.forget();
    return describeDomain(needs, { account, domain, keys });
  };
}

function publicSuffix(name: string) {
  const message = say("anybody_register_names_below_give_own", { given: name });
  return validationFault([{ pointer: "/domain", code: "field.invalid", message }]);
}
