import { isExactNumber } from "./exact-number.ts";
import { jsonPointer } from "./json-pointer.ts";

export interface JsonLimits {
  /** Levels of objects and lists, including the outermost. */
  readonly maxDepth: number;
  /** Values of all kinds together: objects, lists, strings, numbers and literals. A key counts with its value. */
  readonly maxValues: number;
}

/** The first violation of a limit. */
export interface JsonExcess {
  readonly limit: keyof JsonLimits;
  /** The value that is too deep, or the object or list with too many values (RFC 6901). */
  readonly pointer: string;
}

/**
 * JSON that a program cannot represent exactly, or that programs interpret differently:
 * - duplicateKey: a key occurs twice in its object
 * - prototypeKey: `__proto__`, or `prototype` in `constructor`, which have a special meaning in JavaScript
 * - inexactNumber: a number with other digits than a double has, or an integer beyond 2^53 - 1
 */
export type JsonDoubtKind = "duplicateKey" | "prototypeKey" | "inexactNumber";

export interface JsonDoubt {
  readonly kind: JsonDoubtKind;
  /** RFC 6901. */
  readonly pointer: string;
}

export interface JsonScan {
  /** Set: the rest of the text was not scanned. */
  readonly excess: JsonExcess | undefined;
  /** The first of each kind. */
  readonly doubts: readonly JsonDoubt[];
}

/** An open object or list, with the position in it. */
interface Frame {
  /** Keys of an object so far. */
  readonly keys: Set<string> | undefined;
  key: string;
  index: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const SPACE = 0x20;

/**
 * Scans JSON text in UTF-8 (RFC 8259) before it is parsed: one pass without creating values, which stops at the first
 * limit, so that a text with millions of values costs little. The parser decides whether the text is valid JSON. For
 * invalid JSON, the result is arbitrary.
 */
export function scanJson(text: Buffer, { maxDepth, maxValues }: JsonLimits): JsonScan {
  const open: Frame[] = [];
  let frame: Frame | undefined;
  let isKey = false;
  let values = 0;
  let at = 0;
  const doubts: JsonDoubt[] = [];
  const strings = createStringEnds(text);

  function doubt(kind: JsonDoubtKind): void {
    if (!doubts.some((known) => known.kind === kind)) doubts.push({ kind, pointer: pointerTo(open) });
  }

  function readKey(frame: Frame, keys: Set<string>, key: string): void {
    frame.key = key;
    if (keys.has(key)) doubt("duplicateKey");
    keys.add(key);
    const isPrototype = key === "prototype" && open.at(-2)?.keys && open.at(-2)?.key === "constructor";
    if (isPrototype || key === "__proto__") doubt("prototypeKey");
  }

  /** The limit that one more value exceeds. */
  function count(isContainer: boolean): JsonExcess | undefined {
    values++;
    if (values > maxValues) return { limit: "maxValues", pointer: pointerTo(open.slice(0, -1)) };
    if (isContainer && open.length >= maxDepth) return { limit: "maxDepth", pointer: pointerTo(open) };
    return undefined;
  }

  while (at < text.length) {
    const byte = text[at] as number;
    let excess: JsonExcess | undefined;
    if (byte === QUOTE) {
      const end = strings.endOf(at + 1);
      if (isKey && frame?.keys) {
        readKey(frame, frame.keys, keyText(text, at + 1, end));
        isKey = false;
      } else {
        excess = count(false);
      }
      at = end + 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      excess = count(true);
      isKey = byte === OPEN_BRACE;
      frame = { keys: isKey ? new Set() : undefined, key: "", index: 0 };
      if (!excess) open.push(frame);
      at++;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      open.pop();
      frame = open.at(-1);
      isKey = false;
      at++;
    } else if (byte === COMMA) {
      if (frame?.keys) isKey = true;
      else if (frame) frame.index++;
      at++;
    } else if (byte === COLON || byte <= SPACE) {
      at++;
    } else {
      excess = count(false);
      const end = endOfWord(text, at + 1);
      if (!isExactNumber(text, at, end)) doubt("inexactNumber");
      at = end;
    }
    if (excess) return { excess, doubts };
  }
  return { excess: undefined, doubts };
}

function pointerTo(frames: readonly Frame[]): string {
  return jsonPointer(frames.map(({ keys, key, index }) => (keys ? key : index)));
}

/** Finds the ends of strings. Long strings without a backslash, such as attachments, are not scanned byte by byte. */
function createStringEnds(text: Buffer) {
  let backslash = -1;

  return {
    /** Position of the closing quote, or the end of the text if there is none. */
    endOf(start: number): number {
      if (backslash < start) {
        const next = text.indexOf(BACKSLASH, start);
        backslash = next === -1 ? text.length : next;
      }
      const quote = text.indexOf(QUOTE, start);
      if (quote === -1) return text.length;
      if (quote < backslash) return quote;
      let at = backslash;
      while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
      return Math.min(at, text.length);
    },
  };
}

/** End of a number or a literal. */
function endOfWord(text: Buffer, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const byte = text[at] as number;
    if (byte <= SPACE || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) break;
    if (byte === QUOTE || byte === COLON || byte === OPEN_BRACE || byte === OPEN_BRACKET) break;
  }
  return at;
}

/** A key without its escapes, so that two spellings of a key are equal. */
function keyText(text: Buffer, start: number, end: number): string {
  const written = text.toString("utf8", start, end);
  if (!written.includes("\\")) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}
