import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parameter } from "../dsn/mime-tree.ts";
import { fieldValue } from "../header/source-headers.ts";
import { decodeEscapes, withoutSoftBreaks } from "../mime/decode-quoted-printable.ts";
import { encodeBody } from "../mime/seven-bit/encode-body.ts";
import { type Entity, NotConvertible, readEntity, writeEntity } from "../mime/seven-bit/entity.ts";
import { splitMultipart } from "../mime/seven-bit/split-multipart.ts";
import { SIGNATURES } from "../mime/seven-bit/to-seven-bit.ts";
import { type HtmlSize, NO_HTML, type Tracked, type TrackHtml, type Untracked } from "./track-html.ts";

interface TrackSourceInput {
  /** A finished message, with CRLF. */
  readonly source: Buffer;
  readonly messageId: string;
  readonly tracked: Tracked;
  /** As in `TrackHtmlInput`. */
  readonly base?: string | undefined;
  readonly trackHtml: TrackHtml;
}

export type TrackSourceResult =
  /** The same source if there is nothing to track. */
  | { readonly ok: true; readonly source: Buffer }
  /** `reason` is the end of a sentence: why the message stays unchanged. */
  | { readonly ok: false; readonly reason: string; readonly cause: Untracked };

/** No program nests html deeper. */
const MAX_DEPTH = 10;
const MAX_PARTS = 1_000;
/** RFC 5322 section 2.1.1. */
const MAX_LINE_OCTETS = 998;
const CRLF = "\r\n";
const ENTERED = /^multipart\/(?:mixed|alternative|related)$/;
const SEALED = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-mime)$/;
/** Character sets in which each octet is the character of the same number, as far as html syntax is concerned. */
const SINGLE_OCTET = /^(?:us-ascii|iso-8859-1|iso-8859-15|windows-1252)$/;

/**
 * Redirects links of the html parts of a finished message through Hermod, and adds a pixel to the first. Everything else stays
 * unchanged, octet for octet, including header fields, except for the encoding of a changed part. Signed or encrypted messages
 * and attachments stay unchanged.
 */
export async function trackSource(input: TrackSourceInput): Promise<TrackSourceResult> {
  const { source } = input;
  try {
    const message = readEntity(source, "text/plain");
    const signature = message.fields.find(({ name }) => SIGNATURES.has(name));
    if (signature)
      return {
        ok: false,
        reason: `it carries a signature that would break (${signature.name})`,
        cause: "signed",
      };
    const listUnsubscribe = message.fields
      .filter(({ name }) => name === "list-unsubscribe")
      .map((field) => fieldValue(field));
    const work: Work = { ...input, listUnsubscribe, budget: { parts: MAX_PARTS }, before: NO_HTML };
    return { ok: true, source: await trackPart(source, work, []) };
  } catch (error) {
    if (error instanceof Untrackable) return { ok: false, reason: error.message, cause: error.kind };
    if (error instanceof NotConvertible)
      return { ok: false, reason: `it ${error.message}`, cause: "unreadable" };
    throw error;
  }
}

/** Its message is the end of a sentence. */
class Untrackable extends Error {
  readonly kind: Untracked;

  constructor(message: string, kind: Untracked) {
    super(message);
    this.kind = kind;
  }
}

interface Work extends TrackSourceInput {
  readonly listUnsubscribe: readonly string[];
  readonly budget: { parts: number };
  /** All html of the earlier parts. */
  before: HtmlSize;
}

/** @param boundaries of the enclosing multiparts: no line of the content may begin with one of their delimiters */
async function trackPart(bytes: Buffer, work: Work, boundaries: readonly string[]): Promise<Buffer> {
  const entity = readEntity(bytes, "text/plain");
  const { type } = entity;
  if (SEALED.test(type))
    throw new Untrackable(`it has a part that is signed or encrypted (${type})`, "sealed_part");
  if (type === "text/html" && !isAttachment(entity)) return trackHtmlPart(bytes, entity, work, boundaries);
  return ENTERED.test(type) ? trackMultipart(bytes, entity, work, boundaries) : bytes;
}

