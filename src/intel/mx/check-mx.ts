import { isPublicAddress } from "../../shared/destination-address.ts";
import type { DomainRole } from "../catalogue.ts";
import type { CheckResult, Fix, Judgement } from "../check-result.ts";
import type { AddressProbe, MailHostProbe } from "../mail-host-probe/mail-host-probe.ts";
import type { Vantage } from "../mail-host-probe/vantage.ts";
import type { MailHost, MailHosts } from "./find-mail-hosts.ts";

interface MxCheck {
  readonly domain: string;
  readonly role: DomainRole;
  readonly found: MailHosts;
  /** What was seen of the hosts lately, by their names. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  readonly vantage: Vantage;
}

/** Of mail servers. */
const MAX_TOLD = 5;
const EXPECTED = {
  "infra.mx.null": "A domain that takes mail has MX records; one that takes none has the null MX.",
  "infra.mx.resolves": "Each host that an MX record names has a public address.",
  "infra.mx.answers": "Each mail server answers at port 25.",
  "infra.mx.cname": "MX records name hosts, and not aliases of hosts.",
} as const;

/** How the domain takes mail: `infra.mx.null`, `infra.mx.resolves`, `infra.mx.answers`, `infra.mx.cname`. */
export function checkMx({ domain, role, found, probes, vantage }: MxCheck): CheckResult[] {
  const { evidence } = found;
  const result = (id: keyof typeof EXPECTED, judgement: Judgement): CheckResult => ({
    id,
    evidence,
    expected: EXPECTED[id],
    ...judgement,
  });
  if (found.kind === "failed") {
    const observed = `The MX records could not be looked up: ${found.reason}.`;
    return Object.keys(EXPECTED).map((id) =>
      result(id as keyof typeof EXPECTED, { status: "error", observed }),
    );
  }
  const untested = (observed: string): Judgement => ({ status: "not_tested", observed });
  const hosts = "hosts" in found ? found.hosts : [];
  const unknown = hosts.filter(({ failure }) => failure !== undefined).length;
  const nobody = hosts.length === 0 ? untested("There is no mail server.") : undefined;
  return [
    result("infra.mx.null", judgeMail(domain, role, found)),
    result("infra.mx.resolves", nobody ?? judgeAddresses(hosts, unknown)),
    result("infra.mx.answers", nobody ?? judgeAnswers(hosts, probes, vantage)),
    result("infra.mx.cname", nobody ?? judgeAliases(hosts, unknown)),
  ];
}

function judgeMail(domain: string, role: DomainRole, found: MailHosts): Judgement {
  const takesNone: Fix = {
    record: { name: domain, type: "MX", value: "0 ." },
    text: "Publish the null MX as the only MX record: nobody then tries to send there.",
  };
  switch (found.kind) {
    case "null":
      return role === "receiving"
        ? {
            status: "fail",
            observed: "The null MX says that the domain takes no mail.",
            fix: { text: "Replace it with the MX records of the servers that take the domain's mail." },
          }
        : { status: "pass", observed: "The null MX says that the domain takes no mail." };
    case "none":
      if (role === "receiving")
        return {
          status: "fail",
          observed: "There is no MX record, and the domain has no address: it can get no mail.",
          fix: { text: "Publish an MX record for each server that takes the domain's mail." },
        };
      return {
        status: "warn",
        observed:
          "There is no MX record, and the domain has no address. Bounces and replies are lost, and some receivers refuse mail from such a domain.",
        // RFC 7505 section 4.2: receivers refuse mail from a domain with the null MX.
        fix:
          role === "sending"
            ? { text: "Publish an MX record for a server that takes the domain's bounces and replies." }
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
          text: "Say so with an MX record, if that host takes mail; else name the one that does.",
        },
      };
    default:
      return role === "parked"
        ? { status: "fail", observed: "The domain is parked, and yet takes mail.", fix: takesNone }
        : { status: "pass", observed: "MX records name the servers that take the domain's mail." };
  }
}

