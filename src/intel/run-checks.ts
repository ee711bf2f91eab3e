import type { Resolver } from "../dns/resolver.ts";
import type { Validator } from "../dns/validator.ts";
import type { BeginZoneResolver } from "../dns/zone-resolver.ts";
import type { Clock } from "../shared/clock.ts";
import type { FetchPolicy } from "../transport-security/mta-sts/fetch-policy.ts";
import { checkBimi } from "./bimi/check-bimi.ts";
import type { FetchMark } from "./bimi/fetch-mark.ts";
import { checkCaa } from "./caa/check-caa.ts";
import type { DomainRole } from "./catalogue.ts";
import type { CheckResult } from "./check-result.ts";
import { checkDkim } from "./dkim/check-dkim.ts";
import { checkDmarcWithOffer } from "./dmarc/offer-reports.ts";
import { checkDnssec } from "./dnssec/check-dnssec.ts";
import { evaluateExpiry } from "./expiry/evaluate-expiry.ts";
import type { LookUpRdap } from "./expiry/look-up-rdap.ts";
import type { FindProbes } from "./mail-host-probe/found-probes.ts";
import { checkIpv6 } from "./mx/check-ipv6.ts";
import { checkMx } from "./mx/check-mx.ts";
import { findMailHosts } from "./mx/find-mail-hosts.ts";
import { createProbeDns, lookupBudgets } from "./probe-dns.ts";
import { checkEhlo } from "./reverse/check-ehlo.ts";
import { checkReverse } from "./reverse/check-reverse.ts";
import { checkSpf } from "./spf/check-spf.ts";
import { checkTransport } from "./transport/check-transport.ts";
import type { IsBogusAt } from "./transport/find-dane.ts";

/** Domain to check. */
export interface CheckedDomain {
  /** In A-labels. */
  readonly name: string;
  readonly role: DomainRole;
  readonly dkimSelectors: readonly string[];
  readonly sendingIps: readonly string[];
  /** Addresses for reports about the domain. */
  readonly reportAddresses?: { readonly dmarc: string; readonly tls: string } | undefined;
}

/**
 * Reason for a check of a domain:
 *
 * - `due`: scheduled; cached answers count within their TTL
 * - `asked`: a user has requested it, for example after a repair
 * - `second`: confirmation of a change
 *
 * The latter two bypass all caches if the name servers of the zones can be queried.
 */
export type CheckReason = "due" | "asked" | "second";

/** Groups of checks, which run at the same time. */
export const checkParts = [
  "spf",
  "dkim",
  "dmarc",
  "mx",
  "ipv6",
  "reverse",
  "ehlo",
  "bimi",
  "caa",
  "expiry",
  "dnssec",
  "transport",
] as const;
export type CheckPart = (typeof checkParts)[number];

/**
 * Runs every check of a domain once, except those of blacklists. Never rejects because of remote servers.
 * @param onPart called when a group of checks is done
 */
export type RunChecks = (
  domain: CheckedDomain,
  reason: CheckReason,
  onPart?: (part: CheckPart) => void,
) => Promise<readonly CheckResult[]>;

type CheckResults = readonly CheckResult[] | CheckResult;

export interface RunChecksOptions {
  /** Caches answers within their TTL. */
  readonly resolver: Pick<Resolver, "resolve">;
  /** Queries the name servers of the zones directly, for one check run. */
  readonly zoneResolver: BeginZoneResolver;
  readonly validator: Validator;
  readonly findProbes: FindProbes;
  readonly fetchPolicy: FetchPolicy;
  readonly fetchMark: FetchMark;
  /** undefined: registries are not queried. */
  readonly lookUpRdap: LookUpRdap | undefined;
  /** Name that Hermod uses in EHLO from an address; undefined: Hermod sends nothing from there. */
  readonly ehloNameOf: (address: string) => string | undefined;
  readonly clock: Pick<Clock, "now" | "monotonicMs">;
}

export function createRunChecks(options: RunChecksOptions): RunChecks {
  const { validator, findProbes, fetchPolicy, fetchMark, lookUpRdap, ehloNameOf, clock } = options;
  const isBogusAt: IsBogusAt = async (name, type) => (await validator.validate(name, type)).kind === "bogus";

  return async (checked, reason, onPart = () => undefined) => {
    const isFresh = reason !== "due";
    const { name: domain, role, dkimSelectors: selectors, sendingIps: addresses } = checked;
    const { dmarc: reportAddress, tls: tlsReportAddress } = checked.reportAddresses ?? {};
    const dns = createProbeDns({ resolver: isFresh ? options.zoneResolver() : options.resolver, clock });
    const group = (name: keyof typeof lookupBudgets) => dns.group(lookupBudgets[name]);
    const mail = findMailHosts(domain, group("mail"));
    const seen = mail.then((found) => findProbes(found, isFresh));
    const part = async (name: CheckPart, work: CheckResults | Promise<CheckResults>) => {
      const done = await work;
      onPart(name);
      return done;
    };
    const results = await Promise.all([
      part(
        "spf",
        checkSpf({ domain, role, dns: group("spf"), sendersDns: group("senders"), sendingIps: addresses }),
      ),
      part("dkim", checkDkim({ domain, role, selectors, dns: group("dkim") })),
      part("dmarc", checkDmarcWithOffer({ domain, role, dns: group("dmarc"), reportAddress })),
      part(
        "mx",
        Promise.all([mail, seen]).then(([found, { probes, vantage }]) =>
          checkMx({ domain, role, found, probes, vantage }),
        ),
      ),
      part(
        "ipv6",
        Promise.all([mail, seen]).then(([found, { probes, reachesIpv6 }]) =>
          checkIpv6({ found, probes, reachesIpv6 }),
        ),
      ),
      part("reverse", checkReverse({ addresses, dns: group("reverse") })),
      part("ehlo", checkEhlo({ addresses, ehloNameOf, dns: group("ehlo") })),
      part("bimi", checkBimi({ domain, role, dns: group("bimi"), fetchMark, clock })),
      part(
        "caa",
        mail.then((found) => {
          const hosts = found.kind === "hosts" ? found.hosts.map(({ name }) => name) : [];
          return checkCaa({ domain, hosts, dns: group("caa") });
        }),
      ),
      part("expiry", lookUpRdap?.(domain).then((rdap) => evaluateExpiry(domain, rdap, clock.now())) ?? []),
      part("dnssec", checkDnssec({ domain, dns: group("dnssec"), validator, clock })),
      part(
        "transport",
        mail.then(async (found) => {
          const [{ probes, vantage }, validation] = await Promise.all([
            seen,
            validator.validate(domain, "SOA"),
          ]);
          const isValidating = validation.kind !== "no_validator";
          const facts = {
            domain,
            role,
            mail: found,
            dns: group("transport"),
            isValidating,
            isBogusAt,
            fetchPolicy,
            clock,
          };
          return checkTransport({ ...facts, probes, vantage, reportAddress: tlsReportAddress });
        }),
      ),
    ]);
    return results.flat();
  };
}
