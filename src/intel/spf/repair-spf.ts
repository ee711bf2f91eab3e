import { constantName, isWellFormedName } from "./macro-string.ts";
import { parseTerm } from "./parse-spf.ts";
import { matchesEverybody, type SpfTerm } from "./spf-term.ts";
import type { SpfBranch, SpfNode } from "./spf-tree.ts";

export interface Repair {
  readonly value: string;
  /** Of the record; missing: it has terms that nobody comes to so far. */
  readonly lookups?: number;
  readonly voids?: number;
}

export interface RepairOptions {
  readonly withoutPtr?: boolean;
}

interface Word {
  readonly text: string;
  readonly term: SpfTerm;
  readonly branch?: SpfBranch;
}

/** Nobody writes longer terms, and the patterns below may go back over a hostile one again and again. */
const MAX_CORRECTED = 255;
const GLUED_ALL = /.[-~?+]all$/i;
const MECHANISM = /^(?:all|include|a|mx|ptr|ip4|ip6|exists)$/i;

/**
 * The record with all that can be repaired in its own text, so that it is to be published once. Who passes now does so
 * then, except everybody; who does not because of a slip of the pen may pass. `all` comes last, and says that others
 * are suspicious where it said less.
 */
export function repairSpf(node: SpfNode, { withoutPtr = false }: RepairOptions = {}): Repair {
  const branches = new Map(node.branches.map((branch) => [branch.offset, branch]));
  const words = [...node.text.matchAll(/[^ ]+/g)].slice(1).flatMap((found) => {
    const branch = branches.get(found.index);
    // "include:example.com-all" is a name, and most likely not meant as one.
    if (branch?.state === "dead" && GLUED_ALL.test(found[0])) return corrected(found[0]);
    return readable(found[0]).map((word): Word => ({ ...word, ...(branch && { branch }) }));
  });
  const all = words.find(({ term }) => term.kind === "all")?.term;
  const kept = unique(words.filter((word) => isWorthwhile(word, withoutPtr)));
  const redirect = all ? undefined : kept.find(({ term }) => term.kind === "redirect");
  const mechanisms = kept.filter(({ term }) => "qualifier" in term);
  const explanation = kept.find(({ term }) => term.kind === "exp");
  const unknown = kept.filter(({ term }) => term.kind === "unknown");
  const others = [...(explanation ? [explanation] : []), ...unknown];
  const end = redirect?.text ?? endOf(all);
  const text = (word: Word) => word.text;
  const value = ["v=spf1", ...mechanisms.map(text), end, ...others.map(text)].join(" ");
  const costly = [...mechanisms, ...(redirect ? [redirect] : [])].filter(({ term }) => isCostly(term));
  if (costly.some(({ branch }) => !branch)) return { value };
  const sum = (count: "lookups" | "voids") =>
    costly.reduce((before, { branch }) => before + (branch?.[count] ?? 0), 0);
  return { value, lookups: sum("lookups"), voids: sum("voids") };
}

/** The terms that a word is or most likely is meant to be; none: nobody knows. */
function readable(word: string): Word[] {
  const reading = parseTerm(word);
  if ("value" in reading) {
    const term = reading.value;
    if (term.kind !== "unknown" || !MECHANISM.test(term.name)) return [{ text: word, term }];
  }
  return corrected(word);
}

function corrected(word: string): Word[] {
  return correctionsOf(word).flatMap((text) => {
    const reading = parseTerm(text);
    return "value" in reading ? [{ text, term: reading.value }] : [];
  });
}

/** Slips that are seen again and again. */
function correctionsOf(word: string): string[] {
  if (word.length > MAX_CORRECTED) return [];
  // "ip4:192.0.2.1-all", and a comma or quotation mark at an end.
  const [, first = "", all] = /^(.+?)([-~?+]all)?$/i.exec(word.replace(/^["',;]+|["',;]+$/g, "")) ?? [];
  const [, sign = "", name = "", value = ""] = /^([-+~?]?)([a-z][a-z0-9]*)[:=](.+)$/i.exec(first) ?? [];
  const kind = name.toLowerCase();
  const term = () => {
    if (/^(?:ip|ipv4|ipv6|ip4|ip6|a|mx)$/.test(kind) && /^[\d.]+(?:\/\d+)?$/.test(value))
      return `ip4:${value}`;
    if (/^(?:ip|ipv4|ipv6|ip4|ip6|a|mx)$/.test(kind) && /^[\da-f]*:[\da-f:.]+(?:\/\d+)?$/i.test(value))
      return `ip6:${value}`;
    if (kind === "redirect") return `redirect=${value}`;
    return MECHANISM.test(kind) ? `${kind}:${value}` : "";
  };
  const rest = kind === "" ? first : `${kind === "redirect" ? "" : sign}${term()}`;
  return [rest, ...(all === undefined ? [] : [all])];
}

function isWorthwhile({ term, branch }: Word, withoutPtr: boolean): boolean {
  if (term.kind === "all" || branch?.state === "void" || branch?.state === "dead") return false;
  if (term.kind === "ptr" && withoutPtr) return false;
  const passes = "qualifier" in term && term.qualifier === "+";
  if (passes && (matchesEverybody(term) || branch?.open !== undefined)) return false;
  if (term.kind === "redirect" && branch?.open !== undefined) return false;
  const name = "domain" in term && term.domain ? constantName(term.domain) : undefined;
  return name === undefined || isWellFormedName(name);
}

/** Capitals matter in macros alone. */
function unique(words: readonly Word[]): Word[] {
  const key = ({ text }: Word) => (text.includes("%") ? text : text.toLowerCase()).replace(/^\+/, "");
  return [...new Map(words.toReversed().map((word) => [key(word), word])).values()].toReversed();
}

function endOf(all: SpfTerm | undefined): string {
  const isStrict = all?.kind === "all" && all.qualifier === "-";
  return isStrict ? "-all" : "~all";
}

function isCostly({ kind }: SpfTerm): boolean {
  return ["include", "redirect", "a", "mx", "ptr", "exists"].includes(kind);
}