function judgeAddresses(hosts: readonly MailHost[], unknown: number): Judgement {
  const wrong = hosts.flatMap((host) => {
    const problem = problemOf(host);
    return problem === undefined ? [] : [`${host.name}: ${problem}`];
  });
  if (wrong.length > 0 && wrong.length + unknown < hosts.length) {
    const fix = { text: "Give these hosts an address, or remove their MX records." };
    return { status: "warn", observed: `Some mail servers cannot be reached. ${wrong.join(" ")}`, fix };
  }
  if (unknown > 0) return { status: "error", observed: unknownHosts(hosts) };
  if (wrong.length === 0) return { status: "pass", observed: "All mail servers have public addresses." };
  const fix = { text: "Give the hosts of the MX records an address." };
  return { status: "fail", observed: `No mail server can be reached. ${wrong.join(" ")}`, fix };
}

/** A server that turns Hermod away may take the mail of others, and a port that is closed on the way out says nothing of servers. */
function judgeAnswers(
  hosts: readonly MailHost[],
  probes: ReadonlyMap<string, MailHostProbe>,
  vantage: Vantage,
): Judgement {
  if (vantage === "closed")
    return {
      status: "not_tested",
      observed: "Hermod's network lets no connections out to port 25, whichever mail server it asks.",
    };
  const seen = hosts.flatMap(({ name }) => {
    const tried = probes.get(name)?.addresses.filter(({ outcome }) => outcome !== "forbidden") ?? [];
    return tried.length > 0 ? [{ name, tried }] : [];
  });
  if (seen.length === 0) return { status: "not_tested", observed: "No mail server was looked at yet." };
  const isSilent = ({ outcome }: AddressProbe) => outcome === "unreached" || outcome === "unheard";
  const silent = seen.filter(({ tried }) => tried.every(isSilent));
  const answered = seen.filter(({ tried }) => tried.some(({ outcome }) => outcome === "answered"));
  const told = silent.slice(0, MAX_TOLD).map(({ name, tried }) => {
    const reasons = tried.flatMap((one) => ("reason" in one ? [`${one.address}: ${one.reason}`] : []));
    return `${name} (${reasons.join("; ")})`;
  });
  const more = silent.length > MAX_TOLD ? `, and ${silent.length - MAX_TOLD} more` : "";
  const fix = { text: "Start these mail servers, open port 25 to them, or remove their MX records." };
  if (silent.length === 0) {
    if (answered.length > 0) return { status: "pass", observed: "Mail servers answer." };
    return { status: "error", observed: "Every mail server turns Hermod away, and may take other mail." };
  }
  const observed = `These do not answer: ${told.join(", ")}${more}.`;
  if (silent.length < seen.length || seen.length < hosts.length) return { status: "warn", observed, fix };
  if (vantage === "open") return { status: "fail", observed: `No mail server answers. ${observed}`, fix };
  const unsure = "Whether Hermod's network lets connections out to port 25 is not known yet.";
  return { status: "warn", observed: `No mail server answers. ${observed} ${unsure}`, fix };
}

function problemOf({ problem, failure, ipv4, ipv6 }: MailHost): string | undefined {
  if (problem !== undefined) return problem;
  if (failure !== undefined) return undefined;
  const addresses = [...ipv4, ...ipv6];
  if (addresses.length === 0) return "It has no address.";
  return addresses.some(isPublicAddress) ? undefined : "It has no address that the Internet could reach.";
}

function judgeAliases(hosts: readonly MailHost[], unknown: number): Judgement {
  const aliases = hosts.filter(({ isAlias }) => isAlias).map(({ name }) => name);
  if (aliases.length > 0) {
    const fix = { text: "Name the host itself in the MX record, or give that name addresses of its own." };
    return { status: "fail", observed: `These are aliases (CNAME): ${aliases.join(", ")}.`, fix };
  }
  if (unknown > 0) return { status: "error", observed: unknownHosts(hosts) };
  return { status: "pass", observed: "No mail server is an alias." };
}

function unknownHosts(hosts: readonly MailHost[]): string {
  const names = hosts
    .filter(({ failure }) => failure !== undefined)
    .map(({ name, failure }) => `${name} (${failure})`);
  return `These could not be looked up: ${names.join(", ")}.`;
}
