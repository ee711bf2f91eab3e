import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type { DomainRole } from "../catalogue.ts";
import { type Evaluation, type Fix, fixFields, observedFields } from "../check-result.ts";
import { fixOf, type SpfRepair } from "./offer-repair.ts";
import { listed, MAX_SHOWN, type ShownList } from "./shown-list.ts";
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

/** Judges `auth.spf.all`: the policy for senders that the record does not name. */
export function evaluateAll(subject: Subject): Evaluation {
  const { role, root, tree } = subject;
  const isParked = role === "parked";
  if (root.open !== undefined)
    return {
      status: "fail",
      ...observedFields(phrase("spf.open", { terms: shorten(root.open) })),
      fix: ownFix(subject, phrases(phrase("spf.replace"), phrase("spf.allows_named"))),
    };
  const unknown = unknownOf(tree, ["TXT"]);
  if (unknown) return unknown;
  if (root.end === "varies") return { status: "not_tested", ...observedFields(phrase("spf.all_varies")) };
  if (isParked) return evaluateParked(subject);
  if (root.end === "-") return { status: "pass", ...observedFields(phrase("spf.all_fail")) };
  if (root.end === "~") return { status: "pass", ...observedFields(phrase("spf.all_softfail")) };
  const observed = phrase(root.end === "?" ? "spf.all_neutral" : "spf.all_missing");
  return { status: "warn", ...observedFields(observed), fix: ownFix(subject, phrase("spf.replace")) };
}

function evaluateParked(subject: Subject): Evaluation {
  const { root } = subject;
  const fix = ownFix(subject, phrases(phrase("spf.replace"), phrase("spf.declares_none")));
  if (root.end !== "-") {
    const status = root.end === "~" ? "warn" : "fail";
    return { status, ...observedFields(phrase("spf.parked_end")), fix };
  }
  if (root.allows.length === 0) return { status: "pass", ...observedFields(phrase("spf.parked")) };
  const { list, more } = listed(root.allows);
  return { status: "warn", ...observedFields(phrases(phrase("spf.parked_senders", { list }), more)), fix };
}

/** Judges `auth.spf.after_all`. Modifiers may appear anywhere. */
export function evaluateAfterAll(subject: Subject): Evaluation {
  const { terms } = subject.root.record;
  const end = terms.findIndex(({ term }) => term.kind === "all");
  const late = end < 0 ? [] : terms.slice(end + 1).filter(({ term }) => "qualifier" in term);
  if (late.length === 0) return { status: "pass", ...observedFields(phrase("spf.all_last")) };
  const { list, more } = listed(late.map(({ text }) => text));
  return {
    status: "warn",
    ...observedFields(phrases(phrase("spf.after_all", { list }), more)),
    fix: ownFix(subject, phrases(phrase("spf.replace"), phrase("spf.comes_last"))),
  };
}

/** `auth.spf.redirect_ignored`. */
export function evaluateRedirect(subject: Subject): Evaluation {
  const { terms } = subject.root.record;
  const redirect = terms.find(({ term }) => term.kind === "redirect");
  if (!redirect || !terms.some(({ term }) => term.kind === "all"))
    return {
      status: "pass",
      ...observedFields(phrase(redirect ? "spf.redirect_alone" : "spf.redirect_none")),
    };
  const observed = phrase("spf.redirect_ignored", { term: shorten(redirect.text) });
  return { status: "warn", ...observedFields(observed), fix: ownFix(subject, phrase("spf.replace")) };
}

/** Judges `auth.spf.ptr`, in the record or in a record that it references. */
export function evaluatePtr(subject: Subject): Evaluation {
  const { tree, domain, root, repairWithoutPtr } = subject;
  const found = tree.findings.filter(({ kind }) => kind === "ptr");
  if (found.length === 0)
    return unknownOf(tree, ["TXT"]) ?? { status: "pass", ...observedFields(phrase("spf.ptr_none")) };
  const isOwn = found.some(({ trail }) => trail.length === 0);
  const fix: Fix = isOwn
    ? fixOf(repairWithoutPtr, domain, phrase("spf.replace"), root.text)
    : fixFields(phrase("spf.ask_ptr"));
  const { list, more } = positions(found);
  return { status: "warn", ...observedFields(phrases(phrase("spf.ptr_used", { list }), more)), fix };
}

/** The record with all repairs of its own text. For a parked domain, the recommended record. */
export function ownFix({ domain, root, repair }: Subject, text: Phrase): Fix {
  return fixOf(repair, domain, text, root.text);
}

/** An error if one of these lookups failed: its answer might change the result. */
export function unknownOf(
  { findings }: SpfTree,
  types: readonly SpfFinding["type"][],
): Evaluation | undefined {
  const unknown = findings.filter(({ kind, type }) => kind === "unknown" && types.includes(type));
  if (unknown.length === 0) return undefined;
  return { status: "error", ...observedFields(phrases(phrase("lookup.some_failed"), explained(unknown))) };
}

/** A list of the places of these findings. */
export function positions(findings: readonly SpfFinding[]): ShownList {
  return listed(findings.map(({ trail, text }) => shownPath([...trail, text])));
}

/** The places and meanings of these findings, as sentences. */
export function explained(findings: readonly SpfFinding[]): Phrase {
  const sentences = findings
    .slice(0, MAX_SHOWN)
    .flatMap(({ trail, text, message }) => [
      phrase("spf.place", { path: shownPath([...trail, text]) }),
      message,
    ]);
  const more = findings.length - MAX_SHOWN;
  return phrases(...sentences, more > 0 && phrase("spf.more_places", { more }));
}
