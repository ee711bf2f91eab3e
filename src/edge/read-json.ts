import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type FieldFault, fault, validationFault } from "../shared/fault.ts";
import { jsonPointer } from "../shared/json-pointer.ts";
import { type JsonExcess, type JsonLimits, scanJson } from "../shared/scan-json.ts";

/** Many times what the largest body that is accepted has, and parsed in a few milliseconds. */
const BODY_LIMITS: JsonLimits = { maxDepth: 64, maxValues: 20_000 };

/** Only an escape can name half of a surrogate pair in a text that is UTF-8. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Bodies are `application/json` in UTF-8 (RFC 8259 section 8.1), and of nothing that a mail could not carry: what
 * cannot be read is refused, never repaired.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
    if (!isUtf8Charset(request)) return done(fault("request.unsupported_media_type"));
    if (!isUtf8(bytes))
      return done(fault("request.malformed_json", { public: "The body is not valid UTF-8." }));
    const { excess } = scanJson(bytes, BODY_LIMITS);
    if (excess) return done(validationFault([excessFault(excess)]));
    const text = bytes.toString("utf8");
    if (text.trim() === "") return done(fault("request.malformed_json", { public: "The body is empty." }));
    parse(request, text, (error, value) => {
      if (error) return done(fault("request.malformed_json", { public: describe(error), cause: error }));
      const at = SURROGATE_ESCAPE.test(text) ? findLoneSurrogate(value, "") : undefined;
      if (at === undefined) return done(null, value);
      const message = "The text has half of a surrogate pair, which is no character.";
      done(validationFault([{ pointer: at, code: "field.invalid", message }]));
    });
  });
}

function excessFault({ limit, pointer }: JsonExcess): FieldFault {
  if (limit === "maxDepth") {
    const message = `A body has at most ${BODY_LIMITS.maxDepth} levels of objects and lists; this value is one more.`;
    return { pointer, code: "field.too_deep", message };
  }
  const message = `A body has at most ${BODY_LIMITS.maxValues} values; the one too many is in here.`;
  return { pointer, code: "field.too_many", message };
}

function isUtf8Charset(request: FastifyRequest): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers["content-type"] ?? "")?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

function describe(error: Error): string {
  // V8 quotes the text around the fault, which may be a secret.
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0];
  return `The body is not valid JSON${position ? ` (${position})` : ""}.`;
}

/** Pointer to the first string, or the object with the first key, that is not well-formed Unicode. */
function findLoneSurrogate(value: unknown, pointer: string): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : pointer;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (!key.isWellFormed()) return pointer;
    const found = findLoneSurrogate(inner, pointer + jsonPointer([key]));
    if (found !== undefined) return found;
  }
  return undefined;
}
