import { characterStrings } from "../message/dkim/keys.ts";
import type { FixRecord } from "./check-result.ts";

const TTL_SECONDS = 3_600;

/** A record as a line of a master file (RFC 1035 section 5.1). A TXT value of more than 255 octets is several strings. */
export function zoneLine({ name, type, value }: FixRecord): string {
  return `${name}. ${TTL_SECONDS} IN ${type} ${type === "TXT" ? quotedStrings(value) : value}`;
}

/** The character strings of a TXT value, each in quotes. */
export function quotedStrings(value: string): string {
  return characterStrings(value)
    .map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`)
    .join(" ");
}
