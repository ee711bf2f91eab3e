import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import { type Evaluation, type Fix, fixFields, observedFields } from "../check-result.ts";
import { explained, ownFix, positions, type Subject, unknownOf } from "./evaluate-record.ts";
import { MAX_SHOWN, moreThan, shownList } from "./shown-list.ts";
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
      ? ownFix(subject, phrase("spf.replace_if_meant"))
      : fixFields(phrase("spf.ask_repair_or_remove"));
    const observed = phrases(phrase("spf.invalid"), explained(wrong));
    return { status: "fail", ...observedFields(observed), fix };
  }
  const unknown = unknownOf(tree, ["TXT"]);
  if (unknown) return unknown;
  if (doubts.length === 0) return { status: "pass", ...observedFields(phrase("spf.valid")) };
  const isOwn = doubts.some(({ trail }) => trail.length === 0);
  const fix = isOwn ? ownFix(subject, phrase("spf.replace_if_meant")) : fixFields(phrase("spf.ask_repair"));
  return { status: "warn", ...observedFields(explained(doubts)), fix };
}

/** Judges `auth.spf.lookups`. A count above the limit stays above it, whatever the failed lookups would add. */
export function evaluateLookups(subject: Subject): Evaluation {
  const { tree, root } = subject;
  const wrong = findingsOf(tree, ["loop", "exchanges"]);
  const unknown = unknownOf(tree, ["TXT", "MX"]);
  const varying = findingsOf(tree, ["varies"]).filter(({ text }) => /include:|redirect=/i.test(text));
  const counted = phrases(unknown && phrase("spf.at_least"), countedLookups(root));
  const { list, more } = positions(varying);
  const beyond = varying.length > 0 && phrases(phrase("spf.varying", { list }), more);
  if (root.lookups > MAX_LOOKUPS || wrong.length > 0) {
    const path = shownPath(crossing(root, 0));
    const where = root.lookups > MAX_LOOKUPS && phrase("spf.eleventh", { path });
    const observed = phrases(counted, where, beyond, explained(wrong));
    return { status: "fail", ...observedFields(observed), fix: lookupFix(subject, wrong) };
  }
  if (unknown) return behind(counted, unknown);
  const observed = observedFields(phrases(counted, beyond));
  if (root.lookups < MANY_LOOKUPS) return { status: "pass", ...observed };
  return {
    status: "warn",
    ...observed,
    fix: fixFields(phrases(phrase("spf.many_lookups"), costliest(root))),
  };
}

/** `auth.spf.voids`. */
export function evaluateVoids(subject: Subject): Evaluation {
  const { tree, root } = subject;
  const found = findingsOf(tree, ["void"]);
  const unknown = unknownOf(tree, ["TXT", "MX", "A", "AAAA"]);
  const observed = phrases(unknown && phrase("spf.at_least"), countedVoids(root.voids, found));
  if (root.voids > MAX_VOIDS) {
    const { repair } = subject;
    const fix =
      repair.kind === "record" && repair.value !== root.text
        ? ownFix(subject, phrases(phrase("spf.replace"), phrase("spf.no_voids")))
        : fixFields(phrase("spf.remove_voids"));
    return { status: "fail", ...observedFields(observed), fix };
  }
  return unknown ? behind(observed, unknown) : { status: "pass", ...observedFields(observed) };
}

/** A failed evaluation that begins with the incomplete finding. */
function behind(found: Phrase, { observed, observedParts = [], ...rest }: Evaluation): Evaluation {
  return { ...rest, ...observedFields(phrases(found, { text: observed, parts: observedParts })) };
}

function countedVoids(count: number, found: readonly SpfFinding[]): Phrase {
  const { list, more } = positions(found);
  const shown = found.length > 0 ? `: ${list}` : list;
  return phrases(
    count === 1 ? phrase("spf.one_void", { list: shown }) : phrase("spf.voids", { count, list: shown }),
    more,
  );
}

function countedLookups(root: SpfNode): Phrase {
  const { list: branches, more } = shownList([...branchesOf(root), "."]);
  const { lookups: count } = root;
  return phrases(
    count === 1 ? phrase("spf.one_lookup", { branches }) : phrase("spf.lookups", { count, branches }),
    more,
  );
}

function lookupFix(subject: Subject, wrong: readonly SpfFinding[]): Fix {
  const { repair, root } = subject;
  if (repair.kind === "record" && repair.value !== root.text)
    return ownFix(subject, phrases(phrase("spf.replace"), phrase("spf.no_useless_lookups")));
  if (wrong.length > 0 && root.lookups <= MAX_LOOKUPS) return fixFields(phrase("spf.remove_loop"));
  return fixFields(costliest(root));
}

function costliest(root: SpfNode): Phrase {
  const [most] = root.branches.toSorted((one, other) => other.lookups - one.lookups);
  return phrases(
    most && phrase("spf.costliest", { term: shorten(most.text), count: most.lookups }),
    phrase("spf.fewer_lookups"),
  );
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
function branchesOf(node: SpfNode): (string | number)[] {
  const costly = node.branches.toSorted((one, other) => other.lookups - one.lookups);
  const [most] = costly;
  if (!most) return [];
  const [first, ...others] = costly
    .slice(0, MAX_SHOWN)
    .map(({ text, lookups }) => `${shorten(text)} ${lookups}`);
  const below = most.node && most.lookups > 1 ? branchesOf(most.node) : [];
  const rest = others.map((other) => `, ${other}`);
  return [` (${first}`, ...below, ...rest, ...moreThan(costly.length), ")"];
}

function findingsOf({ findings }: SpfTree, kinds: readonly SpfFinding["kind"][]): SpfFinding[] {
  return findings.filter(({ kind }) => kinds.includes(kind));
}
