import { trimEnd } from "../../shared/trim-end.ts";

const VERSION = /^v=STSv1[ \t]*;/;
const ID = /^[A-Za-z0-9]{1,32}$/;
const EXTENSION_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;
const EXTENSION_VALUE = /^[\x21-\x3a\x3c\x3e-\x7e]+$/;
/** Hostile records are long; legitimate ones fit into one character string. */
const MAX_LENGTH = 4_096;

/** True if a text announces a policy, well-formed or not; other records are ignored. */
export function isPolicyRecord(text: string): boolean {
  return VERSION.test(text);
}

/**
 * Id of the policy that the TXT records of `_mta-sts.<domain>` announce (RFC 8461 section 3.1). Undefined: no announcement,
 * several announcements, or a malformed one.
 */
export function policyId(records: readonly (readonly string[])[]): string | undefined {
  const [record, another] = records.map((strings) => strings.join("")).filter(isPolicyRecord);
  if (record === undefined || another !== undefined || record.length > MAX_LENGTH) return undefined;
  const fields = record.split(";").map(trimBlanks).slice(1);
  // A delimiter at the end is allowed.
  if (fields.at(-1) === "") fields.pop();
  let id: string | undefined;
  for (const field of fields) {
    const equals = field.indexOf("=");
    const name = field.slice(0, Math.max(equals, 0));
    const value = field.slice(equals + 1);
    const valid = name === "id" ? ID.test(value) : EXTENSION_NAME.test(name) && EXTENSION_VALUE.test(value);
    if (!valid) return undefined;
    if (name === "id") id ??= value;
  }
  return id;
}

function trimBlanks(text: string): string {
  return trimEnd(text.replace(/^[ \t]+/, ""), " \t");
}