function isAttachment({ fields }: Entity): boolean {
  const disposition = fields.find(({ name }) => name === "content-disposition");
  return disposition !== undefined && /^\s*attachment\b/i.test(fieldValue(disposition));
}

async function trackMultipart(
  bytes: Buffer,
  { body, contentType }: Entity,
  work: Work,
  boundaries: readonly string[],
): Promise<Buffer> {
  const boundary = parameter(contentType, "boundary");
  const pieces = boundary ? splitMultipart(body, boundary, work.budget.parts) : undefined;
  if (!boundary || !pieces || boundaries.length >= MAX_DEPTH)
    throw new Untrackable("it has a multipart whose parts cannot be found", "parts");
  work.budget.parts -= pieces.parts.length;
  const written: Buffer[] = [bytes.subarray(0, bytes.length - body.length)];
  for (const [index, between] of pieces.between.entries()) {
    written.push(between);
    const part = pieces.parts[index];
    if (!part) continue;
    written.push(await trackPart(part, work, [...boundaries, boundary]));
    await nextTurn();
  }
  return Buffer.concat(written);
}

async function trackHtmlPart(
  bytes: Buffer,
  entity: Entity,
  work: Work,
  boundaries: readonly string[],
): Promise<Buffer> {
  const { messageId, tracked, base, listUnsubscribe } = work;
  const octets = decoded(entity);
  const charset = charsetOf(entity, octets);
  const html = octets.toString(charset);
  const { before } = work;
  const wanted = { ...tracked, opens: tracked.opens && before === NO_HTML };
  const result = await work.trackHtml({ html, messageId, tracked: wanted, base, listUnsubscribe, before });
  if (!result.ok) throw new Untrackable(result.reason, result.cause);
  work.before = result.size;
  if (result.html === html) return bytes;
  const body = Buffer.from(result.html, charset);
  const changed = { ...entity, body };
  if (isIdentity(entity) && fitsAsItIs(body, octets, boundaries))
    return writeEntity(changed, body, entity.encoding);
  const { bytes: encoded, transferEncoding } = await encodeBody(changed, boundaries);
  return writeEntity(changed, encoded, transferEncoding);
}

function isIdentity({ encoding }: Entity): boolean {
  return /^(?:7bit|8bit)$/.test(encoding);
}

/** Without its transfer encoding (RFC 2045 section 6). */
function decoded(entity: Entity): Buffer {
  const { body, encoding } = entity;
  if (encoding === "base64") return Buffer.from(body.toString("latin1"), "base64");
  if (isIdentity(entity)) return body;
  if (encoding !== "quoted-printable")
    throw new Untrackable(
      `its html has an encoding that is not known (${encoding.slice(0, 40)})`,
      "encoding",
    );
  return decodeEscapes(withoutSoftBreaks(body));
}

/** Reversible mapping of octets to characters. */
function charsetOf({ contentType }: Entity, octets: Buffer): "utf8" | "latin1" {
  const charset = parameter(contentType, "charset")?.toLowerCase() ?? "us-ascii";
  if (/^utf-?8$/.test(charset) && isUtf8(octets)) return "utf8";
  if (SINGLE_OCTET.test(charset)) return "latin1";
  throw new Untrackable(`its html is in a charset that is not tracked (${charset.slice(0, 40)})`, "charset");
}

/** True if no line is too long, and none contains a delimiter that did not exist before. */
function fitsAsItIs(body: Buffer, former: Buffer, boundaries: readonly string[]): boolean {
  const text = body.toString("latin1");
  if (text.split(CRLF).some((line) => line.length > MAX_LINE_OCTETS)) return false;
  const isLaidOpen = (boundary: string) =>
    text.includes(`--${boundary}`) && !former.includes(`--${boundary}`);
  return !boundaries.some(isLaidOpen);
}
