import { hostName } from "../../dns/names.ts";

/**
 * Demands of a domain on senders of mail to it (RFC 8461 section 5).
 *
 * - `enforce`: only to its listed servers, only with a valid certificate
 * - `testing`: as without a policy, but report failures
 * - `none`: as without a policy
 */
export type MtaStsMode = "enforce" | "testing" | "none";

export interface MtaStsPolicy {
  readonly mode: MtaStsMode;
  /** Names of servers in lower case, or `*.` and a name. At least one, unless the mode is `none`. */
  readonly mx: readonly string[];
  /** Lifetime of the policy after the fetch. */
  readonly maxAgeSeconds: number;
}

/** RFC 8461 section 3.3 proposes this bound. */
export const MAX_POLICY_BYTES = 64 * 1024;
/** RFC 8461 section 3.2: a year. */
const MAX_AGE_SECONDS = 31_557_600;
const MODES: readonly MtaStsMode[] = ["enforce", "testing", "none"];

const FIELD_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;
/** No control characters, and spaces only inside. Other characters are UTF-8, or the decoder refuses them. */
const FIELD_VALUE = /^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u;
const ASCII = /^[\x21-\x7e]+$/;

/**
 * Parses the body of a policy (RFC 8461 section 3.2), strictly except for empty lines at the end, which editors add. Unknown
 * fields are ignored; of repeated fields the first counts.
 * @throws Error with the problem
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

/** Trims spaces and tabs at both ends; by hand, because a regular expression is quadratic for hostile input. */
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
