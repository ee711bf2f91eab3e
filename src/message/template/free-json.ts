import { type FaultText, say } from "../../shared/fault-text.ts";
import { findLoneSurrogate } from "../../shared/find-lone-surrogate.ts";
import { type JsonDoubtCode, jsonDoubtFault } from "../../shared/json-doubt-fault.ts";
import { type JsonLimits, scanJson } from "../../shared/scan-json.ts";

/** Limits of free JSON of callers, for example the data of a template. */
export const FREE_JSON_LIMITS: JsonLimits & { readonly maxBytes: number } = {
  maxBytes: 1024 * 1024,
  maxDepth: 32,
  maxValues: 10_000,
};

export interface FreeJsonFault {
  readonly code: "field.too_long" | "field.too_deep" | "field.too_many" | "field.invalid" | JsonDoubtCode;
  /** Pointer within the text (RFC 6901). */
  readonly pointer: string;
  readonly message: FaultText;
}

export type FreeJsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: FreeJsonFault };

/** Parses foreign JSON text (RFC 8259) after checking its limits. */
export function readFreeJson(text: string): FreeJsonResult {
  const { maxBytes, maxDepth, maxValues } = FREE_JSON_LIMITS;
  const bytes = Buffer.from(text);
  if (bytes.length > maxBytes) {
    return refused("field.too_long", "", say("octets_json_allowed", { actual: bytes.length, max: maxBytes }));
  }
  const { excess, doubts } = scanJson(bytes, FREE_JSON_LIMITS);
  if (excess?.limit === "maxDepth") {
    const message = say("most_levels_objects_lists_allowed_value", { max: maxDepth });
    return refused("field.too_deep", excess.pointer, message);
  }
  if (excess) {
    const message = say("most_values_allowed_one_too_many", { max: maxValues });
    return refused("field.too_many", excess.pointer, message);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused("field.invalid", "", say("not_valid_json"));
  }
  const [doubt] = doubts;
  if (doubt) return { ok: false, fault: jsonDoubtFault(doubt) };
  const at = findLoneSurrogate(value, text);
  if (at === undefined) return { ok: true, value };
  return refused("field.invalid", at, say("text_half_surrogate_pair_no_character"));
}

function refused(code: FreeJsonFault["code"], pointer: string, message: FaultText): FreeJsonResult {
  return { ok: false, fault: { code, pointer, message } };
}
