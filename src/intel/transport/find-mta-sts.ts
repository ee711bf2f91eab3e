import type { Clock } from "../../shared/clock.ts";
import { type FetchPolicy, PolicyError } from "../../transport-security/mta-sts/fetch-policy.ts";
import type { MtaStsPolicy } from "../../transport-security/mta-sts/policy.ts";
import { isPolicyRecord, policyId } from "../../transport-security/mta-sts/policy-id.ts";
import type { Evidence } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";

/**
 * The record that announces a policy.
 *
 * - `one`: senders fetch the policy
 * - `none`, `several`, `malformed`: senders assume that there is none
 * - `failed`: the lookup failed
 */
export type MtaStsRecord =
  | { readonly kind: "one"; readonly id: string }
  /** `similar`: a text that was possibly meant as a record. */
  | { readonly kind: "none"; readonly similar: string | undefined }
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "malformed"; readonly text: string }
  | { readonly kind: "failed"; readonly reason: string };

/** The policy. `wrong`: it is unusable or missing; `unknown`: the fetch was inconclusive. */
export type MtaStsAnswer =
  | { readonly kind: "policy"; readonly policy: MtaStsPolicy }
  | { readonly kind: "wrong"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };

export interface MtaStsFacts {
  readonly record: MtaStsRecord;
  readonly policy: MtaStsAnswer;
  readonly evidence: { readonly record: Evidence; readonly policy: Evidence };
}

export interface MtaStsLookup {
  readonly domain: string;
  readonly dns: ProbeDns;
  readonly fetchPolicy: FetchPolicy;
  readonly clock: Pick<Clock, "now">;
}

/** Fetches both, so that a policy without a record is found, too. Never rejects. */
export async function findMtaSts({ domain, dns, fetchPolicy, clock }: MtaStsLookup): Promise<MtaStsFacts> {
  const [{ answer, evidence }, policy] = await Promise.all([
    dns.lookUp(`_mta-sts.${domain}`, "TXT"),
    fetchAnswer(domain, fetchPolicy),
  ]);
  const record: MtaStsRecord =
    answer.kind === "failed"
      ? { kind: "failed", reason: answer.reason }
      : readRecords(answer.kind === "records" ? answer.records : []);
  return {
    record,
    policy,
    evidence: { record: evidence, policy: policyEvidence(domain, policy, clock.now()) },
  };
}

async function fetchAnswer(domain: string, fetchPolicy: FetchPolicy): Promise<MtaStsAnswer> {
  try {
    return { kind: "policy", policy: await fetchPolicy(domain) };
  } catch (error) {
    const isKnown = error instanceof PolicyError && error.isKnown;
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: isKnown ? "wrong" : "unknown", reason };
  }
}

function readRecords(records: readonly (readonly string[])[]): MtaStsRecord {
  const id = policyId(records);
  if (id !== undefined) return { kind: "one", id };
  const texts = records.map((strings) => strings.join(""));
  const [text, another] = texts.filter(isPolicyRecord);
  if (text === undefined) return { kind: "none", similar: texts.find((one) => /sts/i.test(one)) };
  return another === undefined
    ? { kind: "malformed", text }
    : { kind: "several", count: texts.filter(isPolicyRecord).length };
}

function policyEvidence(domain: string, answer: MtaStsAnswer, at: Date): Evidence {
  const asked = { name: `https://mta-sts.${domain}/.well-known/mta-sts.txt`, type: "HTTPS", at } as const;
  if (answer.kind !== "policy") return { ...asked, rcode: "ERROR", data: [], reason: answer.reason };
  const { mode, mx, maxAgeSeconds } = answer.policy;
  const data = [`mode: ${mode}`, ...mx.slice(0, 50).map((one) => `mx: ${one}`), `max_age: ${maxAgeSeconds}`];
  return { ...asked, rcode: "NOERROR", data };
}
