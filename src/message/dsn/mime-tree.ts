import { decodeEscapes } from "../mime/decode-quoted-printable.ts";
import { type Fields, field, readHeader } from "./fields.ts";

/** A part of a message. Text has one octet per character, and lines end in LF. */
export interface Part {
  readonly header: Fields;
  /** `text/plain`, in lower case. */
  readonly type: string;
  /** Unchanged; `contentOf` removes the transfer encoding. */
  readonly body: string;
  /** The parts of a multipart; for a message within a part, the message. */
  readonly children: readonly Part[];
}

/** Depth of a message, its parts and their content: no host nests deeper, and work grows with the depth. */
const MAX_DEPTH = 10;
const MAX_PARTS = 300;
const MAX_SOURCE_BYTES = 2_000_000;
const MAX_BOUNDARY_LENGTH = 200;

const MESSAGE_TYPE = /^message\/(?:rfc822|global)$/;
const PARAMETER = /;\s*([a-z0-9*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/gi;
const MAX_CONTENT_TYPE_LENGTH = 1_000;

interface Budget {
  parts: number;
}

/** Parses the parts of a message; data beyond the limits is dropped. Never throws; linear in the source. */
export function readMimeTree(source: Buffer, maxBytes = MAX_SOURCE_BYTES): Part {
  const text = source.subarray(0, maxBytes).toString("latin1").replace(/\r\n?/g, "\n");
  // Blank lines before the header do not end it.
  return readPart(text.replace(/^\n+/, ""), "text/plain", 0, { parts: MAX_PARTS });
}

/** The parts of one message in order, without those of nested messages. */
export function partsOf(message: Part): Part[] {
  return message.type.startsWith("multipart/") ? [message, ...message.children.flatMap(partsOf)] : [message];
}

/** The body without its transfer encoding; line ends are LF. */
export function contentOf(part: Part): string {
  return encodingOf(part) === undefined
    ? part.body
    : octetsOf(part).toString("latin1").replace(/\r\n?/g, "\n");
}

/** The unchanged octets of the body without its transfer encoding, for a file. */
export function octetsOf(part: Part): Buffer {
  const encoding = encodingOf(part);
  if (encoding === "base64") return Buffer.from(part.body, "base64");
  if (encoding === undefined) return Buffer.from(part.body, "latin1");
  return decodeEscapes(Buffer.from(part.body.replace(/=\n/g, ""), "latin1"));
}

/** undefined: the body is not encoded. */
function encodingOf({ header }: Part): "base64" | "quoted-printable" | undefined {
  const encoding = field(header, "content-transfer-encoding")?.toLowerCase() ?? "";
  return (["base64", "quoted-printable"] as const).find((name) => encoding.startsWith(name));
}

function readPart(text: string, defaultType: string, depth: number, budget: Budget): Part {
  const [head, body] = splitHeader(text);
  const header = readHeader(head);
  const contentType = (field(header, "content-type") ?? "").slice(0, MAX_CONTENT_TYPE_LENGTH);
  const type = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(contentType)?.[1]?.toLowerCase() ?? defaultType;
  const leaf: Part = { header, type, body, children: [] };
  if (depth >= MAX_DEPTH) return leaf;
  if (type.startsWith("multipart/")) {
    const childType = type === "multipart/digest" ? "message/rfc822" : "text/plain";
    const bodies = splitMultipart(body, parameter(contentType, "boundary"), budget);
    return { ...leaf, children: bodies.map((each) => readPart(each, childType, depth + 1, budget)) };
  }
  if (MESSAGE_TYPE.test(type) && budget.parts-- > 0) {
    return { ...leaf, children: [readPart(contentOf(leaf), "text/plain", depth + 1, budget)] };
  }
  return leaf;
}

function splitHeader(text: string): [head: string, body: string] {
  if (text.startsWith("\n")) return ["", text.slice(1)];
  const end = text.indexOf("\n\n");
  return end === -1 ? [text, ""] : [text.slice(0, end), text.slice(end + 2)];
}

/** RFC 2046 section 5.1.1. A missing end delimiter is accepted; parts beyond the budget are not parsed. */
function splitMultipart(body: string, boundary: string | undefined, budget: Budget): string[] {
  if (!boundary || boundary.length > MAX_BOUNDARY_LENGTH) return [];
  const text = `\n${body}`;
  const bodies: string[] = [];
  let from = -1;
  // Lines are found first and then compared, so that no boundary can make the search restart on the same octets.
  for (let at = text.indexOf("\n--"); at !== -1; at = text.indexOf("\n--", at + 1)) {
    if (!text.startsWith(boundary, at + 3)) continue;
    const lineEnd = endOfLine(text, at + 3 + boundary.length);
    const rest = text.slice(at + 3 + boundary.length, lineEnd).trim();
    if (rest !== "" && rest !== "--") continue;
    if (from !== -1) bodies.push(text.slice(from, at));
    from = rest === "--" || budget.parts <= 0 ? -1 : lineEnd + 1;
    if (from === -1) return bodies;
    budget.parts--;
  }
  if (from !== -1) bodies.push(text.slice(from));
  return bodies;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** A parameter of Content-Type (RFC 2045 section 5.1). */
export function parameter(contentType: string, name: string): string | undefined {
  for (const [, key = "", quoted, token] of contentType.matchAll(PARAMETER)) {
    if (key.toLowerCase() === name) return quoted?.replace(/\\(.)/g, "$1") ?? token;
  }
  return undefined;
}
