import { isPublicAddress } from "../../shared/destination-address.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type { DomainRole } from "../catalogue.ts";
import {
  type CheckResult,
  type Evaluation,
  expectedFields,
  type Fix,
  fixFields,
  observedFields,
} from "../check-result.ts";
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
  "infra.mx.null": phrase("mx.null_expected"),
  "infra.mx.resolves": phrase("mx.resolves_expected"),
  "infra.mx.answers": phrase("mx.answers_expected"),
  "infra.mx.cname": phrase("mx.cname_expected"),
} as const;

/** Checks how the domain receives mail: `infra.mx.null`, `infra.mx.resolves`, `infra.mx.answers`, `infra.mx.cname`. */
export function checkMx({ domain, role, found, probes, vantage }: MxCheck): CheckResult[] {
  const { evidence } = found;
  const result = (id: keyof typeof EXPECTED, evaluation: Evaluation): CheckResult => ({
    id,
    evidence,
    ...expectedFields(EXPECTED[id]),
    ...evaluation,
  });
  if (found.kind === "failed") {
    const failed = evaluation("error", phrase("mx.lookup_failed", { reason: found.reason }));
    return Object.keys(EXPECTED).map((id) => result(id as keyof typeof EXPECTED, failed));
  }
  const hosts = "hosts" in found ? found.hosts : [];
  const unknown = hosts.filter(({ failure }) => failure !== undefined).length;
  const nobody = hosts.length === 0 ? evaluation("not_tested", phrase("mx.no_server")) : undefined;
  return [
    result("infra.mx.null", evaluateMail(domain, role, found)),
    result("infra.mx.resolves", nobody ?? evaluateAddresses(hosts, unknown)),
    result("infra.mx.answers", nobody ?? evaluateAnswers(hosts, probes, vantage)),
    result("infra.mx.cname", nobody ?? evaluateAliases(hosts, unknown)),
  ];
}

function evaluation(status: Evaluation["status"], observed: Phrase, fix?: Fix): Evaluation {
  return { status, ...observedFields(observed), ...(fix && { fix }) };
}

function evaluateMail(domain: string, role: DomainRole, found: MailHosts): Evaluation {
  const takesNone: Fix = {
    record: { name: domain, type: "MX", value: "0 ." },
    ...fixFields(phrase("mx.publish_null")),
  };
  switch (found.kind) {
    case "null": {
      const declared = phrase("mx.null");
      if (role !== "receiving") return evaluation("pass", declared);
      return evaluation("fail", declared, fixFields(phrase("mx.replace_null")));
    }
    case "none":
      if (role === "receiving")
        return evaluation("fail", phrase("mx.none"), fixFields(phrase("mx.publish_each")));
      // RFC 7505 section 4.2: receivers may reject mail from a domain with the null MX.
      return evaluation(
        "warn",
        phrase("mx.none_sending"),
        role === "sending" ? fixFields(phrase("mx.publish_bounces")) : takesNone,
      );
    case "implicit":
      if (role === "parked") return evaluation("fail", phrase("mx.implicit"), takesNone);
      return evaluation("warn", phrase("mx.implicit"), {
        record: { name: domain, type: "MX", value: `10 ${domain}.` },
        ...fixFields(phrase("mx.publish_implicit")),
      });
    default:
      return role === "parked"
        ? evaluation("fail", phrase("mx.parked"), takesNone)
        : evaluation("pass", phrase("mx.named"));
  }
}

function evaluateAddresses(hosts: readonly MailHost[], unknown: number): Evaluation {
  const wrong = hosts.flatMap((host) => {
    const problem = problemOf(host);
    return problem === undefined ? [] : [phrases(phrase("host.label", { name: host.name }), problem)];
  });
  if (wrong.length > 0 && wrong.length + unknown < hosts.length) {
    const observed = phrases(phrase("mx.some_unreachable"), ...wrong);
    return evaluation("warn", observed, fixFields(phrase("mx.some_address_needed")));
  }
  if (unknown > 0) return evaluation("error", unknownHosts(hosts));
  if (wrong.length === 0) return evaluation("pass", phrase("mx.all_public"));
  const observed = phrases(phrase("mx.none_reachable"), ...wrong);
  return evaluation("fail", observed, fixFields(phrase("mx.address_needed")));
}

