import { hostName } from "../../dns/names.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import type { CheckResult, CheckStatus, Evidence } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { worstOf, worstStatus } from "../worst-status.ts";
import { forwardType, isSameAddress, reverseName } from "./reverse-name.ts";

interface EhloCheck {
  /** From which the domain's mail leaves. */
  readonly addresses: readonly string[];
  /** What is said in EHLO from there; undefined: it is not known, as of other people's servers. */
  readonly ehloNameOf: (address: string) => string | undefined;
  readonly dns: ProbeDns;
}

interface Finding {
  readonly status: CheckStatus;
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

/** Whether what is said in EHLO is the name of the address that says it: `reputation.ehlo`. The worst address counts. */
export async function checkEhlo({ addresses, ehloNameOf, dns }: EhloCheck): Promise<CheckResult[]> {
  const findings = await Promise.all(addresses.map((address) => lookAt(address, ehloNameOf(address), dns)));
  const status = worstStatus(findings.map((finding) => finding.status));
  const told = worstOf(findings).map(({ text }) => text);
  return [
    {
      id: "reputation.ehlo",
      status,
      observed: told.length > 0 ? told.join(" ") : "No sending address is known.",
      expected:
        "In EHLO each sending address says a name that leads to it and that it has (RFC 5321 section 4.1.1.1).",
      evidence: findings.flatMap(({ evidence }) => evidence),
      ...((status === "fail" || status === "warn") && {
        fix: {
          text: "Let EHLO say the name that the PTR record of the address has, and give that name this address.",
        },
      }),
    },
  ];
}

async function lookAt(address: string, text: string | undefined, dns: ProbeDns): Promise<Finding> {
  const finding = (status: CheckStatus, what: string, evidence: readonly Evidence[] = []): Finding => ({
    status,
    text: `${address}: ${what}`,
    evidence,
  });
  if (text === undefined) return finding("not_tested", "What it says in EHLO is not known.");
  const name = hostName(text);
  if (name === undefined)
    return finding("fail", `In EHLO it says ${safeDetail(text)}, which is not the name of a host.`);
  const [forward, reverse] = await Promise.all([
    dns.lookUp(name, forwardType(address)),
    dns.lookUp(reverseName(address), "PTR"),
  ]);
  const evidence = [forward.evidence, reverse.evidence];
  const { answer } = forward;
  if (answer.kind === "failed")
    return finding(
      "error",
      `In EHLO it says ${name}, which could not be looked up: ${answer.reason}.`,
      evidence,
    );
  if (answer.kind !== "records" || !answer.records.some((one) => isSameAddress(one, address)))
    return finding("fail", `In EHLO it says ${name}, which does not lead to it.`, evidence);
  if (reverse.answer.kind === "failed")
    return finding("error", `Its name could not be looked up: ${reverse.answer.reason}.`, evidence);
  const names =
    reverse.answer.kind === "records" ? reverse.answer.records.flatMap((one) => hostName(one) ?? []) : [];
  if (!names.includes(name))
    return finding(
      "warn",
      `In EHLO it says ${name}, which leads to it, but is not the name that it has.`,
      evidence,
    );
  return finding("pass", `In EHLO it says ${name}, its own name.`, evidence);
}
