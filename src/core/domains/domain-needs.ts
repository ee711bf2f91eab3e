import type { CheckDomain } from "../../domains/check-domain.ts";
import { standingOf } from "../../domains/domain-status.ts";
import type { SendingSetup } from "../../domains/wanted-records.ts";
import { parseDomain } from "../../message/address/senders.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { systemAudit } from "../../shared/audit.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { DomainKeyDocument } from "../../store/documents.ts";
import type { DomainDocument } from "../../store/domain-document.ts";
import { newDomain } from "../../store/domain-store.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toDomain } from "./domain-to-proto.ts";

export interface DomainNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: Pick<AccountSettings, "forget">;
  readonly clock: Clock;
  readonly sendingSetup: SendingSetup;
  readonly checkDomain: CheckDomain;
}

interface DomainRequest {
  readonly accountId: string;
  readonly domain: string;
}

/** Domain of a request. */
export interface FoundDomain {
  readonly account: AccountStore;
  readonly domain: DomainDocument;
  /** Keys, ordered by the start of signing, latest first. */
  readonly keys: readonly DomainKeyDocument[];
}

/** @throws Fault request.validation_failed */
export function readDomainName(text: string): string {
  const result = parseDomain(text);
  if (result.ok) return result.domain;
  throw validationFault([{ pointer: "/domain", code: result.code, message: result.message }]);
}

/**
 * Name of an existing domain: an invalid name is reported as unknown.
 * @throws Fault domain.unknown
 */
export function readKnownName(text: string): string {
  const result = parseDomain(text);
  if (result.ok) return result.domain;
  throw unknownDomain(text);
}

/** @throws Fault account.unknown, domain.unknown */
export async function findDomain(
  { store, clock }: Pick<DomainNeeds, "store" | "clock">,
  request: DomainRequest,
  context: Pick<HandlerContext, "actor">,
): Promise<FoundDomain> {
  const name = readKnownName(request.domain);
  const account = await resolveAccount(store, request, context);
  const [known, keys] = await Promise.all([account.domains.find(name), account.domainKeys.list(name)]);
  if (known) return { account, domain: known, keys };
  if (keys.length === 0) throw unknownDomain(name);
  // An early release stored only keys, and the migration has not processed them yet.
  const now = clock.now();
  const domain = await account.domains.add(newDomain(name, now), systemAudit("domain.add", "", now));
  return { account, domain, keys };
}

export function unknownDomain(name: string) {
  return fault("domain.unknown", { public: say("account_no_domain", { name }) });
}

/** A domain with all its data, as in answers. */
export async function describeDomain(
  { clock, sendingSetup }: Pick<DomainNeeds, "clock" | "sendingSetup">,
  { account, domain, keys }: FoundDomain,
) {
  const isVouchedFor = await account.senders.hasAny([domain.name]);
  return { domain: toDomain({ domain, keys, isVouchedFor, now: clock.now() }, sendingSetup) };
}

/** Whether the DNS proof of a domain permits mail as its addresses. */
export async function permitsMail(
  { domains, domainKeys }: Pick<AccountStore, "domains" | "domainKeys">,
  name: string,
  now: Date,
): Promise<boolean> {
  const domain = await domains.find(name);
  return domain !== null && standingOf(domain, await domainKeys.list(name), now).maySend;
}
