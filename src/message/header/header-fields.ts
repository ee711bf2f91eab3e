import { type FaultText, say } from "../../shared/fault-text.ts";
import { hasControl, hasControlExceptTab, isAscii } from "../characters.ts";
import type { ContentFault, HeaderField } from "../content.ts";

export type HeaderFaultCode =
  | "header.too_many"
  | "header.too_large"
  | "header.name_invalid"
  | "header.name_too_long"
  | "header.reserved"
  | "header.duplicate"
  | "header.value_empty"
  | "header.value_invalid"
  | "header.value_too_long"
  | "header.value_not_ascii";

export interface HeaderFault extends ContentFault<HeaderFaultCode> {
  /** Index of the field; -1 for a fault of all together. */
  readonly index: number;
  /** As given, shortened if long. */
  readonly name: string;
}

export type SubjectFaultCode = "subject.control_character" | "subject.too_long";

export const MAX_HEADER_FIELDS = 50;
export const MAX_SUBJECT_OCTETS = 998;
const MAX_NAME_LENGTH = 76;
const MAX_VALUE_OCTETS = 8_192;
const MAX_TOTAL_OCTETS = 65_536;
/** RFC 5322 section 2.1.1 limits a line to 998 octets; a word cannot be folded, and its field name may precede it. */
const MAX_WORD_LENGTH = 900;

/** ftext of RFC 5322 section 3.6.8: printable ASCII without the colon. */
const FIELD_NAME = /^[!-9;-~]+$/;

/** Written only by Hermod, from the request or the delivery. */
const RESERVED = new Set([
  "apparently-to",
  "authentication-results",
  "bcc",
  "cc",
  "date",
  "delivered-to",
  "dkim-signature",
  "domainkey-signature",
  "envelope-to",
  "from",
  "message-id",
  "mime-version",
  "received",
  "received-spf",
  "reply-to",
  "return-path",
  "sender",
  "subject",
  "to",
  "x-idempotency-key",
  "x-original-to",
  "x-service-policy",
]);
const RESERVED_PREFIXES = ["arc-", "content-", "resent-"];

/**
 * Fields of addresses, ids or tokens: RFC 2047 section 5 allows no encoded words in them, so text beyond ASCII would be lost.
 */
const STRUCTURED = /^(?:auto-submitted|feedback-id|importance|in-reply-to|list-.*|precedence|references)$/;

export function isStructuredField(name: string): boolean {
  return STRUCTURED.test(name.toLowerCase());
}

/** Every fault of the custom headers of one message; none if they may be sent. Values are sent unchanged. */
export function checkHeaderFields(fields: readonly HeaderField[]): HeaderFault[] {
  if (fields.length > MAX_HEADER_FIELDS) {
    return [headerFault(-1, "", "header.too_many", say("most_headers_given", { max: MAX_HEADER_FIELDS }))];
  }
  const faults: HeaderFault[] = [];
  const seen = new Set<string>();
  let totalOctets = 0;
  for (const [index, field] of fields.entries()) {
    const fault = checkHeaderField(field);
    const key = field.name.toLowerCase();
    if (fault) faults.push(headerFault(index, field.name, fault.code, fault.message));
    else if (seen.has(key)) {
      faults.push(
        headerFault(index, field.name, "header.duplicate", say("header_twice", { name: field.name })),
      );
    }
    seen.add(key);
    totalOctets += field.name.length + Buffer.byteLength(field.value);
  }
  if (totalOctets > MAX_TOTAL_OCTETS) {
    faults.push(
      headerFault(
        -1,
        "",
        "header.too_large",
        say("headers_exceed_octets_together", { max: MAX_TOTAL_OCTETS }),
      ),
    );
  }
  return faults;
}

export function checkHeaderField({ name, value }: HeaderField): ContentFault<HeaderFaultCode> | undefined {
  return checkName(name) ?? checkValue(name, value);
}

export function checkSubject(subject: string): ContentFault<SubjectFaultCode> | undefined {
  if (hasControl(subject)) {
    return {
      code: "subject.control_character",
      message: say("subject_contains_line_break_control_character"),
    };
  }
  if (Buffer.byteLength(subject) > MAX_SUBJECT_OCTETS) {
    return {
      code: "subject.too_long",
      message: say("subject_longer_than_octets", { max: MAX_SUBJECT_OCTETS }),
    };
  }
  return undefined;
}

function checkName(name: string): ContentFault<HeaderFaultCode> | undefined {
  if (name.length > MAX_NAME_LENGTH) {
    return {
      code: "header.name_too_long",
      message: say("header_name_longer_than_characters", { max: MAX_NAME_LENGTH }),
    };
  }
  if (!FIELD_NAME.test(name)) {
    return {
      code: "header.name_invalid",
      message: say("header_name_printable_ascii_without_spaces"),
    };
  }
  const key = name.toLowerCase();
  if (RESERVED.has(key) || RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix))) {
    return {
      code: "header.reserved",
      message: say("header_reserved", { name }),
    };
  }
  return undefined;
}

function checkValue(name: string, value: string): ContentFault<HeaderFaultCode> | undefined {
  if (value.trim() === "") return { code: "header.value_empty", message: say("header_empty", { name }) };
  if (hasControlExceptTab(value)) {
    const message = say("header_control_character", { name });
    return { code: "header.value_invalid", message };
  }
  if (Buffer.byteLength(value) > MAX_VALUE_OCTETS) {
    return {
      code: "header.value_too_long",
      message: say("header_value_octets", { name, max: MAX_VALUE_OCTETS }),
    };
  }
  if (isAscii(value)) return checkWords(name, value);
  if (!isStructuredField(name)) return undefined;
  return { code: "header.value_not_ascii", message: say("value_not_ascii", { name }) };
}

function checkWords(name: string, value: string): ContentFault<HeaderFaultCode> | undefined {
  if (value.split(/[ \t]/).every((word) => word.length <= MAX_WORD_LENGTH)) return undefined;
  const message = say("header_word", { name, max: MAX_WORD_LENGTH });
  return { code: "header.value_too_long", message };
}

function headerFault(index: number, name: string, code: HeaderFaultCode, message: FaultText): HeaderFault {
  return { index, name: name.slice(0, MAX_NAME_LENGTH), code, message };
}
