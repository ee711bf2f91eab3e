import { quotedStrings } from "../message/dkim/keys.ts";

export interface ZoneRecord {
  readonly name: string;
  readonly type: "TXT" | "CNAME" | "MX";
  readonly value: string;
  /** What it is for; a line of its own. */
  readonly comment: string;
}

const TTL_SECONDS = 3600;

/**
 * Records as a master file (RFC 1035 section 5.1), to be read into a zone that is there. Names are absolute, so that it
 * means the same in any zone; values of more than 255 octets are several strings.
 */
export function zoneFile(domain: string, records: readonly ZoneRecord[]): string {
  const lines = records.flatMap(({ name, type, value, comment }) => [
    `; ${comment.replace(/[^\x20-\x7e]+/g, " ")}`,
    `${name}. ${TTL_SECONDS} IN ${type} ${rdata(type, value)}`,
  ]);
  return [`; Records of ${domain} for sending mail by Hermod`, ...lines, ""].join("\n");
}

function rdata(type: ZoneRecord["type"], value: string): string {
  return type === "TXT" ? quotedStrings(value) : `${value}.`;
}
