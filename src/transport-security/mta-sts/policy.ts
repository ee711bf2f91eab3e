import { hostName } from "../../dns/names.ts";

/**
 * What a domain asks of those who bring it mail (RFC 8461 section 5).
 *
 * - `enforce`: only to the servers that it names, only with a valid certificate
 * - `testing`: as without a policy, but tell what would have failed
 * - `none`: as without a policy
 */
export type MtaStsMode = "enforce" | "testing" | "none";

export interface MtaStsPolicy {
  readonly mode: MtaStsMode;
  /** Names of servers in lower case, or `*.` and a name. There is one at least, unless the mode is `none`. */
  readonly mx: readonly string[];
  /** How long the policy holds after it was fetched. */
  readonly maxAgeSeconds: number;
}

/** RFC 8461 section 3.3 proposes this bound. */
export const MAX_POLICY_BYTES = 64 * 1024;
/** RFC 8461 section 3.2: a year. */
const MAX_AGE_SECONDS = 31_557_600;
const MODES: readonly MtaStsMode[] = ["enforce", "testing", "none"];

const FIELD_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;
/** No control characters; spaces inside only. Whatever is not ASCII is UTF-8, or the decoder refuses it. */
const FIELD_VALUE = /^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u;
const ASCII = /^[\x21-\x7e]+$/;

/**
 * Reads the body of a policy (RFC 8461 section 3.2), by its grammar but for empty lines at the end, which editors
 * leave there. Fields that are unknown are passed over, and those that come again: the first one counts.
 * @throws Error saying what is wrong with it
 */
export function parsePolicy(body: Buffer): MtaStsPolicy {
  if (body.length > MAX_POLICY_BYTES) throw new Error(`the policy is longer than ${MAX_POLICY_BYTES} octets`);
  const fields = new Map<string, string>();
  const mx: string[] = [];
  for (const line of linesOf(body)) {
    const { name, value } = readField(line);
    if (name === "mx") mx.push(readPattern(value));
    else if (!fields.has(name)) fields.set(name, value);
  }
  if (fields.get("version") !== "STSv1") throw new Error("the policy's version is not STSv1");
  const mode = MODES.find((one) => one === fields.get("mode"));
  if (!mode) throw new Error("the policy's mode is none of enforce, testing and none");
  if (mx.length === 0 && mode !== "none") throw new Error("the policy names no mx");
  return { mode, mx, maxAgeSeconds: readMaxAge(fields.get("max_age")) };
}

function linesOf(body: Buffer): string[] {
  const lines = decodeUtf8(body).split(/\r?\n/);
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new Error("the policy is not UTF-8");
  }
}

function readField(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(colon, 0));
  const value = trimBlanks(line.slice(colon + 1));
  if (!FIELD_NAME.test(name) || !FIELD_VALUE.test(value)) throw new Error("the policy has a malformed line");
  return { name, value };
}

/** Without the spaces and tabs at both ends; by hand, for a regular expression is quadratic in hostile ones. */
function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === " " || text[at] === "\t";
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

function readPattern(value: string): string {
  const wildcard = value.startsWith("*.") ? "*." : "";
  const host = ASCII.test(value) && !value.endsWith(".") ? hostName(value.slice(wildcard.length)) : undefined;
  if (host === undefined) throw new Error("the policy has an mx that is no name of a host");
  return wildcard + host;
}

function readMaxAge(value: string | undefined): number {
  if (value === undefined || !/^\d{1,10}$/.test(value)) throw new Error("the policy has no usable max_age");
  if (Number(value) > MAX_AGE_SECONDS) throw new Error(`the policy's max_age is over ${MAX_AGE_SECONDS}`);
  return Number(value);
}
