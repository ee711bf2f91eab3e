import { isIPv6 } from "node:net";
import { isPublicAddress } from "../../shared/destination-address.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import {
  type CheckResult,
  type CheckStatus,
  type Evaluation,
  type Evidence,
  expectedFields,
  fixFields,
  observedFields,
} from "../check-result.ts";
import { isOneSided, speaks } from "../mail-host-probe/families.ts";
import type { MailHostProbe } from "../mail-host-probe/mail-host-probe.ts";
import { smtpEvidence } from "../transport/smtp-evidence.ts";
import type { MailHost, MailHosts } from "./find-mail-hosts.ts";

interface Ipv6Check {
  readonly found: MailHosts;
  /** Probes by host name. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  /** Whether Hermod currently reaches any mail server over IPv6. Otherwise a silent server is inconclusive. */
  readonly reachesIpv6: boolean;
}

interface HostFinding {
  readonly status: CheckStatus;
  /** Name of the server, with the address that was tried. */
  readonly label: string;
  /** Missing: it answers. */
  readonly problem?: Phrase;
}

/** A known fault ranks before an unknown server. */
const WORST: readonly CheckStatus[] = ["warn", "error", "not_tested", "pass"];

/**
 * Judges `infra.ipv6`. A missing IPv6 address is no fault. An unresponsive one is: senders with IPv6 try it first,
 * and lose time with each message or give up.
 */
export function checkIpv6({ found, ...seen }: Ipv6Check): CheckResult[] {
  const hosts = "hosts" in found ? found.hosts : [];
  const dual = hosts.filter(({ ipv6 }) => ipv6.length > 0);
  const probes = dual.flatMap(({ name }) => seen.probes.get(name) ?? []);
  const evidence: Evidence[] = [...found.evidence, ...probes.flatMap(smtpEvidence)];
  const expected = expectedFields(phrase("ipv6.expected"));
  return [{ id: "infra.ipv6", ...expected, evidence, ...evaluate(found, hosts, dual, seen) }];
}

function evaluate(
  found: MailHosts,
  hosts: readonly MailHost[],
  dual: readonly MailHost[],
  seen: Omit<Ipv6Check, "found">,
): Evaluation {
  if (found.kind === "failed")
    return { status: "error", ...observedFields(phrase("mx.lookup_failed", { reason: found.reason })) };
  if (hosts.length === 0) return { status: "not_tested", ...observedFields(phrase("mx.no_server")) };
  if (dual.length === 0) {
    if (hosts.some(({ failure }) => failure !== undefined))
      return { status: "error", ...observedFields(phrase("ipv6.lookups_failed")) };
    return { status: "warn", ...observedFields(phrase("ipv6.none")) };
  }
  const findings = dual.map((host) => checkHost(host, seen));
  const status = WORST.find((one) => findings.some((finding) => finding.status === one)) ?? "pass";
  const shown = findings.filter((finding) => finding.status === status);
  if (status === "pass") {
    const servers = shown.map(({ label }) => label);
    return { status, ...observedFields(phrase("ipv6.answer", { servers })) };
  }
  const texts = shown.flatMap(({ label: name, problem }) => [phrase("host.label", { name }), problem]);
  const fix = fixFields(phrase("ipv6.open"));
  return { status, ...observedFields(phrases(...texts)), ...(status === "warn" && { fix }) };
}

function checkHost({ name, ipv6 }: MailHost, { probes, reachesIpv6 }: Omit<Ipv6Check, "found">): HostFinding {
  const probe = probes.get(name);
  const tried = probe?.addresses.filter(({ address, outcome }) => isIPv6(address) && outcome !== "forbidden");
  const label = tried?.[0] ? `${name} (${tried[0].address})` : name;
  if (tried?.some(speaks)) return { status: "pass", label };
  if (!ipv6.some(isPublicAddress)) return { status: "warn", label: name, problem: phrase("ipv6.not_public") };
  if (!probe) return { status: "not_tested", label: name, problem: phrase("ipv6.not_checked") };
  const [first] = tried ?? [];
  if (!first || !("reason" in first))
    return { status: "not_tested", label: name, problem: phrase("ipv6.forbidden") };
  const { reason } = first;
  if (!isOneSided(probe)) return { status: "error", label, problem: phrase("ipv6.silent", { reason }) };
  if (!reachesIpv6) return { status: "not_tested", label, problem: phrase("ipv6.unknown") };
  return { status: "warn", label, problem: phrase("ipv6.only_ipv4", { reason }) };
}
