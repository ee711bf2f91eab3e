import { create, type DescMessage, type JsonObject, type MessageInitShape, toJson } from "@bufbuild/protobuf";

/** Complete message (RFC 5322), in base64 in the field `body` of a line; undefined: it is no longer stored. */
export type Body = { readonly bytes: Uint8Array } | { readonly unreadable: string } | undefined;

/** Line of an export for one document. */
export interface Line {
  readonly kind: string;
  /** A document field `kind` is exported as `type`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Loads the body when its line is sent, so that only one body at a time is in memory. */
  readonly body?: (() => Promise<Body>) | undefined;
}

const PIECE_CHARACTERS = 64 * 1024;
/** A multiple of three octets results in complete base64 characters. */
const PIECE_BYTES = 48 * 1024;

const LOW_SURROGATE = /^[\uDC00-\uDFFF]/;

/** The message in the form of the dashboard's API. */
export function shown<Schema extends DescMessage>(
  schema: Schema,
  value: MessageInitShape<Schema>,
): JsonObject {
  const options = { useProtoFieldName: true, alwaysEmitImplicit: true };
  return toJson(schema, create(schema, value), options) as JsonObject;
}

/** Text of a line with its line break, in parts that are valid texts. */
export async function* textOf({ kind, fields, body }: Line): AsyncGenerator<string, void> {
  const { kind: type, ...rest } = fields;
  const text = JSON.stringify({ kind, ...(type !== undefined && { type }), ...rest });
  const found = await body?.();
  if (!found) {
    yield* pieces(`${text}\n`);
  } else if ("unreadable" in found) {
    yield* pieces(`${text.slice(0, -1)},"body_unreadable":${JSON.stringify(found.unreadable)}}\n`);
  } else {
    yield* pieces(`${text.slice(0, -1)},"body":"`);
    const { buffer, byteOffset, length } = found.bytes;
    const bytes = Buffer.from(buffer, byteOffset, length);
    for (let at = 0; at < length; at += PIECE_BYTES) yield bytes.toString("base64", at, at + PIECE_BYTES);
    yield '"}\n';
  }
}

function* pieces(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; ) {
    let end = at + PIECE_CHARACTERS;
    if (LOW_SURROGATE.test(text.charAt(end))) end++;
    yield text.slice(at, end);
    at = end;
  }
}
