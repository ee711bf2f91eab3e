import { queryName } from "../../dns/names.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import {
  type CheckResult,
  type CheckStatus,
  type Evidence,
  expectedFields,
  fixFields,
  observedFields,
} from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { worstOf, worstStatus } from "../worst-status.ts";
import { type CaaPolicy, readCaa } from "./read-caa.ts";

interface CaaCheck {
  /** In A-labels. */
  readonly domain: string;
  /** Mail servers of the domain, the most preferred first. They need certificates. */
  readonly hosts: readonly string[];
  readonly dns: ProbeDns;
}

interface Finding {
  readonly status: CheckStatus;
  readonly text: Phrase;
  readonly evidence: readonly Evidence[];
}

/** Limit of checked hosts, because each costs several lookups. More hosts usually have the same records. */
const MAX_HOSTS = 5;
/** Limit of faults, and of authorities, of one name. */
const MAX_NAMED = 5;
/** Maximum labels of a host, and so of names to climb. Hosts have three or four. */
const MAX_LABELS = 10;

/** Checks whether CAA lets authorities issue certificates for the hosts that need one: `infra.caa`. */
export async function checkCaa({ domain, hosts, dns }: CaaCheck): Promise<CheckResult[]> {
  const names = [...new Set(hosts.flatMap((host) => queryName(host) ?? []))].slice(0, MAX_HOSTS);
  const findings = await Promise.all([
    ...names.map((host) => checkHost(host, dns)),
    policyHost(`mta-sts.${domain}`, dns),
  ]);
  const known = findings.filter((finding) => finding !== undefined);
  const status = worstStatus(known.map((finding) => finding.status));
  const texts = worstOf(known).map(({ text }) => text);
  return [
    {
      id: "infra.caa",
      status,
      ...observedFields(texts.length > 0 ? phrases(...texts) : phrase("caa.no_host")),
      ...expectedFields(phrase("caa.expected")),
      evidence: onlyOnce(known.flatMap(({ evidence }) => evidence)),
      ...(status === "warn" && { fix: fixFields(phrase("caa.correct")) }),
    },
  ];
}

/**
 * The host of an MTA-STS policy needs a certificate (RFC 8461 section 3.3). @returns undefined if there is no such
 * host
 */
async function policyHost(host: string, dns: ProbeDns): Promise<Finding | undefined> {
  const found = await Promise.all([dns.lookUp(host, "A"), dns.lookUp(host, "AAAA")]);
  if (found.some(({ answer }) => answer.kind === "records")) return checkHost(host, dns);
  const failed = found.find(({ answer }) => answer.kind === "failed");
  if (failed?.answer.kind !== "failed") return undefined;
  const text = phrase("caa.host_unknown", { name: host, reason: failed.answer.reason });
  return { status: "error", text, evidence: [failed.evidence] };
}

/** RFC 8659 section 3: the records of the nearest name that has any, from the host upwards. */
async function checkHost(host: string, dns: ProbeDns): Promise<Finding> {
  const labels = host.split(".");
  const evidence: Evidence[] = [];
  const ofHost = (text: Phrase) => phrases(phrase("host.label", { name: host }), text);
  if (labels.length > MAX_LABELS)
    return { status: "error", text: ofHost(phrase("caa.many_labels", { count: MAX_LABELS })), evidence };
  for (let from = 0; from < labels.length; from++) {
    const name = labels.slice(from).join(".");
    const { answer, evidence: found } = await dns.lookUp(name, "CAA");
    evidence.push(found);
    // An authority must not issue after a failed CAA lookup either.
    if (answer.kind === "failed") {
      const text = ofHost(phrase("caa.lookup_failed", { reason: answer.reason }));
      return { status: "error", text, evidence };
    }
    if (answer.kind === "records") return { ...evaluate(host, name, readCaa(answer.records)), evidence };
  }
  return { status: "pass", text: ofHost(phrase("caa.unrestricted")), evidence };
}

function evaluate(host: string, name: string, { issuers, problems }: CaaPolicy): Omit<Finding, "evidence"> {
  const label = name === host ? phrase("host.label", { name }) : phrase("caa.from", { host, name });
  const forbidden = issuers?.length === 0 ? [phrase("caa.none_may")] : [];
  const wrong = [...forbidden, ...problems].slice(0, MAX_NAMED);
  if (wrong.length > 0) return { status: "warn", text: phrases(label, ...wrong) };
  const who = issuers ? phrase("caa.only", { issuers: issuers.slice(0, MAX_NAMED) }) : phrase("caa.any");
  return { status: "pass", text: phrases(label, who) };
}

/** Removes duplicates: hosts share the names above them. */
function onlyOnce(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((one) => [`${one.type} ${one.name}`, one])).values()];
}
