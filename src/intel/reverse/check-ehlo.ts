import { hostName } from "../../dns/names.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
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
import { forwardType, isSameAddress, reverseName } from "./reverse-name.ts";

interface EhloCheck {
  /** Sending addresses of the domain. */
  readonly addresses: readonly string[];
  /** Name that the server at an address uses in EHLO; undefined: unknown, for example for a third-party server. */
  readonly ehloNameOf: (address: string) => string | undefined;
  readonly dns: ProbeDns;
}

interface Finding {
  readonly status: CheckStatus;
  readonly text: Phrase;
  readonly evidence: readonly Evidence[];
}

/** Checks whether EHLO uses the reverse DNS name of the address: `reputation.ehlo`. The worst address counts. */
export async function checkEhlo({ addresses, ehloNameOf, dns }: EhloCheck): Promise<CheckResult[]> {
  const findings = await Promise.all(
    addresses.map((address) => checkAddress(address, ehloNameOf(address), dns)),
  );
  const status = worstStatus(findings.map((finding) => finding.status));
  const texts = worstOf(findings).map(({ text }) => text);
  return [
    {
      id: "reputation.ehlo",
      status,
      ...observedFields(texts.length > 0 ? phrases(...texts) : phrase("reverse.no_address")),
      ...expectedFields(phrase("ehlo.expected")),
      evidence: findings.flatMap(({ evidence }) => evidence),
      ...((status === "fail" || status === "warn") && { fix: fixFields(phrase("ehlo.use_ptr")) }),
    },
  ];
}

async function checkAddress(address: string, text: string | undefined, dns: ProbeDns): Promise<Finding> {
  const finding = (status: CheckStatus, what: Phrase, evidence: readonly Evidence[] = []): Finding => ({
    status,
    text: phrases(phrase("host.label", { name: address }), what),
    evidence,
  });
  if (text === undefined) return finding("not_tested", phrase("ehlo.unknown"));
  const name = hostName(text);
  if (name === undefined) return finding("fail", phrase("ehlo.not_a_host", { name: safeDetail(text) }));
  const [forward, reverse] = await Promise.all([
    dns.lookUp(name, forwardType(address)),
    dns.lookUp(reverseName(address), "PTR"),
  ]);
  const evidence = [forward.evidence, reverse.evidence];
  const { answer } = forward;
  if (answer.kind === "failed")
    return finding("error", phrase("ehlo.lookup_failed", { name, reason: answer.reason }), evidence);
  if (answer.kind !== "records" || !answer.records.some((one) => isSameAddress(one, address)))
    return finding("fail", phrase("ehlo.elsewhere", { name }), evidence);
  if (reverse.answer.kind === "failed") {
    const { reason } = reverse.answer;
    return finding("error", phrase("reverse.lookup_failed", { reason }), evidence);
  }
  const names =
    reverse.answer.kind === "records" ? reverse.answer.records.flatMap((one) => hostName(one) ?? []) : [];
  if (!names.includes(name)) return finding("warn", phrase("ehlo.other", { name }), evidence);
  return finding("pass", phrase("ehlo.same", { name }), evidence);
}
