import { addressKey } from "../address/address-key.ts";

/** Search keys of texts: pure functions, linear in their input. */

/** Letters and digits of any script, with their combining marks. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words: any two adjacent characters count as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Longer words are cut: hashes and tokens, which people paste and do not type. */
const MAX_WORD_LENGTH = 40;

/**
 * The words of a text, each once, in order: in lower case and compatibility form (NFKC), so that `Ａda` and `ada` are equal.
 * Text of scripts without spaces gives each pair of adjacent characters.
 * @param limit maximum of returned words
 */
export function wordsOf(text: string, limit = Number.POSITIVE_INFINITY): string[] {
  const words = new Set<string>();
  for (const [run] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) {
    for (const word of UNSPACED.test(run) ? pairsOf(run) : [run.slice(0, MAX_WORD_LENGTH)]) {
      if (words.size >= limit) return [...words];
      words.add(word);
    }
  }
  return [...words];
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Maximum of searchable words of a subject; one of 998 octets can have some hundreds. */
const MAX_SUBJECT_WORDS = 32;

/** The searchable words of a subject. */
export function subjectWords(subject: string): string[] {
  return wordsOf(subject, MAX_SUBJECT_WORDS);
}

/** The searchable parts of an address, in addition to the whole address. */
export interface AddressParts {
  /** In the comparison form of addresses. */
  readonly whole: string;
  readonly domain: string;
  /** Words of its local part, and of its domain without the last label. */
  readonly words: readonly string[];
}

const MAX_ADDRESS_WORDS = 8;

/** Splits an address; an empty one (a null sender) has empty parts. */
export function addressParts(address: string): AddressParts {
  const whole = addressKey(address);
  const at = whole.lastIndexOf("@");
  const domain = whole.slice(at + 1);
  const labels = domain.slice(0, Math.max(0, domain.lastIndexOf(".")));
  return { whole, domain, words: wordsOf(`${whole.slice(0, Math.max(0, at))} ${labels}`, MAX_ADDRESS_WORDS) };
}
