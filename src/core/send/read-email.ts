import type { JsonObject } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { detectMimeType } from "nodemailer/lib/mime-funcs";
import type { Email, Tracking } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { type MailboxResult, parseMailbox } from "../../message/address/addresses.ts";
import { parseFromMailbox } from "../../message/address/from-field.ts";
import type { Attachment, Mailbox } from "../../message/content.ts";
import { checkHeaderFields, checkSubject } from "../../message/header/header-fields.ts";
import { checkAttachments } from "../../message/mime/attachments.ts";
import { readFreeJson } from "../../message/template/free-json.ts";
import { trackingBaseFault } from "../../message/unsubscribe/base-url.ts";
import { type FieldFault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { TrackingSettings } from "../../store/policy-document.ts";
import { type FieldFaults, pointer } from "../field-faults.ts";

/** Limits of one submission. */
export interface SendLimits {
  readonly messageBytes: number;
  readonly bodyBytes: number;
  readonly to: number;
  readonly headers: number;
  readonly attachments: number;
  readonly sendAtDays: number;
}

const OCTET_STREAM = "application/octet-stream";
const MAX_TAGS = 20;
const TAG = /^[\p{L}\p{N}_.:@-][\p{L}\p{N}_.:@ -]{0,63}$/u;
const MAX_METADATA = 50;
const METADATA_KEY = /^[A-Za-z0-9_.-]{1,40}$/;
const MAX_METADATA_VALUE_LENGTH = 500;
/** A `send_at` up to this far in the past counts as now, because clocks differ. */
const CLOCK_SKEW_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/** Reads the sender; errors are added to `faults`. */
export function readFrom(input: string, faults: FieldFaults): Mailbox | undefined {
  return mailboxOf(parseFromMailbox(input), pointer("from"), faults);
}

function mailboxOf(result: MailboxResult, at: string, faults: FieldFaults): Mailbox | undefined {
  if (result.ok) return result.mailbox;
  faults.add(at, result.code, result.message);
  return undefined;
}

export function readMailboxes(
  field: string,
  inputs: readonly string[],
  max: number,
  faults: FieldFaults,
): Mailbox[] {
  if (inputs.length > max) {
    faults.add(pointer(field), "field.too_many", say("addresses_at_most", { max, actual: inputs.length }));
    return [];
  }
  return inputs.flatMap(
    (input, index) => mailboxOf(parseMailbox(input), pointer(field, index), faults) ?? [],
  );
}

export function checkBody(
  field: "html" | "text",
  body: string | undefined,
  limits: SendLimits,
  faults: FieldFaults,
): void {
  if (body === undefined) return;
  if (body.includes("\0")) faults.add(pointer(field), "field.invalid", say("nul_character", { field }));
  const size = Buffer.byteLength(body);
  if (size > limits.bodyBytes) {
    faults.add(
      pointer(field),
      "field.too_long",
      say("part_too_large", { field, actual: size, max: limits.bodyBytes }),
    );
  }
}

export function readSubject(subject: string | undefined, faults: FieldFaults): void {
  const fault = subject === undefined ? undefined : checkSubject(subject);
  if (fault) faults.add("/subject", fault.code, fault.message);
}

export function checkHeaders(email: Email, limits: SendLimits, faults: FieldFaults): void {
  if (email.headers.length > limits.headers) {
    faults.add("/headers", "header.too_many", say("most_header_fields_given", { max: limits.headers }));
    return;
  }
  for (const { index, name, code, message } of checkHeaderFields(email.headers)) {
    faults.add(index < 0 ? "/headers" : pointer("headers", name), code, message);
  }
}

const attachmentFields = {
  filename: "filename",
  contentType: "content_type",
  contentId: "content_id",
  content: "content",
} as const;

/** Type by the name of a file, unless the content cannot be sent with that type. */
function detectType(filename: string, content: Uint8Array): string {
  const contentType = detectMimeType(filename);
  const attachment = { filename, contentType, content, disposition: "attachment" as const };
  const isRefused = checkAttachments([attachment]).some(({ field }) => field === "contentType");
  return isRefused ? OCTET_STREAM : contentType;
}

/** The attachments. One with a content id is shown by the html; the others are listed. */
export function readAttachments(email: Email, limits: SendLimits, faults: FieldFaults): Attachment[] {
  if (email.attachments.length > limits.attachments) {
    faults.add("/attachments", "field.too_many", say("most_attachments_given", { max: limits.attachments }));
    return [];
  }
  const attachments = email.attachments.map(({ filename, content, contentType, contentId }): Attachment => {
    return {
      filename,
      contentType: contentType ?? detectType(filename, content),
      content: detached(content),
      disposition: contentId === undefined ? "attachment" : "inline",
      ...(contentId !== undefined && { contentId }),
    };
  });
  for (const { index, field, code, message } of checkAttachments(attachments)) {
    faults.add(pointer("attachments", index, attachmentFields[field]), code, message);
  }
  return attachments;
}

/** A view of the wire buffer would keep all of it in memory, which is only acceptable if it is most of it. */
function detached(content: Uint8Array): Uint8Array {
  return content.byteLength > content.buffer.byteLength / 2 ? content : Uint8Array.from(content);
}

export function checkLabels({ tags, metadata }: Email, faults: FieldFaults): void {
  if (tags.length > MAX_TAGS)
    faults.add("/tags", "field.too_many", say("most_tags_given", { max: MAX_TAGS }));
  for (const [index, tag] of tags.entries()) {
    if (TAG.test(tag)) continue;
    faults.add(pointer("tags", index), "field.invalid", say("tag_1_64_letters_digits_spaces"));
  }
  const entries = Object.entries(metadata);
  if (entries.length > MAX_METADATA) {
    faults.add("/metadata", "field.too_many", say("most_metadata_keys_given", { max: MAX_METADATA }));
  }
  for (const [key, value] of entries) {
    if (!METADATA_KEY.test(key)) {
      faults.add(pointer("metadata", key), "field.invalid", say("metadata_key_1_40_letters_digits"));
    }
    if (value.length > MAX_METADATA_VALUE_LENGTH) {
      const message = say("metadata_value_up_characters", { max: MAX_METADATA_VALUE_LENGTH });
      faults.add(pointer("metadata", key), "field.too_long", message);
    }
  }
}

/** Earliest time of delivery; undefined: immediately. */
export function readSendAt(
  { sendAt }: Email,
  now: Date,
  limits: SendLimits,
  faults: FieldFaults,
): Date | undefined {
  if (sendAt === undefined) return undefined;
  const at = timestampDate(sendAt);
  const aheadMs = at.getTime() - now.getTime();
  if (Number.isNaN(aheadMs) || aheadMs < -CLOCK_SKEW_MS) {
    faults.add("/send_at", "field.invalid", say("moment_past"));
  } else if (aheadMs > limits.sendAtDays * DAY_MS) {
    faults.add("/send_at", "field.invalid", say("moment_more_than_days_ahead", { max: limits.sendAtDays }));
  }
  return aheadMs > 0 ? at : undefined;
}

/** Tracking that a submission sets; undefined: none. */
export function readTracking(
  { tracking: { opens, clicks } = {} as Tracking }: Pick<Email, "tracking">,
  { baseUrl }: { readonly baseUrl: string | undefined },
  faults: FieldFaults,
): TrackingSettings | undefined {
  const fault = opens || clicks ? trackingBaseFault(baseUrl) : undefined;
  if (fault !== undefined) faults.add("/tracking", "field.invalid", fault);
  return opens === undefined && clicks === undefined ? undefined : withoutUndefined({ opens, clicks });
}

/**
 * The template's variables; undefined when there are none.
 * @throws Fault request.validation_failed
 */
export function readTemplateData({
  templateDataJson,
}: Pick<Email, "templateDataJson">): JsonObject | undefined {
  if (templateDataJson === undefined) return undefined;
  const result = readFreeJson(templateDataJson);
  if (!result.ok) throw refused(result.fault);
  const { value } = result;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refused({ pointer: "", code: "field.type", message: say("type_object") });
  }
  return value as JsonObject;
}

function refused({ pointer, code, message }: FieldFault) {
  return validationFault([{ pointer: `/template_data${pointer}`, code, message }]);
}