/** A server that refuses Hermod may accept other mail. If outbound port 25 is blocked, the result is inconclusive. */
function evaluateAnswers(
  hosts: readonly MailHost[],
  probes: ReadonlyMap<string, MailHostProbe>,
  vantage: Vantage,
): Evaluation {
  if (vantage === "closed") return evaluation("not_tested", phrase("mx.port_closed"));
  const seen = hosts.flatMap(({ name }) => {
    const tried = probes.get(name)?.addresses.filter(({ outcome }) => outcome !== "forbidden") ?? [];
    return tried.length > 0 ? [{ name, tried }] : [];
  });
  if (seen.length === 0) return evaluation("not_tested", phrase("mx.not_checked"));
  const isSilent = ({ outcome }: AddressProbe) => outcome === "unreached" || outcome === "unheard";
  const silent = seen.filter(({ tried }) => tried.every(isSilent));
  const answered = seen.filter(({ tried }) => tried.some(({ outcome }) => outcome === "answered"));
  if (silent.length === 0)
    return answered.length > 0
      ? evaluation("pass", phrase("mx.answer"))
      : evaluation("error", phrase("mx.refuse"));
  const failed = silent.map(({ name, tried }) => {
    const reasons = tried.flatMap((one) => ("reason" in one ? [`${one.address}: ${one.reason}`] : []));
    return { name, reason: reasons.join("; ") };
  });
  const observed = phrases(phrase("mx.silent"), failedHosts(failed, MAX_NAMED));
  const fix = fixFields(phrase("mx.start"));
  if (silent.length < seen.length || seen.length < hosts.length) return evaluation("warn", observed, fix);
  const none = phrases(phrase("mx.none_answers"), observed);
  if (vantage === "open") return evaluation("fail", none, fix);
  return evaluation("warn", phrases(none, phrase("mx.port_unknown")), fix);
}

/** Hosts with their failures, up to a limit, and the number of further ones. */
function failedHosts(
  failed: readonly { readonly name: string; readonly reason: string }[],
  limit: number,
): Phrase {
  const shown = failed.slice(0, limit);
  const last = shown.pop();
  const count = failed.length - limit;
  return phrases(
    ...shown.map((one) => phrase("host.failed", one)),
    last && (count > 0 ? phrase("host.failed_more", { ...last, count }) : phrase("host.failed_last", last)),
  );
}

function problemOf({ problem, failure, ipv4, ipv6 }: MailHost): Phrase | undefined {
  if (problem !== undefined) return problem;
  if (failure !== undefined) return undefined;
  const addresses = [...ipv4, ...ipv6];
  if (addresses.length === 0) return phrase("mx.no_address");
  return addresses.some(isPublicAddress) ? undefined : phrase("mx.no_public_address");
}

function evaluateAliases(hosts: readonly MailHost[], unknown: number): Evaluation {
  const aliases = hosts.filter(({ isAlias }) => isAlias).map(({ name }) => name);
  if (aliases.length > 0) {
    const fix = fixFields(phrase("mx.replace_aliases"));
    return evaluation("fail", phrase("mx.aliases", { hosts: aliases }), fix);
  }
  if (unknown > 0) return evaluation("error", unknownHosts(hosts));
  return evaluation("pass", phrase("mx.no_alias"));
}

function unknownHosts(hosts: readonly MailHost[]): Phrase {
  const failed = hosts.flatMap(({ name, failure: reason }) => (reason === undefined ? [] : { name, reason }));
  return phrases(phrase("mx.lookups_failed"), failedHosts(failed, failed.length));
}
