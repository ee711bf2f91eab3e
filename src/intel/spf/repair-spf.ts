import { isIP } from "node:net";
import type { sentenceWords } from "../../../contracts/common/sentences/sentences.ts";
import { allowsSenders } from "./find-passing.ts";
import { type MendedWord, mendWord, type ReadTerm, type SpfWord, wordsOf } from "./mend-words.ts";
import { formatTerm, MAX_RECORD_LENGTH, matchesMost, type SpfTerm } from "./spf-term.ts";
import type { SpfBranch, SpfNode } from "./spf-tree.ts";

/** A TXT record that is an SPF record, or was meant as one. */
export interface SpfText {
  /** Its strings joined. */
  readonly text: string;
  /** Offsets at which two of its strings meet. */
  readonly seams: readonly number[];
  /** Its terms after the walk. Missing: the record was not walked. */
  readonly node?: SpfNode;
}

type LostReason = keyof typeof sentenceWords.spf_lost;

/** A term that a draft removes. */
export interface LostTerm {
  readonly text: string;
  /** Words of `spf_lost`. */
  readonly reason: LostReason;
  /** The term forbids some senders, so its removal may allow them. */
  readonly forbids: boolean;
}

/** A record with the mistakes of its own text corrected. It is created without DNS queries. */
export interface SpfDraft {
  /** Mechanisms except `all`, in order. */
  readonly mechanisms: readonly ReadTerm[];
  /** `-all`, `~all`, or a redirect. */
  readonly end: string;
  readonly modifiers: readonly string[];
  readonly lost: readonly LostTerm[];
  /** A term such as `inlcude:a.example`, and its replacement. */
  readonly corrected: readonly (readonly [from: string, to: string])[];
}

export interface DraftOptions {
  readonly withoutPtr?: boolean;
  /** Includes terms that receivers ignore: terms after `all`, and a redirect in a record with all. */
  readonly withIgnored?: boolean;
}

interface Word extends ReadTerm {
  readonly branch?: SpfBranch;
  readonly isIgnored: boolean;
}

type Reading = { readonly words: readonly Word[] } & Pick<SpfDraft, "lost" | "corrected">;

/** The whole text of a draft. Known sending addresses come first, so that no earlier term forbids them. */
export function formatDraft(
  { mechanisms, end, modifiers }: SpfDraft,
  addresses: readonly string[] = [],
): string {
  const known = addresses.map((address) => `ip${isIP(address) === 6 ? 6 : 4}:${address}`);
  return ["v=spf1", ...known, ...mechanisms.map(({ text }) => text), end, ...modifiers].join(" ");
}

/**
 * Drafts one record with the intended meaning of these. It lists the terms that it removes: the caller decides
 * whether it may.
 */
export function draftRepair(
  records: readonly SpfText[],
  { withoutPtr = false, withIgnored = true }: DraftOptions = {},
): SpfDraft {
  const readings = records.map((record) => readWords(record, records.length > 1));
  const words = readings.flatMap((reading) => reading.words).filter((word) => withIgnored || !word.isIgnored);
  const lost = [...readings.flatMap((reading) => reading.lost)];
  const kept = words.filter((word) => {
    const reason = whyLost(word, withoutPtr);
    if (reason !== undefined) lost.push({ text: word.text, reason, forbids: isNegative(word.term) });
    return reason === undefined;
  });
  const all = words.find(({ term }) => term.kind === "all")?.term;
  const redirects = unique(kept.filter(({ term }) => term.kind === "redirect"));
  const [redirect] = redirects;
  // A record has one redirect, and none together with all. An include allows the same senders.
  const isEnd = all === undefined && redirects.length === 1;
  const includes = isEnd ? [] : redirects.flatMap(({ term }) => includeOf(term));
  const mechanisms = unique([
    ...kept.filter(({ term }) => "qualifier" in term && term.kind !== "all"),
    ...includes,
  ]);
  const explanation = kept.find(({ term }) => term.kind === "exp");
  const unknown = unique(kept.filter(({ term }) => term.kind === "unknown"));
  return {
    mechanisms,
    end: isEnd && redirect ? redirect.text : endOf(all),
    modifiers: [...(explanation ? [explanation] : []), ...unknown].map(({ text }) => text),
    lost,
    corrected: readings.flatMap((reading) => reading.corrected),
  };
}

function readWords({ text, seams, node }: SpfText, isOneOfSeveral: boolean): Reading {
  if (text.length > MAX_RECORD_LENGTH) {
    return { words: [], lost: [{ text, reason: "too_long", forbids: true }], corrected: [] };
  }
  const branches = new Map(node?.branches.map((branch) => [branch.offset, branch]));
  const lost: LostTerm[] = [];
  const corrected: (readonly [string, string])[] = [];
  const words: Word[] = [];
  for (const word of wordsOf(text)) {
    const branch = branches.get(word.offset);
    const mended = mend(word, seams, branch);
    if (mended.kind === "lost") {
      const reason = branch ? "no_record" : "unknown";
      lost.push({ text: word.text, reason, forbids: /^[-~]/.test(word.text) });
    }
    if (!("terms" in mended)) continue;
    const whole = mended.terms.map((one) => one.text).join(" ");
    if (mended.kind === "mended") corrected.push([word.text, whole]);
    const isKept = mended.kind === "kept";
    words.push(
      ...mended.terms.map((one) => ({ ...one, isIgnored: false, ...(isKept && branch && { branch }) })),
    );
  }
  return { words: isOneOfSeveral ? words : markIgnored(words), lost, corrected };
}

function mend(
  { text, offset }: SpfWord,
  seams: readonly number[],
  branch: SpfBranch | undefined,
): MendedWord {
  // A loop allows no sender by itself, whatever it contains.
  if (branch?.isCircle) return { kind: "harmless" };
  return mendWord(text, { isDead: branch?.state === "dead", seams: seams.map((seam) => seam - offset) });
}

function markIgnored(words: readonly Word[]): Word[] {
  const end = words.findIndex(({ term }) => term.kind === "all");
  if (end < 0) return [...words];
  return words.map((word, index) => {
    const isRedirect = word.term.kind === "redirect";
    const isLate = index > end && "qualifier" in word.term && word.term.kind !== "all";
    return isRedirect || isLate ? { ...word, isIgnored: true } : word;
  });
}

/** Why a term cannot stay; undefined: it can. */
function whyLost({ term, branch }: Word, withoutPtr: boolean): LostReason | undefined {
  if (term.kind === "all") return undefined;
  if (term.kind === "ptr" && withoutPtr) return "ptr";
  if (allowsSenders(term) && (matchesMost(term) || branch?.open !== undefined)) return "open";
  return undefined;
}

function isNegative(term: SpfTerm): boolean {
  return "qualifier" in term && (term.qualifier === "-" || term.qualifier === "~");
}

function includeOf(term: SpfTerm): ReadTerm[] {
  if (term.kind !== "redirect") return [];
  const include = { kind: "include", qualifier: "+", domain: term.domain } as const;
  return [{ text: formatTerm(include), term: include }];
}

/** Removes duplicates and keeps the first, where receivers stop. Capitals matter only in macros. */
function unique<T extends ReadTerm>(words: readonly T[]): T[] {
  const known = new Set<string>();
  return words.filter(({ text }) => {
    const key = (text.includes("%") ? text : text.toLowerCase()).replace(/^\+/, "");
    return !known.has(key) && known.add(key);
  });
}

function endOf(all: SpfTerm | undefined): string {
  const isStrict = all?.kind === "all" && all.qualifier === "-";
  return isStrict ? "-all" : "~all";
}
