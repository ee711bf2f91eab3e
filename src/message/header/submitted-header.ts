import { say } from "../../shared/fault-text.ts";
import { readFromField } from "../address/from-field.ts";
import { withoutControls } from "../characters.ts";
import type { SourceField } from "../dkim/header-block.ts";
import { decodeWords } from "./decode-words.ts";
import { fieldValue, foldedValue, readSourceHeaders, writeSourceHeaders } from "./source-headers.ts";
import { type SourceFault, sourceFault } from "./source-lines.ts";
import { checkSubmittedFields } from "./submitted-fields.ts";

/** Values in the header of a finished message that control Hermod. */
export interface SubmittedHeader {
  readonly ok: true;
  /** The one address of From. */
  readonly from: string;
  /** Other sender addresses, each once: of Sender, Resent-From and Resent-Sender. */
  readonly alsoFrom: readonly string[];
  /** Readable: decoded, on one line, and short enough for a list. */
  readonly subject: string;
  /** X-Service-Policy. */
  readonly policy: string | undefined;
  /** X-Idempotency-Key. */
  readonly idempotencyKey: string | undefined;
  /** Unchanged, with its angle brackets. */
  readonly messageId: string | undefined;
  readonly hasDate: boolean;
  /** Number of servers that the message has passed (RFC 5321 section 6.3). */
  readonly hops: number;
  /** The forwarded header, byte for byte except for the removed fields, with its empty line. */
  readonly kept: Buffer;
}

/** Fields for Hermod only, fields that no recipient may see (RFC 5322 section 3.6.3), or fields written at delivery. */
const REMOVED = new Set(["x-service-policy", "x-idempotency-key", "bcc", "resent-bcc", "return-path"]);
/** In addition to From (RFC 5322 sections 3.6.2 and 3.6.6); many readers show them as the sender. */
const ALSO_FROM = [
  ["sender", "Sender"],
  ["resent-from", "Resent-From"],
  ["resent-sender", "Resent-Sender"],
] as const;
/** A message that was resent more often has other problems. */
const MAX_ALSO_FROM = 10;
const MAX_SUBJECT_LENGTH = 998;

/**
 * Parses the header of a message and removes fields that must not be sent.
 * @param header with or without the empty line at its end
 */
export function readSubmittedHeader(header: Buffer): SubmittedHeader | SourceFault {
  const headers = readSourceHeaders(header);
  if (!headers.ok) return headers;
  const { fields } = headers;
  const fault = checkSubmittedFields(fields);
  if (fault) return fault;
  const named = (name: string) => fields.filter((field) => field.name === name);
  const [fromField] = named("from");
  if (!fromField) return sourceFault(say("message_no_from_field"));
  const from = readFromField("From", foldedValue(fromField));
  if (!from.ok) return from;
  const alsoFrom = new Set<string>();
  for (const [name, shown] of ALSO_FROM) {
    for (const field of named(name)) {
      const also = readFromField(shown, foldedValue(field));
      if (!also.ok) return also;
      alsoFrom.add(also.address);
      if (alsoFrom.size > MAX_ALSO_FROM) return sourceFault(say("message_names_too_many_senders"));
    }
  }
  const policy = readControl("X-Service-Policy", named("x-service-policy"));
  if (typeof policy === "object") return policy;
  const idempotencyKey = readControl("X-Idempotency-Key", named("x-idempotency-key"));
  if (typeof idempotencyKey === "object") return idempotencyKey;
  const [subject] = named("subject");
  const [messageId] = named("message-id");
  return {
    ok: true,
    from: from.address,
    alsoFrom: [...alsoFrom].filter((address) => address !== from.address),
    subject: subject ? readableText(fieldValue(subject)) : "",
    policy,
    idempotencyKey,
    messageId: messageId && (fieldValue(messageId) || undefined),
    hasDate: named("date").length > 0,
    hops: named("received").length,
    kept: writeSourceHeaders(fields.filter(({ name }) => !REMOVED.has(name))),
  };
}

/** Value of a field that controls Hermod; refused if it occurs twice or is empty, because it is then ambiguous. */
function readControl(name: string, found: readonly SourceField[]): string | undefined | SourceFault {
  const [field, other] = found;
  if (!field) return undefined;
  if (other) return sourceFault(say("several_fields", { name }));
  return fieldValue(field) || sourceFault(say("field_empty", { name }));
}

/** Value of a field for people: decoded, on one line, and short enough for a list. */
export function readableText(value: string): string {
  return withoutControls(decodeWords(value)).slice(0, MAX_SUBJECT_LENGTH).toWellFormed();
}
