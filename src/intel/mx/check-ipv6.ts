import { isIPv6 } from "node:net";
import { isPublicAddress } from "../../shared/destination-address.ts";
import type { CheckResult, CheckStatus, Evaluation, Evidence } from "../check-result.ts";
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
  readonly text: string;
}

/** A known fault ranks before an unknown server. */
const WORST: readonly CheckStatus[] = ["warn", "error", "not_tested", "pass"];
const EXPECTED =
  "At least one mail server has an IPv6 address, and servers with an IPv6 address answer there as over IPv4.";

/**
 * Judges `infra.ipv6`. A missing IPv6 address is no fault. An unresponsive one is: senders with IPv6 try it first,
 * and lose time with each message or give up.
 */
export function checkIpv6({ found, ...seen }: Ipv6Check): CheckResult[] {
  const hosts = "hosts" in found ? found.hosts : [];
  const dual = hosts.filter(({ ipv6 }) => ipv6.length > 0);
  const probes = dual.flatMap(({ name }) => seen.probes.get(name) ?? []);
  const evidence: Evidence[] = [...found.evidence, ...probes.flatMap(smtpEvidence)];
  return [{ id: "infra.ipv6", expected: EXPECTED, evidence, ...evaluate(found, hosts, dual, seen) }];
}

function evaluate(
  found: MailHosts,
  hosts: readonly MailHost[],
  dual: readonly MailHost[],
  seen: Omit<Ipv6Check, "found">,
): Evaluation {
  if (found.kind === "failed")
    return { status: "error", observed: `The lookup of the MX records failed: ${found.reason}.` };
  if (hosts.length === 0) return { status: "not_tested", observed: "There is no mail server." };
  if (dual.length === 0) {
    if (hosts.some(({ failure }) => failure !== undefined))
      return { status: "error", observed: "The lookup of some mail server addresses failed." };
    return { status: "warn", observed: "No mail server has an IPv6 address. IPv6 is optional." };
  }
  const findings = dual.map((host) => checkHost(host, seen));
  const status = WORST.find((one) => findings.some((finding) => finding.status === one)) ?? "pass";
  const texts = findings.filter((finding) => finding.status === status).map(({ text }) => text);
  if (status === "pass")
    return { status, observed: `These mail servers answer over IPv6: ${texts.join(", ")}.` };
  return { status, observed: texts.join(" "), ...(status === "warn" && { fix: FIX }) };
}

const FIX = {
  text: "Configure the mail server to listen on this address and open port 25 in the firewall, or remove the AAAA record.",
};

function checkHost({ name, ipv6 }: MailHost, { probes, reachesIpv6 }: Omit<Ipv6Check, "found">): HostFinding {
  const probe = probes.get(name);
  const tried = probe?.addresses.filter(({ address, outcome }) => isIPv6(address) && outcome !== "forbidden");
  const label = tried?.[0] ? `${name} (${tried[0].address})` : name;
  if (tried?.some(speaks)) return { status: "pass", text: label };
  if (!ipv6.some(isPublicAddress))
    return { status: "warn", text: `${name}: The IPv6 address is not reachable from the Internet.` };
  if (!probe) return { status: "not_tested", text: `${name}: The server has not been checked yet.` };
  const [first] = tried ?? [];
  if (!first || !("reason" in first))
    return { status: "not_tested", text: `${name}: Hermod does not connect to this IPv6 address.` };
  if (!isOneSided(probe))
    return {
      status: "error",
      text: `${label}: The server answered neither over IPv6 nor over IPv4: ${first.reason}.`,
    };
  if (!reachesIpv6) {
    const text = `${label}: It is unknown whether the server answers, because Hermod reaches no mail server over IPv6.`;
    return { status: "not_tested", text };
  }
  return { status: "warn", text: `${label}: ${first.reason}. The server answers over IPv4.` };
}
