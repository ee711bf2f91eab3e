// biome-ignore-all lint/suspicious/noControlCharactersInRegex: finding control characters is what this file is for.

/** C0, DEL and C1 controls, and the line and paragraph separators U+2028/9, which many programs treat as line ends. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const CONTROL_EXCEPT_TAB = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/;
/** Embeddings, overrides and isolates (UAX 9): they make text appear as another text. */
const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/;
const LONE_SURROGATE = /\p{Cs}/u;
const ENCODED_WORD = /=\?[^?]*\?[bq]\?[^?]*\?=/i;
/** No line ends and no NUL: characters that must never reach a header, even past the validators. */
const CONTROL_RUN = /[\u0000-\u001f\u007f]+/g;

export function hasControl(text: string): boolean {
  return CONTROL.test(text);
}

export function hasControlExceptTab(text: string): boolean {
  return CONTROL_EXCEPT_TAB.test(text);
}

export function hasBidiControl(text: string): boolean {
  return BIDI_CONTROL.test(text);
}

export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

/** True if a reader may decode part of the text as an encoded word (RFC 2047), and display other text. */
export function looksEncoded(text: string): boolean {
  return ENCODED_WORD.test(text);
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** Replaces each run of C0 controls and DEL with one space. */
export function withoutControls(text: string): string {
  return text.replace(CONTROL_RUN, " ");
}
