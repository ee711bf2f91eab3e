import { DomainService } from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS, refusals, unaudited } from "../../rpc/audits.ts";
import { FRONT_ENDS, permitted } from "../../rpc/callers.ts";
import type { Audit } from "../../shared/audit.ts";
import { fault } from "../../shared/fault.ts";
import { signingSince } from "../access/account-settings.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { createAddDomain } from "./add-domain.ts";
import { createCheckDomain } from "./check-domain.ts";
import {
  createDomainLink,
  createFindDomainLink,
  createRemoveDomainLink,
  type DomainLinkNeeds,
} from "./domain-links.ts";
import {
  describeDomain,
  type FoundDomain,
  findDomain,
  permitsMail,
  readKnownName,
  unknownDomain,
} from "./domain-needs.ts";
import { toDomainEvent } from "./domain-to-proto.ts";
import { createListDomains } from "./list-domains.ts";
import { makeDomainKeys } from "./make-domain-keys.ts";
import { zoneFileOf } from "./zone-file-of.ts";

/** Sending domains of accounts: ownership, DNS records, and the DKIM keys that sign their mail. */
export const domains: Area<Pick<Dependencies, keyof DomainLinkNeeds>> = defineArea(DomainService, {
  addDomain: [permitted("domains.write"), changes("domain.add", "domain"), createAddDomain],
  getDomain: [
    permitted("domains.read"),
    READS,
    (needs) => async (request, context) => describeDomain(needs, await findDomain(needs, request, context)),
  ],
  listDomains: [permitted("domains.read"), READS, createListDomains],
  checkDomain: [permitted("domains.write"), refusals("domain.check", "domain"), createCheckDomain],
  /** Also for a removed domain. */
  listDomainEvents: [
    permitted("domains.read"),
    READS,
    (needs) => {
      const { store } = needs;
      return async (request, context) => {
        const name = readKnownName(request.domain);
        const account = await resolveAccount(store, request, context);
        const events = await account.domains.listEvents(name);
        if (events.length === 0) await findDomain(needs, request, context);
        return { events: events.map(toDomainEvent) };
      };
    },
  ],
  /** Records that an owner publishes, with values that take the existing records into account. */
  getZoneFile: [
    permitted("domains.read"),
    READS,
    (needs) => async (request, context) => {
      const found = await findDomain(needs, request, context);
      return { zoneFile: zoneFileOf(found, needs.sendingSetup, needs.clock.now()) };
    },
  ],
  /** Creates the next keys of a domain. The present keys sign until the new ones do. */
  rotateDomain: [
    permitted("domains.write"),
    changes("domain.rotate_keys", "domain"),
    (needs) => {
      const { settings, clock } = needs;
      return async (request, { actor, audit }) => {
        const { account, domain, keys } = await findDomain(needs, request, { actor });
        const now = clock.now();
        await removeOldKeys({ account, domain, keys }, now, audit);
        const hours = request.signAfterHours ?? DEFAULT_SIGN_AFTER_HOURS;
        const signsFrom = new Date(now.getTime() + hours * HOUR_MS);
        const next = await account.domainKeys.insertMany(
          await makeDomainKeys(domain.name, now, signsFrom),
          audit,
        );
        settings.forget();
        return describeDomain(needs, { account, domain, keys: [...next, ...keys] });
      };
    },
  ],
  /** @throws Fault account.unknown, domain.unknown, resource.in_use */
  removeDomain: [
    permitted("domains.write"),
    changes("domain.remove", "domain"),
    ({ store, settings, clock }) =>
      async (request, { actor, audit }) => {
        const name = readKnownName(request.domain);
        const account = await resolveAccount(store, request, { actor });
        const removal = createRemoval({ kind: "domain", name }, request);
        const { check } = removal;
        const isProven = await permitsMail(account, name, clock.now());
        if (!(await account.domains.remove(name, audit, { check, isProven }))) throw unknownDomain(name);
        settings.forget();
        return removal.answer();
      },
  ],
  createDomainLink: [permitted("domains.write"), changes("domain.create_link", "domain"), createDomainLink],
  removeDomainLink: [
    permitted("domains.write"),
    changes("domain.remove_link", "domain"),
    createRemoveDomainLink,
  ],
  findDomainLink: [FRONT_ENDS, unaudited("it returns only the domain of the link"), createFindDomainLink],
});

const HOUR_MS = 3_600_000;
/** Time to publish the new records, and for caches to forget their absence. */
const DEFAULT_SIGN_AFTER_HOURS = 48;

/** Maximum number of keys that still verify signatures, or that will sign. */
const KEYS_MAX = 20;
const RETIRED_MS = 7 * 24 * HOUR_MS;

/**
 * Removes unneeded keys if there are many.
 * @throws Fault domain.too_many_keys
 */
async function removeOldKeys({ account, domain, keys }: FoundDomain, now: Date, audit: Audit): Promise<void> {
  if (keys.length < KEYS_MAX) return;
  const since = signingSince(keys, now) ?? now.getTime();
  const retired =
    since < now.getTime() - RETIRED_MS ? keys.filter((key) => key.signsFrom.getTime() < since) : [];
  if (keys.length - retired.length >= KEYS_MAX) throw fault("domain.too_many_keys");
  await account.domainKeys.remove(
    domain.name,
    retired.map(({ selector }) => selector),
    audit,
  );
}
