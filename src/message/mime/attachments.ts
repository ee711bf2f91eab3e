import { hasBidiControl, hasControl, hasLoneSurrogate, looksEncoded } from "../characters.ts";
import type { Attachment, ContentFault } from "../content.ts";
import { isSevenBit } from "./encode-text.ts";

export type AttachmentFaultCode =
  | "attachment.filename_invalid"
  | "attachment.filename_too_long"
  | "attachment.content_type_invalid"
  | "attachment.content_type_not_allowed"
  | "attachment.content_id_invalid"
  | "attachment.content_id_missing"
  | "attachment.content_id_duplicate"
  | "attachment.content_not_base64";

export interface AttachmentFault extends ContentFault<AttachmentFaultCode> {
  readonly index: number;
  readonly field: "filename" | "contentType" | "contentId" | "content";
}

export type Base64Result =
  | { readonly ok: true; readonly content: Uint8Array }
  | ({ readonly ok: false } & ContentFault<"attachment.content_not_base64">);

const MAX_FILENAME_OCTETS = 255;
const MAX_CONTENT_TYPE_LENGTH = 255;
const MAX_CONTENT_ID_LENGTH = 128;

const PATH_SEPARATOR = /[/\\]/;
const TOKEN = "[!#$%&'*+\\-.0-9A-Z^_`a-z{|}~]+";
/** RFC 6838 section 4.2 names; RFC 2045 section 5.1 parameters, values as tokens or quoted without escapes. */
const CONTENT_TYPE = new RegExp(
  `^[A-Za-z0-9][\\w!#$&^.+-]{0,126}/[A-Za-z0-9][\\w!#$&^.+-]{0,126}(?:; ?${TOKEN}=(?:${TOKEN}|"[ !#-[\\]-~]*"))*$`,
);
/** The `addr-spec`-like id of RFC 2392, kept to what needs no escape in a header nor in a `cid:` URL. */
const CONTENT_ID = /^[A-Za-z0-9][A-Za-z0-9._+=@-]*$/;

/** Every fault of the attachments of one message. Sizes are the caller's to bound (`encodedSizeUpperBoundBytes`). */
export function checkAttachments(attachments: readonly Attachment[]): AttachmentFault[] {
  const faults: AttachmentFault[] = [];
  const seen = new Set<string>();
  for (const [index, attachment] of attachments.entries()) {
    const { filename, contentType, contentId, disposition } = attachment;
    const add = (field: AttachmentFault["field"], fault: ContentFault<AttachmentFaultCode> | undefined) => {
      if (fault) faults.push({ index, field, ...fault });
    };
    add("filename", checkFilename(filename));
    add("contentType", checkContentType(contentType) ?? checkUnencoded(attachment));
    if (contentId !== undefined) add("contentId", checkContentId(contentId));
    if (contentId === undefined && disposition === "inline") add("contentId", CONTENT_ID_MISSING);
    if (contentId !== undefined && seen.has(contentId)) add("contentId", CONTENT_ID_DUPLICATE);
    if (contentId !== undefined) seen.add(contentId);
  }
  return faults;
}

const CONTENT_ID_MISSING = {
  code: "attachment.content_id_missing",
  message: "An inline attachment needs a content id for the html to refer to.",
} as const;
const CONTENT_ID_DUPLICATE = {
  code: "attachment.content_id_duplicate",
  message: "Two attachments have the same content id.",
} as const;

export function checkFilename(filename: string): ContentFault<AttachmentFaultCode> | undefined {
  const invalid = (message: string) => ({ code: "attachment.filename_invalid", message }) as const;
  if (filename === "") return invalid("The file name is empty.");
  if (Buffer.byteLength(filename) > MAX_FILENAME_OCTETS) {
    const message = `The file name is longer than ${MAX_FILENAME_OCTETS} octets.`;
    return { code: "attachment.filename_too_long", message };
  }
  if (PATH_SEPARATOR.test(filename)) return invalid("The file name contains a path separator.");
  if (filename === "." || filename === "..") return invalid("The file name is that of a folder.");
  if (filename.trim() !== filename) return invalid("The file name starts or ends with a space.");
  if (hasControl(filename)) return invalid("The file name contains a line break or a control character.");
  // Readers decode it even where RFC 2231 says otherwise, perhaps to a path.
  if (looksEncoded(filename))
    return invalid("The file name looks like an encoded word; write it in plain UTF-8.");
  if (hasBidiControl(filename) || hasLoneSurrogate(filename)) {
    return invalid("The file name contains characters that change how it is displayed, or a broken one.");
  }
  return undefined;
}

export function checkContentType(contentType: string): ContentFault<AttachmentFaultCode> | undefined {
  if (contentType.length > MAX_CONTENT_TYPE_LENGTH || !CONTENT_TYPE.test(contentType)) {
    const message = "The content type is not of the form type/subtype, with parameters as name=value.";
    return { code: "attachment.content_type_invalid", message };
  }
  if (/^multipart\//i.test(contentType)) {
    const message = "A multipart type cannot be attached: RFC 2045 section 6.4 forbids to encode it.";
    return { code: "attachment.content_type_not_allowed", message };
  }
  return undefined;
}

/**
 * Whether a part of this type goes without an encoding: RFC 2046 section 5.2.1 forbids them for messages, and RFC 6532
 * section 3.7 allows them again for those that are internationalised.
 */
export function goesUnencoded(contentType: string): boolean {
  return /^message\/(?!global)/i.test(contentType);
}

function checkUnencoded({ contentType, content }: Attachment): ContentFault<AttachmentFaultCode> | undefined {
  if (!goesUnencoded(contentType) || isSevenBit(content)) return undefined;
  const message = `A part of the type ${contentType.split(";", 1)[0]} goes as it is (RFC 2046 section 5.2.1): lines of up to 998 octets of ASCII that end in CRLF. Give it the type application/octet-stream to attach other content.`;
  return { code: "attachment.content_type_not_allowed", message };
}

export function checkContentId(contentId: string): ContentFault<AttachmentFaultCode> | undefined {
  if (contentId.length <= MAX_CONTENT_ID_LENGTH && CONTENT_ID.test(contentId)) return undefined;
  const message = `A content id is up to ${MAX_CONTENT_ID_LENGTH} letters, digits and . _ + = @ -, without brackets.`;
  return { code: "attachment.content_id_invalid", message };
}

/**
 * Decodes base64 strictly (RFC 4648 sections 3.1 to 3.5): the standard alphabet with padding, no bits beyond the end.
 * Lenient decoders let two programs read different files from one message. Line breaks alone are ignored (RFC 2045
 * section 6.8): the default encoders of Python, Ruby and Java write them.
 */
export function decodeBase64(input: string): Base64Result {
  const unbroken = input.includes("\n") ? input.replace(/\r?\n/g, "") : input;
  const content = Buffer.from(unbroken, "base64");
  // Node's decoder skips what it does not know; only the canonical form survives the way back.
  if (unbroken.length % 4 === 0 && content.toString("base64") === unbroken) return { ok: true, content };
  const message =
    "The content is not base64 in the standard alphabet, with padding (line breaks are allowed).";
  return { ok: false, code: "attachment.content_not_base64", message };
}
