import { findLoneSurrogate } from "../../shared/find-lone-surrogate.ts";
import { type JsonDoubtCode, jsonDoubtFault } from "../../shared/json-doubt-fault.ts";
import { type JsonLimits, scanJson } from "../../shared/scan-json.ts";

/** Bounds of the JSON that callers fill as they like, the data of a template for instance. */
export const FREE_JSON_LIMITS: JsonLimits & { readonly maxBytes: number } = {
  maxBytes: 1024 * 1024,
  maxDepth: 32,
  maxValues: 10_000,
};

export interface FreeJsonFault {
  readonly code: "field.too_long" | "field.too_deep" | "field.too_many" | "field.invalid" | JsonDoubtCode;
  /** Within the text (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
}

export type FreeJsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: FreeJsonFault };

/** Reads JSON text (RFC 8259) that a stranger has written; its limits are checked before it is parsed. */
export function readFreeJson(text: string): FreeJsonResult {
  const { maxBytes, maxDepth, maxValues } = FREE_JSON_LIMITS;
  const bytes = Buffer.from(text);
  if (bytes.length > maxBytes) {
    return refused("field.too_long", "", `It has ${bytes.length} octets as JSON; ${maxBytes} are allowed.`);
  }
  const { excess, doubts } = scanJson(bytes, FREE_JSON_LIMITS);
  if (excess?.limit === "maxDepth") {
    const message = `At most ${maxDepth} levels of objects and lists are allowed; this value is one more.`;
    return refused("field.too_deep", excess.pointer, message);
  }
  if (excess) {
    const message = `At most ${maxValues} values are allowed; the one too many is in here.`;
    return refused("field.too_many", excess.pointer, message);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused("field.invalid", "", "It is not valid JSON.");
  }
  const [doubt] = doubts;
  if (doubt) return { ok: false, fault: jsonDoubtFault(doubt) };
  const at = findLoneSurrogate(value, text);
  if (at === undefined) return { ok: true, value };
  return refused("field.invalid", at, "The text has half of a surrogate pair, which is no character.");
}

function refused(code: FreeJsonFault["code"], pointer: string, message: string): FreeJsonResult {
  return { ok: false, fault: { code, pointer, message } };
}
