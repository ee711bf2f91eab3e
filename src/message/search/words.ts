import { addressKey } from "../address/addresses.ts";

/** What a person would type to find a text again: pure functions, linear in their input. */

/** Letters and digits of any script, with the marks that go with them. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no space between words: any two characters that follow each other stand for one. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** What is longer is cut: a hash or a token, which people paste and do not type. */
const MAX_WORD_LENGTH = 40;

/**
 * The words of a text, each once, in the order in which they come: in lower case and compatibility form (NFKC), so that
 * `Ａda` and `ada` are one. Text of scripts without spaces gives each pair of neighbouring characters.
 * @param limit no more than so many are given
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

/** Words of a subject by which it is found; one of 998 octets can have some hundreds. */
const MAX_SUBJECT_WORDS = 32;

/** The words of a subject by which it is found. */
export function subjectWords(subject: string): string[] {
  return wordsOf(subject, MAX_SUBJECT_WORDS);
}

/** The parts of an address by which it is found, besides the whole of it. */
export interface AddressParts {
  /** In the form in which addresses are compared. */
  readonly whole: string;
  readonly domain: string;
  /** Of its local part, and of its domain without the last label. */
  readonly words: readonly string[];
}

const MAX_ADDRESS_WORDS = 8;

/** Takes an address apart; empty (a null sender): its parts are empty, too. */
export function addressParts(address: string): AddressParts {
  const whole = addressKey(address);
  const at = whole.lastIndexOf("@");
  const domain = whole.slice(at + 1);
  const labels = domain.slice(0, Math.max(0, domain.lastIndexOf(".")));
  return { whole, domain, words: wordsOf(`${whole.slice(0, Math.max(0, at))} ${labels}`, MAX_ADDRESS_WORDS) };
}
