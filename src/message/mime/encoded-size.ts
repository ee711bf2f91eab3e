import type { Mailbox, MessageContent } from "../content.ts";

/** Multipart skeleton, the fixed fields, and a message id of the longest kind. */
const FRAME_OCTETS = 3_000;
const PART_OCTETS = 500;
/** Encoded words and their folding take up to 2.2 octets for one; short texts pay for a whole word. */
const HEADER_GROWTH = 3;
const FIELD_OCTETS = 100;
/** RFC 2231 takes three characters for one octet, in pieces of 50 with a name each. */
const FILENAME_GROWTH = 5;
/** Base64, or quoted-printable where it is shorter, with the widest of their line breaks. */
const BODY_GROWTH = (4 / 3) * 1.09;

/**
 * Upper bound of the octets that `composeMime` makes of the content, to refuse large content without composing it. Attachments
 * are counted to within a few hundred octets each, texts as if fully encoded.
 */
export function encodedSizeUpperBoundBytes(content: MessageContent): number {
  let octets = FRAME_OCTETS + fieldOctets(content.subject);
  for (const mailbox of [content.from, ...content.to, ...content.replyTo]) octets += mailboxOctets(mailbox);
  for (const { name, value } of content.headers) octets += name.length + fieldOctets(value);
  octets += textOctets(content.text) + textOctets(content.html);
  for (const { filename, contentType, contentId = "", content: bytes } of content.attachments) {
    octets += PART_OCTETS + FILENAME_GROWTH * Buffer.byteLength(filename);
    octets += HEADER_GROWTH * (contentType.length + contentId.length);
    octets += Math.ceil(bytes.byteLength / 3) * 4 * (78 / 76);
  }
  return Math.ceil(octets);
}

function mailboxOctets({ address, displayName = "" }: Mailbox): number {
  return Buffer.byteLength(address) + fieldOctets(displayName);
}

function fieldOctets(text: string): number {
  return FIELD_OCTETS + HEADER_GROWTH * Buffer.byteLength(text);
}

function textOctets(text = ""): number {
  // A bare line end becomes two octets; a line that starts with a dot gains two octets.
  const lineEnds = count(text, "\n") + count(text, "\r");
  return PART_OCTETS + (Buffer.byteLength(text) + lineEnds) * BODY_GROWTH + lineEnds * 2;
}

function count(text: string, char: string): number {
  let occurrences = 0;
  for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) occurrences++;
  return occurrences;
}
