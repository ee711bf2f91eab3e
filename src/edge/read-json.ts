import { isUtf8 } from "node:buffer";
import { type AppRoute, ContractNoBody } from "@ts-rest/core";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Fault, type FieldFault, fault, validationFault } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";
import { findLoneSurrogate } from "../shared/find-lone-surrogate.ts";
import { jsonDoubtFault } from "../shared/json-doubt-fault.ts";
import { type JsonExcess, type JsonLimits, scanJson } from "../shared/scan-json.ts";

/** Ignored, as RFC 8259 section 8.1 allows. */
const BYTE_ORDER_MARK = /^\ufeff/;

/** Many times what the largest body that is accepted has, and parsed in a few milliseconds. */
const BODY_LIMITS: JsonLimits = { maxDepth: 64, maxValues: 20_000 };

/**
 * Bodies are `application/json` in UTF-8 (RFC 8259 section 8.1), and of nothing that a mail could not carry: what
 * cannot be read is refused, never repaired.
 */
export function readJsonBodies(app: FastifyInstance): void {
  // Fastify ends the connection after a parser's error, since more of the body may come: here it was read to its end.
  app.addHook("preValidation", (request, _reply, done) =>
    done(request.body instanceof Fault ? request.body : undefined),
  );
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    (request: FastifyRequest, bytes: Buffer, done) => {
      request.bodyBytes = bytes.length;
      let value: unknown;
      try {
        value = readJson(request, bytes);
      } catch (refused) {
        return refused instanceof Fault ? done(null, refused) : done(refused as Error);
      }
      done(null, value);
    },
  );
}

/** @throws Fault request.* */
function readJson(request: FastifyRequest, bytes: Buffer): unknown {
  // Many programs name a media type with every request.
  if (bytes.length === 0 && !wantsBody(request)) return undefined;
  if (!isUtf8Charset(request)) throw fault("request.unsupported_media_type");
  if (!isUtf8(bytes)) throw fault("request.malformed_json", { public: say("body_not_valid_utf_8") });
  const { excess, doubts } = scanJson(bytes, BODY_LIMITS);
  if (excess) throw validationFault([excessFault(excess)]);
  const text = bytes.toString("utf8").replace(BYTE_ORDER_MARK, "");
  const value = parse(text);
  if (doubts.length > 0) throw validationFault(doubts.map(jsonDoubtFault));
  const at = findLoneSurrogate(value, text);
  if (at === undefined) return value;
  const message = say("text_half_surrogate_pair_no_character");
  throw validationFault([{ pointer: at, code: "field.invalid", message }]);
}

/** Whether the contract of a request's operation has a body. */
function wantsBody({ routeOptions }: FastifyRequest): boolean {
  const { tsRestRoute: route } = routeOptions.config as { readonly tsRestRoute?: AppRoute };
  return route === undefined || ("body" in route && route.body !== ContractNoBody);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() === "") throw fault("request.malformed_json", { public: say("body_empty") });
    throw fault("request.malformed_json", { public: describe(error as Error), cause: error });
  }
}

function excessFault({ limit, pointer }: JsonExcess): FieldFault {
  if (limit === "maxDepth") {
    const message = say("body_levels", { max: BODY_LIMITS.maxDepth });
    return { pointer, code: "field.too_deep", message };
  }
  const message = say("body_values", { max: BODY_LIMITS.maxValues });
  return { pointer, code: "field.too_many", message };
}

function isUtf8Charset(request: FastifyRequest): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers["content-type"] ?? "")?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

function describe(error: Error): FaultText {
  // V8 quotes the text around the fault, which may be a secret.
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0];
  return position ? say("body_not_json_at", { detail: position }) : say("body_not_json");
}
