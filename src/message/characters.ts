// biome-ignore-all lint/suspicious/noControlCharactersInRegex: finding control characters is what this file is for.

/** C0, DEL and C1 controls, and the line and paragraph separators U+2028/9 that many programs take for a line end. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const CONTROL_EXCEPT_TAB = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/;
/** Embeddings, overrides and isolates (UAX 9): they make text read as something that it is not. */
const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/;
const LONE_SURROGATE = /\p{Cs}/u;
const ENCODED_WORD = /=\?[^?]*\?[bq]\?[^?]*\?=/i;
/** No line ends and no NUL: what must never reach a header, whatever the validators let through. */
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

/** Whether a reader may take part of the text for an encoded word (RFC 2047), and show something else in its place. */
export function looksEncoded(text: string): boolean {
  return ENCODED_WORD.test(text);
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** Each run of C0 controls and DEL as one space. */
export function withoutControls(text: string): string {
  return text.replace(CONTROL_RUN, " ");
}
