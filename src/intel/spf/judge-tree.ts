import type { Judgement } from "../check-result.ts";
import { explained, listed, ownFix, places, type Subject, unknownOf } from "./judge-record.ts";
import { shorten, shownPath } from "./shown-terms.ts";
import { MAX_LOOKUPS, MAX_VOIDS } from "./spf-term.ts";
import type { SpfFinding, SpfNode, SpfTree } from "./spf-tree.ts";

/** From here on the next service that is added, or one more include of another's, is too much. */
const MANY_LOOKUPS = 9;

/** `auth.spf.syntax`: the record and all that it leads to can be read. */
export function judgeSyntax(subject: Subject): Judgement {
  const { tree } = subject;
  const wrong = findingsOf(tree, ["fault", "missing", "several"]);
  const doubts = findingsOf(tree, ["doubt"]);
  if (wrong.length > 0) {
    // What is doubtful in the record itself can be mended whatever is wrong elsewhere.
    const isOwn = [...wrong, ...doubts].some(({ trail, kind }) => trail.length === 0 && kind !== "several");
    const fix = isOwn
      ? ownFix(subject, "Put this record in its place, if that is what was meant.")
      : { text: "Ask those whose records these are to repair them, or leave out what leads there." };
    return { status: "fail", observed: `Receivers use no part of the record. ${explained(wrong)}`, fix };
  }
  const unknown = unknownOf(tree, ["TXT"]);
  if (unknown) return unknown;
  if (doubts.length === 0)
    return { status: "pass", observed: "The record and what it leads to can be read." };
  const isOwn = doubts.some(({ trail }) => trail.length === 0);
  const fix = isOwn
    ? ownFix(subject, "Put this record in its place, if that is what was meant.")
    : { text: "Ask those whose records these are to repair them." };
  return { status: "warn", observed: explained(doubts), fix };
}

/** `auth.spf.lookups`: a count that is too high already stays so, whatever else is behind what is not known. */
export function judgeLookups(subject: Subject): Judgement {
  const { tree, root } = subject;
  const wrong = findingsOf(tree, ["loop", "exchanges"]);
  const unknown = unknownOf(tree, ["TXT", "MX"]);
  const varying = findingsOf(tree, ["varies"]).filter(({ text }) => /include:|redirect=/i.test(text));
  const counted = `${unknown ? "At least " : ""}${plural(root.lookups, "DNS lookup")}${branchesOf(root, "lookups")}.`;
  const beyond = varying.length > 0 ? ` Behind these may be more: ${places(varying)}.` : "";
  if (root.lookups > MAX_LOOKUPS || wrong.length > 0) {
    const where =
      root.lookups > MAX_LOOKUPS ? ` The eleventh is ${listed([shownPath(crossing(root, 0))])}.` : "";
    const observed = [`${counted}${where}${beyond}`, explained(wrong)].filter(Boolean).join(" ");
    return { status: "fail", observed, fix: lookupFix(subject, wrong) };
  }
  if (unknown) return { ...unknown, observed: `${counted} ${unknown.observed}` };
  if (root.lookups < MANY_LOOKUPS) return { status: "pass", observed: `${counted}${beyond}` };
  const fix = { text: `One more than ten makes the record useless. ${costliest(root)}` };
  return { status: "warn", observed: `${counted}${beyond}`, fix };
}

/** `auth.spf.voids`. */
export function judgeVoids(subject: Subject): Judgement {
  const { tree, root } = subject;
  const found = findingsOf(tree, ["void"]);
  const unknown = unknownOf(tree, ["TXT", "MX", "A", "AAAA"]);
  const count = `${unknown ? "At least " : ""}${plural(root.voids, "lookup")} ${root.voids === 1 ? "has" : "have"} no answer`;
  const observed = found.length > 0 ? `${count}: ${places(found)}.` : `${count}.`;
  if (root.voids > MAX_VOIDS) {
    const { repair } = subject;
    const fix =
      repair.kind === "record" && repair.value !== root.text
        ? ownFix(subject, "Put this record in its place: it does without the names that have nothing.")
        : {
            text: "Leave out what leads to names that have nothing, or ask those whose records these are to do so.",
          };
    return { status: "fail", observed, fix };
  }
  return unknown ? { ...unknown, observed: `${observed} ${unknown.observed}` } : { status: "pass", observed };
}

function lookupFix(subject: Subject, wrong: readonly SpfFinding[]): NonNullable<Judgement["fix"]> {
  const { repair, root } = subject;
  if (repair.kind === "record" && repair.value !== root.text)
    return ownFix(subject, "Put this record in its place: it does without lookups that lead to nothing.");
  if (wrong.length > 0 && subject.root.lookups <= MAX_LOOKUPS)
    return {
      text: "Leave out what leads back, and name addresses with ip4 and ip6 instead of an mx of more than ten hosts.",
    };
  return { text: costliest(subject.root) };
}

function costliest(root: SpfNode): string {
  const [most] = root.branches.toSorted((one, other) => other.lookups - one.lookups);
  const what = most ? `${shorten(most.text)} needs ${most.lookups}. ` : "";
  return `${what}Leave out services that are not in use any more, name their addresses with ip4 and ip6, or let them send from a subdomain that has a record of its own.`;
}

/** The terms that lead to the lookup that is one too many. */
function crossing({ branches }: SpfNode, before: number): string[] {
  let count = before;
  for (const { text, lookups, node } of branches) {
    if (count + lookups > MAX_LOOKUPS)
      return count + 1 > MAX_LOOKUPS || !node ? [text] : [text, ...crossing(node, count + 1)];
    count += lookups;
  }
  return [];
}

/** What each branch of the record costs, the costliest first, with what is below the costliest one. */
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
