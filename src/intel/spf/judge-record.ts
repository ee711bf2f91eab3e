import type { DomainRole } from "../catalogue.ts";
import type { Fix, Judgement } from "../check-result.ts";
import { fixOf, type SpfRepair } from "./offer-repair.ts";
import { shorten, shownPath } from "./shown-terms.ts";
import type { SpfFinding, SpfNode, SpfTree } from "./spf-tree.ts";

/** What the record of a domain is judged by. */
export interface Subject {
  readonly domain: string;
  readonly role: DomainRole;
  readonly tree: SpfTree;
  readonly root: SpfNode;
  /** The record with all that can be repaired in its own text. */
  readonly repair: SpfRepair;
  /** The same without ptr. */
  readonly repairWithoutPtr: SpfRepair;
}

const MAX_SHOWN = 5;

/** `auth.spf.all`: what becomes of senders that the record does not name. */
export function judgeAll(subject: Subject): Judgement {
  const { role, root, tree } = subject;
  const isParked = role === "parked";
  if (root.open !== undefined)
    return {
      status: "fail",
      observed: `Everybody, or nearly everybody, may send in the domain's name: ${shorten(root.open)}.`,
      fix: ownFix(
        subject,
        "Put this record in its place: it allows the senders it names. If other servers send for the domain, add their addresses first.",
      ),
    };
  const unknown = unknownOf(tree, ["TXT"]);
  if (unknown) return unknown;
  if (root.end === "varies")
    return { status: "not_tested", observed: "What becomes of other senders depends on the mail." };
  if (isParked) return judgeParked(subject);
  const says = { "-": "-all: they fail", "~": "~all: they are suspicious", "+": "+all" } as const;
  if (root.end === "-" || root.end === "~")
    return { status: "pass", observed: `Other senders meet ${says[root.end]}.` };
  const observed =
    root.end === "?"
      ? "The record ends in ?all, which says nothing about other senders."
      : "The record has no all and no redirect that leads to one, and so says nothing about other senders.";
  return { status: "warn", observed, fix: ownFix(subject, "Put this record in its place.") };
}

function judgeParked(subject: Subject): Judgement {
  const { root } = subject;
  const fix = ownFix(subject, "Put this record in its place: it says that the domain sends no mail.");
  if (root.end !== "-") {
    const status = root.end === "~" ? "warn" : "fail";
    return { status, observed: "The domain is parked, and its record does not end in -all.", fix };
  }
  if (root.allows.length === 0) return { status: "pass", observed: "Nobody may send in the domain's name." };
  const observed = `The domain is parked, and yet these may send: ${listed(root.allows)}.`;
  return { status: "warn", observed, fix };
}

/** `auth.spf.after_all`. Modifiers may stand anywhere. */
export function judgeAfterAll(subject: Subject): Judgement {
  const { terms } = subject.root.record;
  const end = terms.findIndex(({ term }) => term.kind === "all");
  const late = end < 0 ? [] : terms.slice(end + 1).filter(({ term }) => "qualifier" in term);
  if (late.length === 0) return { status: "pass", observed: "No mechanism follows all." };
  const observed = `These follow all, and nobody heeds them: ${listed(late.map(({ text }) => text))}.`;
  return { status: "warn", observed, fix: ownFix(subject, "Put this record in its place: all comes last.") };
}

/** `auth.spf.redirect_ignored`. */
export function judgeRedirect(subject: Subject): Judgement {
  const { terms } = subject.root.record;
  const redirect = terms.find(({ term }) => term.kind === "redirect");
  if (!redirect || !terms.some(({ term }) => term.kind === "all"))
    return { status: "pass", observed: redirect ? "redirect stands without all." : "There is no redirect." };
  const observed = `${shorten(redirect.text)} stands beside all, and so nobody heeds it.`;
  return { status: "warn", observed, fix: ownFix(subject, "Put this record in its place.") };
}

/** `auth.spf.ptr`, in the record or in what it leads to. */
export function judgePtr(subject: Subject): Judgement {
  const { tree, domain, root, repairWithoutPtr } = subject;
  const found = tree.findings.filter(({ kind }) => kind === "ptr");
  if (found.length === 0) return unknownOf(tree, ["TXT"]) ?? { status: "pass", observed: "There is no ptr." };
  const isOwn = found.some(({ trail }) => trail.length === 0);
  const fix: Fix = isOwn
    ? fixOf(repairWithoutPtr, domain, "Put this record in its place.", root.text)
    : { text: "Ask those whose records have ptr to name addresses instead." };
  return { status: "warn", observed: `ptr is in use: ${places(found)}.`, fix };
}

/** The record with all repairs of its own text; of a parked domain, the one that it ought to have. */
export function ownFix({ domain, root, repair }: Subject, text: string): Fix {
  return fixOf(repair, domain, text, root.text);
}

/** An error, if one of these lookups failed: what is behind it might change the verdict. */
export function unknownOf(
  { findings }: SpfTree,
  types: readonly SpfFinding["type"][],
): Judgement | undefined {
  const unknown = findings.filter(({ kind, type }) => kind === "unknown" && types.includes(type));
  if (unknown.length === 0) return undefined;
  return { status: "error", observed: `Not all is known. ${explained(unknown)}` };
}

/** Where these were found, as a list. */
export function places(findings: readonly SpfFinding[]): string {
  return listed(findings.map(({ trail, text }) => shownPath([...trail, text])));
}

/** Where these were found, and what each means, as sentences. */
export function explained(findings: readonly SpfFinding[]): string {
  const sentences = findings
    .slice(0, MAX_SHOWN)
    .map(({ trail, text, message }) => `${shownPath([...trail, text])}: ${shorten(message, 300)}`);
  return [...sentences, ...rest(findings.length)].join(" ");
}

export function listed(texts: readonly string[]): string {
  return [...texts.slice(0, MAX_SHOWN).map((text) => shorten(text, 300)), ...rest(texts.length)].join(", ");
}

function rest(count: number): string[] {
  return count > MAX_SHOWN ? [`and ${count - MAX_SHOWN} more`] : [];
}
