import { type Phrase, phrase } from "../../shared/phrase.ts";
import { shorten } from "./shown-terms.ts";

/** A part of a macro-string (RFC 7208 section 7.1). */
export type MacroPart =
  | { readonly kind: "literal"; readonly text: string }
  /** Escapes `%`, a space, or `%20`. */
  | { readonly kind: "escape"; readonly text: "%%" | "%_" | "%-" }
  | {
      readonly kind: "macro";
      /** In capitals: the value is URL-escaped. */
      readonly letter: string;
      /** Number of remaining parts, from the right. Empty: all. */
      readonly digits: string;
      readonly isReversed: boolean;
      /** Delimiters at which the value is split. Empty: dots. */
      readonly delimiters: string;
    };

export type MacroString = readonly MacroPart[];

/** A fault in a text, with its place. */
export interface TextFault {
  /** Offset from the beginning of the text. */
  readonly offset: number;
  /** A sentence without its period: `spf.position` ends it. */
  readonly message: Phrase;
  /** Section of RFC 7208. */
  readonly section: string;
}

export type Reading<T> = { readonly value: T } | { readonly fault: TextFault };

const PART =
  /(?<literal>[\x21-\x24\x26-\x7e]+)|(?<escaped>%[%_-])|%\{(?<letter>[a-z])(?<digits>\d*)(?<reversed>r?)(?<delimiters>[-.+,/_=]*)\}/iy;
/** RFC 7208 section 7.2: the first letters are allowed anywhere, the others only in the text of an explanation. */
const LETTERS = "slodiphv";
const LETTERS_OF_EXPLANATIONS = "crt";
/** RFC 7208 section 7.1. Two patterns without backtracking over a label: hostile texts may have 64 KB. */
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const BEYOND_DIGITS = /[a-z-]/i;

/** Reads a macro-string. An empty one is valid. */
export function parseMacroString(text: string): Reading<MacroString> {
  const parts: MacroPart[] = [];
  let offset = 0;
  while (offset < text.length) {
    PART.lastIndex = offset;
    const found = PART.exec(text);
    if (!found) return faultAt(offset, unreadable(text, offset));
    const { literal, escaped, letter = "", digits = "", reversed, delimiters = "" } = found.groups ?? {};
    if (literal !== undefined) {
      parts.push({ kind: "literal", text: literal });
    } else if (escaped !== undefined) {
      parts.push({ kind: "escape", text: escaped as "%%" });
    } else {
      const problem = macroProblem(letter, digits);
      if (problem) return { fault: { offset: offset + 2, ...problem } };
      parts.push({ kind: "macro", letter, digits, isReversed: reversed !== "", delimiters });
    }
    offset = PART.lastIndex;
  }
  return { value: parts };
}

/** Reads a domain-spec: a macro-string that ends in a top-level label or in a macro. */
export function parseDomainSpec(text: string): Reading<MacroString> {
  if (text === "") return faultAt(0, phrase("spf.fault_name_missing"));
  const reading = parseMacroString(text);
  if ("fault" in reading) return reading;
  const last = reading.value.at(-1);
  if (last?.kind !== "literal" || endsInTopLabel(last.text)) return reading;
  return faultAt(0, phrase("spf.fault_name", { text: shorten(text) }));
}

export function formatMacroString(parts: MacroString): string {
  return parts
    .map((part) =>
      part.kind === "macro"
        ? `%{${part.letter}${part.digits}${part.isReversed ? "r" : ""}${part.delimiters}}`
        : part.text,
    )
    .join("");
}

/** The name, if it is the same for every mail; undefined: it contains macros. */
export function constantName(parts: MacroString): string | undefined {
  return parts.every(({ kind }) => kind === "literal") ? formatMacroString(parts) : undefined;
}

/** RFC 7208 section 4.3: no label is empty or longer than 63 octets, and the name has at most 253. */
export function isWellFormedName(name: string): boolean {
  const labels = name.replace(/\.$/, "").split(".");
  return name.length <= 254 && labels.every(({ length }) => length > 0 && length <= 63);
}

function endsInTopLabel(text: string): boolean {
  const whole = text.endsWith(".") ? text.slice(0, -1) : text;
  const dot = whole.lastIndexOf(".");
  const label = whole.slice(dot + 1);
  return dot >= 0 && HOST_LABEL.test(label) && BEYOND_DIGITS.test(label);
}

function macroProblem(letter: string, digits: string): Omit<TextFault, "offset"> | undefined {
  const small = letter.toLowerCase();
  if (LETTERS_OF_EXPLANATIONS.includes(small))
    return { message: phrase("spf.fault_macro_explanation", { letter }), section: "7.2" };
  if (!LETTERS.includes(small)) return { message: phrase("spf.fault_macro", { letter }), section: "7.2" };
  if (/^0+$/.test(digits)) return { message: phrase("spf.fault_macro_parts"), section: "7.3" };
  return undefined;
}

function unreadable(text: string, offset: number): Phrase {
  return phrase(text[offset] === "%" ? "spf.fault_percent" : "spf.fault_character");
}

function faultAt(offset: number, message: Phrase): { fault: TextFault } {
  return { fault: { offset, message, section: "7.1" } };
}
