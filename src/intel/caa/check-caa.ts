import { queryName } from "../../dns/names.ts";
import type { CheckResult, CheckStatus, Evidence } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { worstOf, worstStatus } from "../worst-status.ts";
import { type CaaPolicy, readCaa } from "./read-caa.ts";

interface CaaCheck {
  /** In A-labels. */
  readonly domain: string;
  /** The mail servers of the domain, the most preferred first; those are who needs certificates. */
  readonly hosts: readonly string[];
  readonly dns: ProbeDns;
}

interface Finding {
  readonly status: CheckStatus;
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

/** Looked at, as each costs several lookups; who has more has them alike as a rule. */
const MAX_HOSTS = 5;
/** Faults, and authorities, of one name. */
const MAX_TOLD = 5;
/** Of a host, and so names to climb; hosts have three or four. */
const MAX_LABELS = 10;

/** Whether authorities may issue certificates for the hosts that need one, by CAA: `infra.caa`. */
export async function checkCaa({ domain, hosts, dns }: CaaCheck): Promise<CheckResult[]> {
  const names = [...new Set(hosts.flatMap((host) => queryName(host) ?? []))].slice(0, MAX_HOSTS);
  const findings = await Promise.all([
    ...names.map((host) => lookAt(host, dns)),
    policyHost(`mta-sts.${domain}`, dns),
  ]);
  const known = findings.filter((finding) => finding !== undefined);
  const status = worstStatus(known.map((finding) => finding.status));
  const told = worstOf(known).map(({ text }) => text);
  return [
    {
      id: "infra.caa",
      status,
      observed: told.length > 0 ? told.join(" ") : "No host needs a certificate.",
      expected: "CAA records, where there are any, let an authority issue certificates for the mail servers.",
      evidence: onlyOnce(known.flatMap(({ evidence }) => evidence)),
      ...(status === "warn" && {
        fix: {
          text: "Correct the CAA records, and name the authority that issues the certificates of these hosts.",
        },
      }),
    },
  ];
}

/** The host of an MTA-STS policy needs a certificate (RFC 8461 section 3.3). @returns undefined where there is none */
async function policyHost(host: string, dns: ProbeDns): Promise<Finding | undefined> {
  const found = await Promise.all([dns.lookUp(host, "A"), dns.lookUp(host, "AAAA")]);
  if (found.some(({ answer }) => answer.kind === "records")) return lookAt(host, dns);
  const failed = found.find(({ answer }) => answer.kind === "failed");
  if (failed?.answer.kind !== "failed") return undefined;
  const text = `Whether there is a host ${host} is not known: ${failed.answer.reason}.`;
  return { status: "error", text, evidence: [failed.evidence] };
}

/** RFC 8659 section 3: the records of the nearest name, from the host upwards, that has any. */
async function lookAt(host: string, dns: ProbeDns): Promise<Finding> {
  const labels = host.split(".");
  const evidence: Evidence[] = [];
  if (labels.length > MAX_LABELS)
    return { status: "error", text: `${host}: it has more than ${MAX_LABELS} labels.`, evidence };
  for (let from = 0; from < labels.length; from++) {
    const name = labels.slice(from).join(".");
    const { answer, evidence: found } = await dns.lookUp(name, "CAA");
    evidence.push(found);
    // An authority that cannot find out must not issue either.
    if (answer.kind === "failed")
      return { status: "error", text: `${host}: CAA could not be looked up: ${answer.reason}.`, evidence };
    if (answer.kind === "records") return { ...judge(host, name, readCaa(answer.records)), evidence };
  }
  return { status: "pass", text: `${host}: no CAA record keeps any authority from issuing.`, evidence };
}

function judge(host: string, name: string, { issuers, problems }: CaaPolicy): Omit<Finding, "evidence"> {
  const from = name === host ? "" : ` (CAA of ${name})`;
  const forbidden = issuers?.length === 0 ? ["No authority may issue the certificate that it needs."] : [];
  const wrong = [...forbidden, ...problems].slice(0, MAX_TOLD);
  if (wrong.length > 0) return { status: "warn", text: `${host}${from}: ${wrong.join(" ")}` };
  const who = issuers
    ? `only ${issuers.slice(0, MAX_TOLD).join(", ")} may issue.`
    : "any authority may issue.";
  return { status: "pass", text: `${host}${from}: ${who}` };
}

/** Hosts share the names above them. */
function onlyOnce(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((one) => [`${one.type} ${one.name}`, one])).values()];
}
