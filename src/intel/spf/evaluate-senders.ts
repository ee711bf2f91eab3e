import { phrase, phrases } from "../../shared/phrase.ts";
import { type CheckStatus, type Evaluation, type Evidence, observedFields } from "../check-result.ts";
import { worstStatus } from "../worst-status.ts";
import { ownFix, type Subject } from "./evaluate-record.ts";
import { evaluateSpf, type SpfResult } from "./evaluate-spf.ts";
import type { RepairedDomain } from "./offer-repair.ts";
import { MAX_SHOWN } from "./shown-list.ts";
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
const MEANINGS = {
  pass: "spf.sender_pass",
  fail: "spf.sender_fail",
  permerror: "spf.sender_permerror",
  softfail: "spf.sender_softfail",
  neutral: "spf.sender_neutral",
  temperror: "spf.sender_temperror",
  unknown: "spf.sender_varies",
} as const satisfies Readonly<Record<SpfResult, string>>;

/** Judges `auth.spf.senders`: SPF as receivers evaluate it, for each sending address. The worst address counts. */
export async function evaluateSenders(
  subject: Subject | undefined,
  { role, sendingIps, dns }: RepairedDomain,
): Promise<{ readonly evaluation: Evaluation; readonly evidence: readonly Evidence[] } | undefined> {
  if (role !== "sending" || sendingIps.length === 0) {
    const observed = observedFields(phrase("spf.senders_unknown"));
    return { evaluation: { status: "not_tested", ...observed }, evidence: [] };
  }
  if (!subject) return undefined;
  const { root, tree } = subject;
  const evaluated = [];
  for (const address of sendingIps)
    evaluated.push({ address, ...(await evaluateSpf(root, { nodes: tree.nodes, address, dns })) });
  const statuses = evaluated.map(({ result }) => STATUSES[result]);
  const status = worstStatus(statuses);
  const worst = evaluated.filter((_, index) => statuses[index] === status);
  const shown = worst.slice(0, MAX_SHOWN).map(({ address, result, by = [] }, index) => {
    const term = by.length > 0 ? ` (${shownPath(by)})` : "";
    return phrase(MEANINGS[result], { address, term, end: index + 1 < worst.length ? "," : "." });
  });
  const more = worst.length - shown.length;
  const observed = phrases(...shown, more > 0 && phrase("spf.more", { more, rest: "." }));
  const isWrong = status === "fail" || status === "warn";
  const fix = isWrong && ownFix(subject, phrases(phrase("spf.replace"), phrase("spf.every_passes")));
  return {
    evaluation: { status, ...observedFields(observed), ...(fix && { fix }) },
    evidence: distinct(evaluated.flatMap((one) => one.evidence)),
  };
}

/** Removes duplicates: addresses share lookups. */
function distinct(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((one) => [`${one.type} ${one.name}`, one])).values()];
}
