import type { CheckStatus, Evaluation, Evidence } from "../check-result.ts";
import { worstStatus } from "../worst-status.ts";
import { listed, ownFix, type Subject } from "./evaluate-record.ts";
import { evaluateSpf, type SpfResult } from "./evaluate-spf.ts";
import type { RepairedDomain } from "./offer-repair.ts";
import { shownPath } from "./shown-terms.ts";

const STATUSES: Readonly<Record<SpfResult, CheckStatus>> = {
  pass: "pass",
  fail: "fail",
  permerror: "fail",
  softfail: "warn",
  neutral: "warn",
  temperror: "error",
  unknown: "not_tested",
};
const MEANINGS: Readonly<Record<SpfResult, string>> = {
  pass: "passes",
  fail: "fails, and receivers may reject its mail",
  permerror: "gets a permanent error because receivers cannot use the record",
  softfail: "gets softfail: SPF does not authorize its mail",
  neutral: "gets neutral: SPF does not authorize its mail",
  temperror: "could not be evaluated because a lookup failed",
  unknown: "depends on the sender of each mail",
};

/** Judges `auth.spf.senders`: SPF as receivers evaluate it, for each sending address. The worst address counts. */
export async function evaluateSenders(
  subject: Subject | undefined,
  { role, sendingIps, dns }: RepairedDomain,
): Promise<{ readonly evaluation: Evaluation; readonly evidence: readonly Evidence[] } | undefined> {
  if (role !== "sending" || sendingIps.length === 0) {
    const observed = "No sending address is known.";
    return { evaluation: { status: "not_tested", observed }, evidence: [] };
  }
  if (!subject) return undefined;
  const { root, tree } = subject;
  const evaluated = [];
  for (const address of sendingIps)
    evaluated.push({ address, ...(await evaluateSpf(root, { nodes: tree.nodes, address, dns })) });
  const statuses = evaluated.map(({ result }) => STATUSES[result]);
  const status = worstStatus(statuses);
  const worst = evaluated.filter((_, index) => statuses[index] === status);
  const observed = listed(
    worst.map(({ address, result, by = [] }) => {
      const term = by.length > 0 ? ` (${shownPath(by)})` : "";
      return `${address} ${MEANINGS[result]}${term}`;
    }),
  );
  const isWrong = status === "fail" || status === "warn";
  const fix =
    isWrong && ownFix(subject, "Replace the record with this one. Every sending address passes with it.");
  return {
    evaluation: { status, observed: `${observed}.`, ...(fix && { fix }) },
    evidence: distinct(evaluated.flatMap((one) => one.evidence)),
  };
}

/** Removes duplicates: addresses share lookups. */
function distinct(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((one) => [`${one.type} ${one.name}`, one])).values()];
}
