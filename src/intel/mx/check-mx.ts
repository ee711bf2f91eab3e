import { isPublicAddress } from "../../shared/destination-address.ts";
import type { DomainRole } from "../catalogue.ts";
import type { CheckResult, Evaluation, Fix } from "../check-result.ts";
import type { AddressProbe, MailHostProbe } from "../mail-host-probe/mail-host-probe.ts";
import type { Vantage } from "../mail-host-probe/vantage.ts";
import type { MailHost, MailHosts } from "./find-mail-hosts.ts";

interface MxCheck {
  readonly domain: string;
  readonly role: DomainRole;
  readonly found: MailHosts;
  /** Recent probes by host name. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  readonly vantage: Vantage;
}

/** Number of mail servers named in a text. */
const MAX_NAMED = 5;
const EXPECTED = {
  "infra.mx.null": "A domain that receives mail has MX records. A domain that receives none has the null MX.",
  "infra.mx.resolves": "Each host in the MX records has a public address.",
  "infra.mx.answers": "Each mail server answers on port 25.",
  "infra.mx.cname": "MX records name hosts, not aliases.",
} as const;

/** Checks how the domain receives mail: `infra.mx.null`, `infra.mx.resolves`, `infra.mx.answers`, `infra.mx.cname`. */
export function checkMx({ domain, role, found, probes, vantage }: MxCheck): CheckResult[] {
  const { evidence } = found;
  const result = (id: keyof typeof EXPECTED, evaluation: Evaluation): CheckResult => ({
    id,
    evidence,
    expected: EXPECTED[id],
    ...evaluation,
  });
  if (found.kind === "failed") {
    const observed = `The lookup of the MX records failed: ${found.reason}.`;
    return Object.keys(EXPECTED).map((id) =>
      result(id as keyof typeof EXPECTED, { status: "error", observed }),
    );
  }
  const untested = (observed: string): Evaluation => ({ status: "not_tested", observed });
  const hosts = "hosts" in found ? found.hosts : [];
  const unknown = hosts.filter(({ failure }) => failure !== undefined).length;
  const nobody = hosts.length === 0 ? untested("There is no mail server.") : undefined;
  return [
    result("infra.mx.null", evaluateMail(domain, role, found)),
    result("infra.mx.resolves", nobody ?? evaluateAddresses(hosts, unknown)),
    result("infra.mx.answers", nobody ?? evaluateAnswers(hosts, probes, vantage)),
    result("infra.mx.cname", nobody ?? evaluateAliases(hosts, unknown)),
  ];
}

function evaluateMail(domain: string, role: DomainRole, found: MailHosts): Evaluation {
  const takesNone: Fix = {
    record: { name: domain, type: "MX", value: "0 ." },
    text: "Publish the null MX as the only MX record. Senders then do not try to deliver.",
  };
  switch (found.kind) {
    case "null":
      return role === "receiving"
        ? {
            status: "fail",
            observed: "The null MX declares that the domain receives no mail.",
            fix: { text: "Replace it with the MX records of the servers that receive the domain's mail." },
          }
        : { status: "pass", observed: "The null MX declares that the domain receives no mail." };
    case "none":
      if (role === "receiving")
        return {
          status: "fail",
          observed: "There is no MX record, and the domain has no address, so it cannot receive mail.",
          fix: { text: "Publish an MX record for each server that receives the domain's mail." },
        };
      return {
        status: "warn",
        observed:
          "There is no MX record, and the domain has no address. Bounces and replies are lost, and some receivers reject mail from such a domain.",
        // RFC 7505 section 4.2: receivers may reject mail from a domain with the null MX.
        fix:
          role === "sending"
            ? { text: "Publish an MX record for a server that receives the domain's bounces and replies." }
            : takesNone,
      };
    case "implicit":
      if (role === "parked")
        return {
          status: "fail",
          observed: "There is no MX record, so mail goes to the address of the domain itself.",
          fix: takesNone,
        };
      return {
        status: "warn",
        observed: "There is no MX record, so mail goes to the address of the domain itself.",
        fix: {
          record: { name: domain, type: "MX", value: `10 ${domain}.` },
          text: "Publish this MX record if that host receives mail. Otherwise publish one for the host that does.",
        },
      };
    default:
      return role === "parked"
        ? { status: "fail", observed: "The domain is parked but receives mail.", fix: takesNone }
        : { status: "pass", observed: "MX records name the servers that receive the domain's mail." };
  }
}

function evaluateAddresses(hosts: readonly MailHost[], unknown: number): Evaluation {
  const wrong = hosts.flatMap((host) => {
    const problem = problemOf(host);
    return problem === undefined ? [] : [`${host.name}: ${problem}`];
  });
  if (wrong.length > 0 && wrong.length + unknown < hosts.length) {
    const fix = { text: "Give these hosts an address, or remove their MX records." };
    return { status: "warn", observed: `Some mail servers are unreachable. ${wrong.join(" ")}`, fix };
  }
  if (unknown > 0) return { status: "error", observed: unknownHosts(hosts) };
  if (wrong.length === 0) return { status: "pass", observed: "All mail servers have public addresses." };
  const fix = { text: "Give the hosts of the MX records an address." };
  return { status: "fail", observed: `No mail server is reachable. ${wrong.join(" ")}`, fix };
}

/** A server that refuses Hermod may accept other mail. If outbound port 25 is blocked, the result is inconclusive. */
function evaluateAnswers(
  hosts: readonly MailHost[],
  probes: ReadonlyMap<string, MailHostProbe>,
  vantage: Vantage,
): Evaluation {
  if (vantage === "closed")
    return {
      status: "not_tested",
      observed: "Hermod's network blocks outbound connections to port 25.",
    };
  const seen = hosts.flatMap(({ name }) => {
    const tried = probes.get(name)?.addresses.filter(({ outcome }) => outcome !== "forbidden") ?? [];
    return tried.length > 0 ? [{ name, tried }] : [];
  });
  if (seen.length === 0) return { status: "not_tested", observed: "No mail server was checked yet." };
  const isSilent = ({ outcome }: AddressProbe) => outcome === "unreached" || outcome === "unheard";
  const silent = seen.filter(({ tried }) => tried.every(isSilent));
  const answered = seen.filter(({ tried }) => tried.some(({ outcome }) => outcome === "answered"));
  const texts = silent.slice(0, MAX_NAMED).map(({ name, tried }) => {
    const reasons = tried.flatMap((one) => ("reason" in one ? [`${one.address}: ${one.reason}`] : []));
    return `${name} (${reasons.join("; ")})`;
  });
  const more = silent.length > MAX_NAMED ? `, and ${silent.length - MAX_NAMED} more` : "";
  const fix = { text: "Start these mail servers, open port 25 to them, or remove their MX records." };
  if (silent.length === 0) {
    if (answered.length > 0) return { status: "pass", observed: "Mail servers answer." };
    return { status: "error", observed: "Every mail server refuses Hermod, but may accept other mail." };
  }
  const observed = `These do not answer: ${texts.join(", ")}${more}.`;
  if (silent.length < seen.length || seen.length < hosts.length) return { status: "warn", observed, fix };
  if (vantage === "open") return { status: "fail", observed: `No mail server answers. ${observed}`, fix };
  const unsure = "It is not yet known whether Hermod's network allows outbound connections to port 25.";
  return { status: "warn", observed: `No mail server answers. ${observed} ${unsure}`, fix };
}

function problemOf({ problem, failure, ipv4, ipv6 }: MailHost): string | undefined {
  if (problem !== undefined) return problem;
  if (failure !== undefined) return undefined;
  const addresses = [...ipv4, ...ipv6];
  if (addresses.length === 0) return "It has no address.";
  return addresses.some(isPublicAddress)
    ? undefined
    : "It has no address that is reachable from the Internet.";
}

function evaluateAliases(hosts: readonly MailHost[], unknown: number): Evaluation {
  const aliases = hosts.filter(({ isAlias }) => isAlias).map(({ name }) => name);
  if (aliases.length > 0) {
    const fix = { text: "Name the host itself in the MX record, or replace the alias with addresses." };
    return { status: "fail", observed: `These are aliases (CNAME): ${aliases.join(", ")}.`, fix };
  }
  if (unknown > 0) return { status: "error", observed: unknownHosts(hosts) };
  return { status: "pass", observed: "No mail server is an alias." };
}

function unknownHosts(hosts: readonly MailHost[]): string {
  const names = hosts
    .filter(({ failure }) => failure !== undefined)
    .map(({ name, failure }) => `${name} (${failure})`);
  return `These lookups failed: ${names.join(", ")}.`;
}
