import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

export type ContentCoding = "br" | "gzip";

/** Smaller answers fit into a few packets as they are. */
const FEWEST_BYTES = 8 * 1024;
/** As small as gzip makes JSON, in a third of the time; the best costs a second a megabyte. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } as const;

/** RFC 9110 section 12.4.2. */
const WEIGHT = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

export const compress: Readonly<Record<ContentCoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** The coding that a client prefers (RFC 9110 section 12.5.3), of those that there are; a weight of 0 refuses one. */
export function preferredCoding(acceptEncoding: string | undefined): ContentCoding | undefined {
  const weights = new Map<string, number>();
  for (const one of (acceptEncoding ?? "").split(",")) {
    const [coding = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    const [weight = "q=1"] = parameters;
    weights.set(coding, WEIGHT.test(weight) ? Number(weight.slice(2)) : 0);
  }
  const weightOf = (coding: ContentCoding) => weights.get(coding) ?? 0;
  if (weightOf("br") === 0 && weightOf("gzip") === 0) return undefined;
  return weightOf("br") >= weightOf("gzip") ? "br" : "gzip";
}

/** Ends of the names of compressed copies of files. */
const suffixes: Readonly<Record<ContentCoding, string>> = { br: ".br", gzip: ".gz" };

/**
 * The file to send in place of `name`: its compressed copy if the client accepts one.
 */
export function codedFile(
  name: string,
  acceptEncoding: string | undefined,
  files: { has(name: string): boolean },
): { readonly name: string; readonly coding?: ContentCoding } {
  const coding = preferredCoding(acceptEncoding);
  return coding && files.has(name + suffixes[coding]) ? { name: name + suffixes[coding], coding } : { name };
}

/**
 * Compresses the responses of a scope, outside the main thread. The scope must accept keys only in headers, and no
 * cookies: the length of a compressed response reveals information about its content (BREACH), which an attacker can
 * use only if a browser sends the credentials of its user.
 */
export function compressAnswers(scope: FastifyInstance): void {
  scope.addHook("onSend", async (request: FastifyRequest, reply: FastifyReply, payload) => {
    if (request.method !== "GET" && request.method !== "POST") return payload;
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return payload;
    if (
      !/^(?:application\/json|application\/problem\+json|text\/html)\b/.test(
        String(reply.getHeader("content-type")),
      )
    )
      return payload;
    if (payload.length < FEWEST_BYTES) return payload;
    reply.header("vary", "accept-encoding");
    const coding = preferredCoding(request.headers["accept-encoding"]);
    if (!coding) return payload;
    const etag = reply.getHeader("etag");
    // The same content in other bytes (RFC 9110 section 8.8.1).
    if (typeof etag === "string" && !etag.startsWith("W/")) reply.header("etag", `W/${etag}`);
    reply.header("content-encoding", coding);
    reply.removeHeader("content-length");
    return compress[coding](Buffer.from(payload));
  });
}
