import type { DnsResult } from "../../dns/records.ts";
import type { Evidence } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { isTlsRptRecord } from "./tls-rpt-record.ts";

/** The TXT records that request TLS reports. */
export interface TlsRptFacts {
  /** The effective records. */
  readonly records: readonly string[];
  /** Another text that was possibly meant as a record. */
  readonly similar: string | undefined;
  /** There is a record at the name from drafts of RFC 8460, and no effective one. */
  readonly isAtFormerName: boolean;
  /** Why the lookup failed. */
  readonly failure: string | undefined;
  readonly evidence: readonly Evidence[];
}

export const FORMER_LABEL = "_smtp-tlsrpt";

export async function findTlsRpt(domain: string, dns: ProbeDns): Promise<TlsRptFacts> {
  const { answer, evidence } = await dns.lookUp(`_smtp._tls.${domain}`, "TXT");
  const texts = textsOf(answer);
  const records = texts.filter(isTlsRptRecord);
  const facts = {
    records,
    similar: texts.find((text) => /tlsrpt/i.test(text) && !isTlsRptRecord(text)),
    isAtFormerName: false,
    failure: answer.kind === "failed" ? answer.reason : undefined,
    evidence: [evidence],
  };
  if (facts.failure !== undefined || records.length > 0) return facts;
  const former = await dns.lookUp(`${FORMER_LABEL}.${domain}`, "TXT");
  const isAtFormerName = textsOf(former.answer).some((text) => /^v=TLSRPT/i.test(text));
  return { ...facts, isAtFormerName, evidence: [evidence, former.evidence] };
}

function textsOf(answer: DnsResult<readonly string[]>): string[] {
  return answer.kind === "records" ? answer.records.map((strings) => strings.join("")) : [];
}
