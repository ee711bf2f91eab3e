import type { Evaluation } from "../check-result.ts";
import { explained, listed, ownFix, positions, type Subject, unknownOf } from "./evaluate-record.ts";
import { shorten, shownPath } from "./shown-terms.ts";
import { MAX_LOOKUPS, MAX_VOIDS } from "./spf-term.ts";
import type { SpfFinding, SpfNode, SpfTree } from "./spf-tree.ts";

/** From this number on, one more service, or one more include in a referenced record, exceeds the limit. */
const MANY_LOOKUPS = 9;

/** Judges `auth.spf.syntax`: the record and all records that it references are valid. */
export function evaluateSyntax(subject: Subject): Evaluation {
  const { tree } = subject;
  const wrong = findingsOf(tree, ["fault", "missing", "several"]);
  const doubts = findingsOf(tree, ["doubt"]);
  if (wrong.length > 0) {
    // Doubtful parts of the record itself can be repaired regardless of other faults.
    const isOwn = [...wrong, ...doubts].some(({ trail, kind }) => trail.length === 0 && kind !== "several");
    const fix = isOwn
      ? ownFix(subject, "Replace the record with this one, if it has the intended meaning.")
      : {
          text: "Ask the operators of these records to repair them, or remove the terms that reference them.",
        };
    return { status: "fail", observed: `Receivers ignore the whole record. ${explained(wrong)}`, fix };
  }
  const unknown = unknownOf(tree, ["TXT"]);
  if (unknown) return unknown;
  if (doubts.length === 0)
    return { status: "pass", observed: "The record and all records that it references are valid." };
  const isOwn = doubts.some(({ trail }) => trail.length === 0);
  const fix = isOwn
    ? ownFix(subject, "Replace the record with this one, if it has the intended meaning.")
    : { text: "Ask the operators of these records to repair them." };
  return { status: "warn", observed: explained(doubts), fix };
}

/** Judges `auth.spf.lookups`. A count above the limit stays above it, whatever the failed lookups would add. */
export function evaluateLookups(subject: Subject): Evaluation {
  const { tree, root } = subject;
  const wrong = findingsOf(tree, ["loop", "exchanges"]);
  const unknown = unknownOf(tree, ["TXT", "MX"]);
  const varying = findingsOf(tree, ["varies"]).filter(({ text }) => /include:|redirect=/i.test(text));
  const counted = `${unknown ? "At least " : ""}${plural(root.lookups, "DNS lookup")}${branchesOf(root, "lookups")}.`;
  const beyond = varying.length > 0 ? ` These terms may need more lookups: ${positions(varying)}.` : "";
  if (root.lookups > MAX_LOOKUPS || wrong.length > 0) {
    const where =
      root.lookups > MAX_LOOKUPS ? ` The eleventh lookup is ${listed([shownPath(crossing(root, 0))])}.` : "";
    const observed = [`${counted}${where}${beyond}`, explained(wrong)].filter(Boolean).join(" ");
    return { status: "fail", observed, fix: lookupFix(subject, wrong) };
  }
  if (unknown) return { ...unknown, observed: `${counted} ${unknown.observed}` };
  if (root.lookups < MANY_LOOKUPS) return { status: "pass", observed: `${counted}${beyond}` };
  const fix = { text: `More than ten lookups invalidate the record. ${costliest(root)}` };
  return { status: "warn", observed: `${counted}${beyond}`, fix };
}

/** `auth.spf.voids`. */
export function evaluateVoids(subject: Subject): Evaluation {
  const { tree, root } = subject;
  const found = findingsOf(tree, ["void"]);
  const unknown = unknownOf(tree, ["TXT", "MX", "A", "AAAA"]);
  const count = `${unknown ? "At least " : ""}${plural(root.voids, "lookup")} ${root.voids === 1 ? "finds" : "find"} no records`;
  const observed = found.length > 0 ? `${count}: ${positions(found)}.` : `${count}.`;
  if (root.voids > MAX_VOIDS) {
    const { repair } = subject;
    const fix =
      repair.kind === "record" && repair.value !== root.text
        ? ownFix(subject, "Replace the record with this one. It has no void lookups.")
        : {
            text: "Remove the terms that reference names without records, or ask the operators of these records to do so.",
          };
    return { status: "fail", observed, fix };
  }
  return unknown ? { ...unknown, observed: `${observed} ${unknown.observed}` } : { status: "pass", observed };
}

function lookupFix(subject: Subject, wrong: readonly SpfFinding[]): NonNullable<Evaluation["fix"]> {
  const { repair, root } = subject;
  if (repair.kind === "record" && repair.value !== root.text)
    return ownFix(subject, "Replace the record with this one. It has no lookups without a result.");
  if (wrong.length > 0 && subject.root.lookups <= MAX_LOOKUPS)
    return {
      text: "Remove the terms that form a loop, and replace an mx of more than ten hosts with ip4 and ip6 addresses.",
    };
  return { text: costliest(subject.root) };
}

function costliest(root: SpfNode): string {
  const [most] = root.branches.toSorted((one, other) => other.lookups - one.lookups);
  const what = most ? `${shorten(most.text)} needs ${most.lookups}. ` : "";
  return `${what}Remove services that are no longer used, list their addresses with ip4 and ip6, or let them send from a subdomain with its own record.`;
}

/** The terms that lead to the first lookup beyond the limit. */
function crossing({ branches }: SpfNode, before: number): string[] {
  let count = before;
  for (const { text, lookups, node } of branches) {
    if (count + lookups > MAX_LOOKUPS)
      return count + 1 > MAX_LOOKUPS || !node ? [text] : [text, ...crossing(node, count + 1)];
    count += lookups;
  }
  return [];
}

/** The cost of each branch of the record, the costliest first, with the branches below it. */
function branchesOf(node: SpfNode, count: "lookups" | "voids"): string {
  const costly = node.branches.toSorted((one, other) => other[count] - one[count]);
  if (costly.length === 0) return "";
  const [most] = costly;
  const below = most?.node && most[count] > 1 ? branchesOf(most.node, count) : "";
  const texts = costly.map((branch) => `${shorten(branch.text)} ${branch[count]}`);
  return ` (${listed([`${texts[0]}${below}`, ...texts.slice(1)])})`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function findingsOf({ findings }: SpfTree, kinds: readonly SpfFinding["kind"][]): SpfFinding[] {
  return findings.filter(({ kind }) => kinds.includes(kind));
}
