import type { FaultParams } from "../../contracts/common/fault-texts/fault-params.ts";
import {
  type FaultReason,
  type FaultReasonParams,
  faultNouns,
  faultTextOf,
  faultWords,
  fillText,
} from "../../contracts/common/fault-texts/fault-texts.ts";
import { withoutSecrets } from "./secrets.ts";

/** Maximum length of texts and params, which contain input of callers. */
const MAX_TEXT_LENGTH = 500;
const MAX_PARAM_LENGTH = 200;
const MAX_PARAM_ENTRIES = 60;
/** As JSON. If the params exceed it, only the reason is sent, and readers use the English text. */
const MAX_PARAMS_BYTES = 1_500;

/** Characters with an effect on terminals and pages: control characters, line separators, direction marks. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text of a fault and the params that fill it. Only `say` and `receivedText` create one, so the text has no values
 * outside the params.
 */
class FilledText {
  readonly text: string;
  readonly params: FaultParams;
  /** Makes the type nominal, so that no object literal has it. */
  protected readonly isFilled = true;

  constructor(text: string, params: FaultParams) {
    this.text = shortened(text);
    this.params = bounded(params);
  }

  toString(): string {
    return this.text;
  }
}

export type FaultText = FilledText;

/** Creates the text of a reason in the catalog, filled with its params. */
export function say<R extends FaultReason>(
  reason: R,
  ...[params]: keyof FaultReasonParams<R> extends never ? [] : [FaultReasonParams<R>]
): FaultText {
  const values = (params ?? {}) as FaultParams;
  return new FilledText(fill(faultTextOf(reason), values), { reason, ...values });
}

/** Creates a text from another process of Hermod, with its params. */
export function receivedText(text: string, params: FaultParams = {}): FaultText {
  return new FilledText(text, params);
}

function fill(template: string, params: FaultParams): string {
  return fillText(template, (name, format) => {
    const value = params[name] ?? "";
    if (typeof value === "object") {
      return value.map((entry) => (format === "code" ? `\`${entry}\`` : entry)).join(", ");
    }
    if (format === "json") return JSON.stringify(value);
    if (format === "grouped") return value.toLocaleString("en");
    return format === undefined ? String(value) : inWords(format, value);
  });
}

function inWords(format: string, value: string | number | boolean): string {
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = faultWords;
  const nouns: Readonly<Record<string, readonly [string, string]>> = faultNouns;
  const noun = nouns[format]?.[value === 1 ? 0 : 1];
  return noun === undefined ? (words[format]?.[String(value)] ?? String(value)) : `${value} ${noun}`;
}

function bounded(params: FaultParams): FaultParams {
  const entries = Object.entries(params).map(([name, value]) => {
    if (typeof value === "string") return [name, cleaned(value)];
    return [name, typeof value === "object" ? value.slice(0, MAX_PARAM_ENTRIES).map(cleaned) : value];
  });
  const result = Object.fromEntries(entries) as FaultParams;
  if (Buffer.byteLength(JSON.stringify(result)) <= MAX_PARAMS_BYTES) return result;
  return result.reason === undefined ? {} : { reason: result.reason };
}

function cleaned(value: string): string {
  const safe = withoutSecrets(value).replace(UNSAFE, "\ufffd").toWellFormed();
  return safe.length <= MAX_PARAM_LENGTH ? safe : `${safe.slice(0, MAX_PARAM_LENGTH - 1).toWellFormed()}…`;
}

function shortened(sentence: string): string {
  if (sentence.length <= MAX_TEXT_LENGTH) return sentence;
  return `${sentence.slice(0, MAX_TEXT_LENGTH - 1).toWellFormed()}…`;
}
