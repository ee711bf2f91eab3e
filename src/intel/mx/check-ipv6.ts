import { isIPv6 } from "node:net";
import { isPublicAddress } from "../../shared/destination-address.ts";
import type { CheckResult, CheckStatus, Evidence, Judgement } from "../check-result.ts";
import { isOneSided, speaks } from "../mail-host-probe/families.ts";
import type { MailHostProbe } from "../mail-host-probe/mail-host-probe.ts";
import { smtpEvidence } from "../transport/smtp-evidence.ts";
import type { MailHost, MailHosts } from "./find-mail-hosts.ts";

interface Ipv6Check {
  readonly found: MailHosts;
  /** By the host's name. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  /** Whether Hermod reaches any mail server over IPv6 now: otherwise silence says nothing of the one that is silent. */
  readonly reachesIpv6: boolean;
}

interface HostLook {
  readonly status: CheckStatus;
  readonly text: string;
}

/** A fault that is known counts more than a server of which nothing is. */
const WORST: readonly CheckStatus[] = ["warn", "error", "not_tested", "pass"];
const EXPECTED =
  "At least one mail server has an IPv6 address, and those that have one answer there as they do over IPv4.";

/**
 * `infra.ipv6`. That there is no IPv6 address is no fault; one that does not answer is: senders with IPv6 try it first, and lose
 * time with each message, or give up.
 */
export function checkIpv6({ found, ...seen }: Ipv6Check): CheckResult[] {
  const hosts = "hosts" in found ? found.hosts : [];
  const dual = hosts.filter(({ ipv6 }) => ipv6.length > 0);
  const probes = dual.flatMap(({ name }) => seen.probes.get(name) ?? []);
  const evidence: Evidence[] = [...found.evidence, ...probes.flatMap(smtpEvidence)];
  return [{ id: "infra.ipv6", expected: EXPECTED, evidence, ...judge(found, hosts, dual, seen) }];
}

function judge(
  found: MailHosts,
  hosts: readonly MailHost[],
  dual: readonly MailHost[],
  seen: Omit<Ipv6Check, "found">,
): Judgement {
  if (found.kind === "failed")
    return { status: "error", observed: `The MX records could not be looked up: ${found.reason}.` };
  if (hosts.length === 0) return { status: "not_tested", observed: "There is no mail server." };
  if (dual.length === 0) {
    if (hosts.some(({ failure }) => failure !== undefined))
      return { status: "error", observed: "Not all addresses of mail servers could be looked up." };
    return { status: "warn", observed: "No mail server has an IPv6 address: that is no fault." };
  }
  const looks = dual.map((host) => lookAt(host, seen));
  const status = WORST.find((one) => looks.some((look) => look.status === one)) ?? "pass";
  const told = looks.filter((look) => look.status === status).map(({ text }) => text);
  if (status === "pass")
    return { status, observed: `These mail servers answer over IPv6: ${told.join(", ")}.` };
  return { status, observed: told.join(" "), ...(status === "warn" && { fix: FIX }) };
}

const FIX = {
  text: "Let the mail server listen on this address, and the firewall let port 25 through; or remove the AAAA record.",
};

function lookAt({ name, ipv6 }: MailHost, { probes, reachesIpv6 }: Omit<Ipv6Check, "found">): HostLook {
  const probe = probes.get(name);
  const tried = probe?.addresses.filter(({ address, outcome }) => isIPv6(address) && outcome !== "forbidden");
  const label = tried?.[0] ? `${name} (${tried[0].address})` : name;
  if (tried?.some(speaks)) return { status: "pass", text: label };
  if (!ipv6.some(isPublicAddress))
    return { status: "warn", text: `${name}: Its IPv6 address is none that the Internet could reach.` };
  if (!probe) return { status: "not_tested", text: `${name}: It has not been looked at yet.` };
  const [first] = tried ?? [];
  if (!first || !("reason" in first))
    return { status: "not_tested", text: `${name}: Hermod does not connect to its IPv6 address.` };
  if (!isOneSided(probe))
    return { status: "error", text: `${label}: It did not answer, and nor did IPv4: ${first.reason}.` };
  if (!reachesIpv6) {
    const text = `${label}: It is not known whether it answers, for Hermod reaches no mail server over IPv6.`;
    return { status: "not_tested", text };
  }
  return { status: "warn", text: `${label}: ${first.reason}. Over IPv4 the server answers.` };
}
