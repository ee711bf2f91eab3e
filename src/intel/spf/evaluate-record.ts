import type { DomainRole } from "../catalogue.ts";
import type { Evaluation, Fix } from "../check-result.ts";
import { fixOf, type SpfRepair } from "./offer-repair.ts";
import { shorten, shownPath } from "./shown-terms.ts";
import type { SpfFinding, SpfNode, SpfTree } from "./spf-tree.ts";

/** Record of a domain, with its context. */
export interface Subject {
  readonly domain: string;
  readonly role: DomainRole;
  readonly tree: SpfTree;
  readonly root: SpfNode;
  /** The record with all repairs of its own text. */
  readonly repair: SpfRepair;
  /** The same repair without ptr. */
  readonly repairWithoutPtr: SpfRepair;
}

const MAX_SHOWN = 5;

/** Judges `auth.spf.all`: the policy for senders that the record does not name. */
export function evaluateAll(subject: Subject): Evaluation {
  const { role, root, tree } = subject;
  const isParked = role === "parked";
  if (root.open !== undefined)
    return {
      status: "fail",
      observed: `All or nearly all addresses may send in the domain's name: ${shorten(root.open)}.`,
      fix: ownFix(
        subject,
        "Replace the record with this one. It allows the senders that it names. If other servers send for the domain, add their addresses first.",
      ),
    };
  const unknown = unknownOf(tree, ["TXT"]);
  if (unknown) return unknown;
  if (root.end === "varies")
    return { status: "not_tested", observed: "The policy for other senders depends on the mail." };
  if (isParked) return evaluateParked(subject);
  const says = { "-": "-all (fail)", "~": "~all (softfail)", "+": "+all" } as const;
  if (root.end === "-" || root.end === "~")
    return { status: "pass", observed: `The policy for other senders is ${says[root.end]}.` };
  const observed =
    root.end === "?"
      ? "The record ends in ?all, which sets no policy for other senders."
      : "The record has no all and no redirect to a record with all, so it sets no policy for other senders.";
  return { status: "warn", observed, fix: ownFix(subject, "Replace the record with this one.") };
}

function evaluateParked(subject: Subject): Evaluation {
  const { root } = subject;
  const fix = ownFix(subject, "Replace the record with this one. It declares that the domain sends no mail.");
  if (root.end !== "-") {
    const status = root.end === "~" ? "warn" : "fail";
    return { status, observed: "The domain is parked, but its record does not end in -all.", fix };
  }
  if (root.allows.length === 0)
    return { status: "pass", observed: "No address may send in the domain's name." };
  const observed = `The domain is parked, but these may send: ${listed(root.allows)}.`;
  return { status: "warn", observed, fix };
}

/** Judges `auth.spf.after_all`. Modifiers may appear anywhere. */
export function evaluateAfterAll(subject: Subject): Evaluation {
  const { terms } = subject.root.record;
  const end = terms.findIndex(({ term }) => term.kind === "all");
  const late = end < 0 ? [] : terms.slice(end + 1).filter(({ term }) => "qualifier" in term);
  if (late.length === 0) return { status: "pass", observed: "No mechanism follows all." };
  const observed = `These mechanisms follow all, so receivers ignore them: ${listed(late.map(({ text }) => text))}.`;
  return {
    status: "warn",
    observed,
    fix: ownFix(subject, "Replace the record with this one. all comes last."),
  };
}

/** `auth.spf.redirect_ignored`. */
export function evaluateRedirect(subject: Subject): Evaluation {
  const { terms } = subject.root.record;
  const redirect = terms.find(({ term }) => term.kind === "redirect");
  if (!redirect || !terms.some(({ term }) => term.kind === "all"))
    return { status: "pass", observed: redirect ? "redirect appears without all." : "There is no redirect." };
  const observed = `${shorten(redirect.text)} appears in a record with all, so receivers ignore it.`;
  return { status: "warn", observed, fix: ownFix(subject, "Replace the record with this one.") };
}

/** Judges `auth.spf.ptr`, in the record or in a record that it references. */
export function evaluatePtr(subject: Subject): Evaluation {
  const { tree, domain, root, repairWithoutPtr } = subject;
  const found = tree.findings.filter(({ kind }) => kind === "ptr");
  if (found.length === 0) return unknownOf(tree, ["TXT"]) ?? { status: "pass", observed: "There is no ptr." };
  const isOwn = found.some(({ trail }) => trail.length === 0);
  const fix: Fix = isOwn
    ? fixOf(repairWithoutPtr, domain, "Replace the record with this one.", root.text)
    : { text: "Ask the operators of the records with ptr to name addresses instead." };
  return { status: "warn", observed: `ptr is used: ${positions(found)}.`, fix };
}

/** The record with all repairs of its own text. For a parked domain, the recommended record. */
export function ownFix({ domain, root, repair }: Subject, text: string): Fix {
  return fixOf(repair, domain, text, root.text);
}

/** An error if one of these lookups failed: its answer might change the result. */
export function unknownOf(
  { findings }: SpfTree,
  types: readonly SpfFinding["type"][],
): Evaluation | undefined {
  const unknown = findings.filter(({ kind, type }) => kind === "unknown" && types.includes(type));
  if (unknown.length === 0) return undefined;
  return { status: "error", observed: `Some lookups failed. ${explained(unknown)}` };
}

/** A list of the places of these findings. */
export function positions(findings: readonly SpfFinding[]): string {
  return listed(findings.map(({ trail, text }) => shownPath([...trail, text])));
}

/** The places and meanings of these findings, as sentences. */
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
