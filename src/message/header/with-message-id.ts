// A resent message has a new Message-ID, because receivers silently drop a known one. `Resent-*` fields (RFC 5322
// section 3.6.6) would keep it.

import { say } from "../../shared/fault-text.ts";
import { findBody, readSourceHeaders } from "./source-headers.ts";
import { type SourceFault, sourceFault } from "./source-lines.ts";

/** Signatures that usually cover the Message-ID (RFC 6376 section 5.4.1, RFC 8617 section 4.1.2). */
const SIGNATURES = new Set(["dkim-signature", "arc-message-signature"]);

export interface Renamed {
  readonly ok: true;
  readonly source: Buffer;
  /** False: the message is signed, and keeps its Message-ID. */
  readonly isRenamed: boolean;
}

/**
 * Replaces the Message-ID of a finished message: every other octet stays unchanged. A message that its sender has signed stays
 * as it is, because the signature would break.
 * @param messageId with its angle brackets
 */
export function withMessageId(source: Buffer, messageId: string): Renamed | SourceFault {
  const bodyAt = findBody(source);
  const headers = readSourceHeaders(bodyAt === -1 ? source : source.subarray(0, bodyAt));
  if (!headers.ok) return headers;
  const { fields } = headers;
  if (fields.some(({ name }) => SIGNATURES.has(name))) return { ok: true, source, isRenamed: false };
  const [former, other] = fields.filter(({ name }) => name === "message-id");
  if (!former || other) return sourceFault(say("message_no_message_id_field_several"));
  const at = former.bytes.byteOffset - source.byteOffset;
  const parts = [
    source.subarray(0, at),
    Buffer.from(`Message-ID: ${messageId}`),
    source.subarray(at + former.bytes.length),
  ];
  return { ok: true, source: Buffer.concat(parts), isRenamed: true };
}
