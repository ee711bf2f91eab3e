import { type FaultText, say } from "../../shared/fault-text.ts";
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
/** The `addr-spec`-like id of RFC 2392, limited to characters without escapes in a header and in a `cid:` URL. */
const CONTENT_ID = /^[A-Za-z0-9][A-Za-z0-9._+=@-]*$/;

/** Every fault of the attachments of one message. The caller limits sizes (`encodedSizeUpperBoundBytes`). */
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
  message: say("inline_content_id_missing"),
} as const;
const CONTENT_ID_DUPLICATE = {
  code: "attachment.content_id_duplicate",
  message: say("content_id_twice"),
} as const;

export function checkFilename(filename: string): ContentFault<AttachmentFaultCode> | undefined {
  const invalid = (message: FaultText) => ({ code: "attachment.filename_invalid", message }) as const;
  if (filename === "") return invalid(say("file_name_empty"));
  if (Buffer.byteLength(filename) > MAX_FILENAME_OCTETS) {
    const message = say("file_name_longer_than_octets", { max: MAX_FILENAME_OCTETS });
    return { code: "attachment.filename_too_long", message };
  }
  if (PATH_SEPARATOR.test(filename)) return invalid(say("file_name_contains_path_separator"));
  if (filename === "." || filename === "..") return invalid(say("file_name_folder"));
  if (filename.trim() !== filename) return invalid(say("file_name_starts_ends_space"));
  if (hasControl(filename)) return invalid(say("file_name_contains_line_break_control"));
  // Readers decode it even where RFC 2231 forbids it, perhaps to a path.
  if (looksEncoded(filename)) return invalid(say("file_name_looks_like_encoded_word"));
  if (hasBidiControl(filename) || hasLoneSurrogate(filename)) {
    return invalid(say("file_name_contains_characters_change_how"));
  }
  return undefined;
}

export function checkContentType(contentType: string): ContentFault<AttachmentFaultCode> | undefined {
  if (contentType.length > MAX_CONTENT_TYPE_LENGTH || !CONTENT_TYPE.test(contentType)) {
    const message = say("content_type_not_form_type_subtype");
    return { code: "attachment.content_type_invalid", message };
  }
  if (/^multipart\//i.test(contentType)) {
    const message = say("multipart_type_cannot_attached_rfc_2045");
    return { code: "attachment.content_type_not_allowed", message };
  }
  return undefined;
}

/**
 * True if a part of this type is sent without an encoding: RFC 2046 section 5.2.1 forbids encodings for messages, and RFC 6532
 * section 3.7 allows them for internationalized ones.
 */
export function goesUnencoded(contentType: string): boolean {
  return /^message\/(?!global)/i.test(contentType);
}

function checkUnencoded({ contentType, content }: Attachment): ContentFault<AttachmentFaultCode> | undefined {
  if (!goesUnencoded(contentType) || isSevenBit(content)) return undefined;
  const message = say("part_as_it_is", { type: contentType.split(";", 1)[0] ?? "" });
  return { code: "attachment.content_type_not_allowed", message };
}

export function checkContentId(contentId: string): ContentFault<AttachmentFaultCode> | undefined {
  if (contentId.length <= MAX_CONTENT_ID_LENGTH && CONTENT_ID.test(contentId)) return undefined;
  const message = say("content_id_up_letters_digits", { max: MAX_CONTENT_ID_LENGTH });
  return { code: "attachment.content_id_invalid", message };
}

/**
 * Decodes base64 strictly (RFC 4648 sections 3.1 to 3.5): the standard alphabet with padding, and no bits beyond the end,
 * because with lenient decoders two programs may read different files from one message. Only line breaks are ignored (RFC 2045
 * section 6.8): the default encoders of Python, Ruby and Java write them.
 */
export function decodeBase64(input: string): Base64Result {
  const unbroken = input.includes("\n") ? input.replace(/\r?\n/g, "") : input;
  const content = Buffer.from(unbroken, "base64");
  // Node.js skips unknown characters; only the canonical form survives re-encoding.
  if (unbroken.length % 4 === 0 && content.toString("base64") === unbroken) return { ok: true, content };
  const message = say("content_not_base64_standard_alphabet_padding");
  return { ok: false, code: "attachment.content_not_base64", message };
}
