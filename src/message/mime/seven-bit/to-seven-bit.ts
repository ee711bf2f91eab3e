import { isAscii } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SourceField } from "../../dkim/header-block.ts";
import { parameter } from "../../dsn/mime-tree.ts";
import { asciiField, NotAscii } from "../../header/ascii-field.ts";
import { writeSourceHeaders } from "../../header/source-headers.ts";
import { encodeBody } from "./encode-body.ts";
import {
  type Entity,
  NotConvertible,
  readEntity,
  type Unconvertible,
  withMime,
  writeEntity,
} from "./entity.ts";
import { splitMultipart } from "./split-multipart.ts";

export type SevenBit =
  | { readonly ok: true; readonly source: Buffer }
  /** Reason why it cannot, as the text after "the message", safe to show. */
  | { readonly ok: false; readonly reason: string; readonly cause: Unconvertible };

/** No program nests deeper, and work grows with the depth. */
const MAX_DEPTH = 10;
const MAX_PARTS = 1_000;

/** They cover the unchanged body (RFC 6376, RFC 8617). DomainKeys are no longer verified (RFC 4870 is historic). */
export const SIGNATURES: ReadonlySet<string> = new Set(["dkim-signature", "arc-message-signature"]);
const IDENTITY = /^(?:7bit|8bit|binary)$/;
/** The only types of `message/*` that may be encoded (RFC 2046 section 5.2, RFC 6532 section 3.7). */
const ENCODABLE_MESSAGE = /^message\/global/;

interface Position {
  readonly depth: number;
  /** Boundaries of the enclosing multiparts: no line of the content may begin with one of their delimiters. */
  readonly boundaries: readonly string[];
  readonly budget: { parts: number };
}

/**
 * Rewrites a message for a server that accepts only ASCII bodies (RFC 6152 section 3): parts with other octets become
 * quoted-printable or base64, and decode to the same octets. Everything else stays unchanged, including header fields, except
 * those that name an encoding. A message stays unchanged if this would break a signature.
 */
export function toSevenBit(source: Buffer): Promise<SevenBit> {
  return unlessSigned(source, () => {
    const position: Position = { depth: 0, boundaries: [], budget: { parts: MAX_PARTS } };
    return convertMessage(source, position);
  });
}

/**
 * Rewrites only the header of a message, for a server that accepts only ASCII headers because it does not offer SMTPUTF8. A
 * message stays unchanged if this would break a signature, or if ASCII cannot represent it.
 */
export function toAsciiHeader(source: Buffer): Promise<SevenBit> {
  return unlessSigned(source, async ({ fields, body }) =>
    Buffer.concat([writeSourceHeaders(asciiFields(fields)), body]),
  );
}

async function unlessSigned(source: Buffer, convert: (entity: Entity) => Promise<Buffer>): Promise<SevenBit> {
  try {
    const entity = readEntity(source, "text/plain");
    const signature = entity.fields.find(({ name }) => SIGNATURES.has(name));
    if (signature)
      throw new NotConvertible(`carries a signature that would break (${signature.name})`, "signed");
    return { ok: true, source: await convert(entity) };
  } catch (error) {
    if (error instanceof NotConvertible) return { ok: false, reason: error.message, cause: error.kind };
    throw error;
  }
}

function asciiFields(fields: readonly SourceField[]): SourceField[] {
  try {
    return fields.map(asciiField);
  } catch (error) {
    if (error instanceof NotAscii) throw new NotConvertible(`has ${error.message}`, "not_ascii");
    throw error;
  }
}

function convertMessage(source: Buffer, position: Position): Promise<Buffer> {
  const entity = readEntity(source, "text/plain");
  return isAscii(entity.body) ? Promise.resolve(source) : convert(withMime(entity), position);
}

async function convertPart(part: Buffer, defaultType: string, position: Position): Promise<Buffer> {
  if (isAscii(part)) return part;
  const found = readEntity(part, defaultType);
  // The header of a part is in the body of the message.
  const entity = { ...found, fields: asciiFields(found.fields) };
  if (!isAscii(entity.body)) return convert(entity, position);
  return Buffer.concat([writeSourceHeaders(entity.fields), entity.body]);
}

/** An entity with a body beyond ASCII. */
async function convert(entity: Entity, position: Position): Promise<Buffer> {
  const { body, type, encoding } = entity;
  if (!IDENTITY.test(encoding)) {
    throw new NotConvertible(
      "has octets beyond ASCII in a part that says that it is encoded",
      "odd_encoding",
    );
  }
  if (type === "multipart/signed")
    throw new NotConvertible("has a signed part (multipart/signed)", "signed_part");
  const inner = { ...position, depth: position.depth + 1 };
  if (inner.depth > MAX_DEPTH) throw new NotConvertible("has parts nested too deep", "nested");
  if (type === "message/rfc822") return writeEntity(entity, await convertMessage(body, inner), "7bit");
  if (type.startsWith("multipart/"))
    return writeEntity(entity, await convertMultipart(entity, inner), "7bit");
  if (type.startsWith("message/") && !ENCODABLE_MESSAGE.test(type)) {
    throw new NotConvertible(
      "has octets beyond ASCII in a part that must not be encoded (message/*)",
      "inner_message",
    );
  }
  const { bytes, transferEncoding } = await encodeBody(entity, position.boundaries);
  return writeEntity(entity, bytes, transferEncoding);
}

async function convertMultipart({ body, type, contentType }: Entity, position: Position): Promise<Buffer> {
  const { boundaries, budget } = position;
  const boundary = parameter(contentType, "boundary");
  const pieces = boundary ? splitMultipart(body, boundary, budget.parts) : undefined;
  if (!boundary || !pieces) throw new NotConvertible("has a multipart whose parts cannot be found", "parts");
  budget.parts -= pieces.parts.length;
  const childType = type === "multipart/digest" ? "message/rfc822" : "text/plain";
  const within = { ...position, boundaries: [...boundaries, boundary] };
  const converted: Buffer[] = [];
  for (const [index, between] of pieces.between.entries()) {
    // Readers ignore text outside the parts (RFC 2046 section 5.1.1).
    converted.push(isAscii(between) ? between : withQuestionMarks(between));
    const part = pieces.parts[index];
    if (!part) continue;
    converted.push(await convertPart(part, childType, within));
    await nextTurn();
  }
  return Buffer.concat(converted);
}

function withQuestionMarks(octets: Buffer): Buffer {
  return Buffer.from(octets.map((octet) => (octet > 0x7f ? 0x3f : octet)));
}
