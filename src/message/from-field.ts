import { parseAddress } from "./addresses.ts";
import { type SourceFault, sourceFault } from "./source-fault.ts";

export type FromField = { readonly ok: true; readonly address: string } | SourceFault;

/**
 * The one address of a From field (RFC 5322 section 3.6.2). Unlike `parseMailbox`, which reads what people type, it
 * allows what programs write: comments, encoded words, names of any kind. Lists and groups are refused: who is
 * responsible must be clear.
 * @param value unfolded
 */
export function readFromField(value: string): FromField {
  const mailbox = splitMailbox(value);
  if (typeof mailbox !== "string") return mailbox;
  if (mailbox.includes("\ufffd")) return sourceFault("The address in From is not valid UTF-8.");
  const result = parseAddress(mailbox);
  return result.ok ? result : sourceFault(`From has no valid address. ${result.message}`);
}

/** What stands between the angle brackets, or all of it where there are none; comments are left out. */
function splitMailbox(value: string): string | SourceFault {
  let text = "";
  let quoted = false;
  let commentDepth = 0;
  let start: number | undefined;
  let end: number | undefined;
  for (let i = 0; i < value.length; i++) {
    const char = value.charAt(i);
    if (char === "\\" && (quoted || commentDepth > 0)) {
      if (quoted) text += value.slice(i, i + 2);
      i++;
    } else if (quoted) {
      text += char;
      quoted = char !== '"';
    } else if (char === "(") {
      commentDepth++;
    } else if (char === ")") {
      if (--commentDepth < 0) return unbalanced();
      text += " ";
    } else if (commentDepth > 0) {
      // Part of a comment.
    } else if (char === ",") {
      return sourceFault("From has several addresses, or a name with a comma that is not quoted.");
    } else if (char === ":" || char === ";") {
      return sourceFault("From is a group, or has a name with a colon that is not quoted.");
    } else if (char === "<") {
      if (start !== undefined) return unbalanced();
      start = text.length;
    } else if (char === ">") {
      if (start === undefined || end !== undefined) return unbalanced();
      end = text.length;
    } else {
      text += char;
      quoted = char === '"';
    }
  }
  if (quoted || commentDepth > 0) return unbalanced();
  if (start === undefined) return text.trim();
  if (end === undefined || text.slice(end).trim() !== "") return unbalanced();
  return text.slice(start, end).trim();
}

function unbalanced(): SourceFault {
  return sourceFault(
    "A quote, a bracket or a comment in From is not closed, or something follows the address.",
  );
}
