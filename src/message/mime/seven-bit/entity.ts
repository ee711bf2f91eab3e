import { isUtf8 } from "node:buffer";
import { type SourceField, splitSource } from "../../dkim/header-block.ts";
import { fieldValue, findBody, MAX_HEADER_OCTETS, writeSourceHeaders } from "../../header/source-headers.ts";

/** Reason why a message cannot be converted, as the text after "the message", safe to show. */
export class NotConvertible extends Error {
  readonly kind: Unconvertible;

  constructor(message: string, kind: Unconvertible) {
    super(message);
    this.kind = kind;
  }
}

/** Cause of an unconvertible message, for translations. */
export type Unconvertible =
  | "signed"
  | "not_ascii"
  | "odd_encoding"
  | "signed_part"
  | "nested"
  | "inner_message"
  | "parts"
  | "long_header"
  | "odd_header"
  | "failed";

/** A message or one of its parts in MIME. */
export interface Entity {
  readonly fields: readonly SourceField[];
  readonly body: Buffer;
  /** `text/plain`, in lower case. */
  readonly type: string;
  /** The value of the field. */
  readonly contentType: string;
  /** Content-Transfer-Encoding in lower case; `7bit` when missing (RFC 2045 section 6.1). */
  readonly encoding: string;
}

const MAX_CONTENT_TYPE_LENGTH = 1_000;

/** @throws NotConvertible */
export function readEntity(bytes: Buffer, defaultType: string): Entity {
  const { fields, body } = readFields(bytes);
  const contentType = onlyValue(fields, "content-type")?.slice(0, MAX_CONTENT_TYPE_LENGTH) ?? "";
  const type = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(contentType)?.[1]?.toLowerCase() ?? defaultType;
  const encoding = onlyValue(fields, "content-transfer-encoding")?.toLowerCase() || "7bit";
  return { fields, body, type, contentType, encoding };
}

function readFields(bytes: Buffer) {
  const bodyAt = findBody(bytes);
  if ((bodyAt < 0 ? bytes.length : bodyAt) > MAX_HEADER_OCTETS)
    throw new NotConvertible(
      `has a part whose header has more than ${MAX_HEADER_OCTETS} octets`,
      "long_header",
    );
  try {
    return splitSource(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new NotConvertible("has a part whose header cannot be read", "odd_header");
  }
}

function onlyValue(fields: readonly SourceField[], name: string): string | undefined {
  const [field, other] = fields.filter((each) => each.name === name);
  if (other) throw new NotConvertible(`has several ${name} fields in one header`, "odd_header");
  return field && fieldValue(field);
}

/** Adds the fields with which the encodings of a message are valid (RFC 2045 section 4). */
export function withMime(message: Entity): Entity {
  const has = (name: string) => message.fields.some((field) => field.name === name);
  const added: SourceField[] = [];
  if (!has("mime-version")) added.push(newField("MIME-Version", "1.0"));
  if (!has("content-type")) {
    // RFC 1428 section 3: the meaning of the octets is unknown.
    const charset = isUtf8(message.body) ? "utf-8" : "unknown-8bit";
    added.push(newField("Content-Type", `text/plain; charset=${charset}`));
  }
  return { ...message, fields: [...message.fields, ...added] };
}

/** The entity with another body in this encoding. */
export function writeEntity({ fields }: Entity, body: Buffer, transferEncoding: string): Buffer {
  const named = newField("Content-Transfer-Encoding", transferEncoding);
  const at = fields.findIndex(({ name }) => name === named.name);
  const written = at < 0 ? [...fields, named] : fields.with(at, named);
  return Buffer.concat([writeSourceHeaders(written), body]);
}

function newField(name: string, value: string): SourceField {
  return { name: name.toLowerCase(), bytes: Buffer.from(`${name}: ${value}`) };
}
