/** Controls, which could move the cursor or retitle the terminal, and marks that turn the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Text from elsewhere, such as a subject or a server's reply, made safe for one line of a terminal. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, " ").trim();
}

/** At most this many characters, the last an ellipsis where it was longer. */
export function shortened(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join("")}…`;
}
