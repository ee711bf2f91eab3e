import { hostName } from "../../dns/names.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import type { CheckResult, CheckStatus, Evidence } from "../check-result.ts";
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
  readonly text: string;
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
      observed: texts.length > 0 ? texts.join(" ") : "No sending address is known.",
      expected:
        "Each sending address uses a name in EHLO that resolves to it and is its reverse DNS name (RFC 5321 section 4.1.1.1).",
      evidence: findings.flatMap(({ evidence }) => evidence),
      ...((status === "fail" || status === "warn") && {
        fix: {
          text: "Use the name from the PTR record of the address in EHLO, and let that name resolve to this address.",
        },
      }),
    },
  ];
}

async function checkAddress(address: string, text: string | undefined, dns: ProbeDns): Promise<Finding> {
  const finding = (status: CheckStatus, what: string, evidence: readonly Evidence[] = []): Finding => ({
    status,
    text: `${address}: ${what}`,
    evidence,
  });
  if (text === undefined) return finding("not_tested", "Its EHLO name is unknown.");
  const name = hostName(text);
  if (name === undefined) return finding("fail", `Its EHLO name ${safeDetail(text)} is not a host name.`);
  const [forward, reverse] = await Promise.all([
    dns.lookUp(name, forwardType(address)),
    dns.lookUp(reverseName(address), "PTR"),
  ]);
  const evidence = [forward.evidence, reverse.evidence];
  const { answer } = forward;
  if (answer.kind === "failed")
    return finding("error", `The lookup of its EHLO name ${name} failed: ${answer.reason}.`, evidence);
  if (answer.kind !== "records" || !answer.records.some((one) => isSameAddress(one, address)))
    return finding("fail", `Its EHLO name ${name} does not resolve to it.`, evidence);
  if (reverse.answer.kind === "failed")
    return finding("error", `The lookup of its reverse DNS name failed: ${reverse.answer.reason}.`, evidence);
  const names =
    reverse.answer.kind === "records" ? reverse.answer.records.flatMap((one) => hostName(one) ?? []) : [];
  if (!names.includes(name))
    return finding(
      "warn",
      `Its EHLO name ${name} resolves to it, but is not its reverse DNS name.`,
      evidence,
    );
  return finding("pass", `Its EHLO name ${name} is its reverse DNS name.`, evidence);
}
