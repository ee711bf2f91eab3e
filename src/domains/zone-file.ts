import { quotedStrings } from "../message/dkim/keys.ts";

export interface ZoneRecord {
  readonly name: string;
  readonly type: "TXT" | "CNAME" | "MX";
  readonly value: string;
  /** Purpose of the record, on its own line. */
  readonly comment: string;
}

const TTL_SECONDS = 3600;

/**
 * Writes records as a master file (RFC 1035 section 5.1) for import into an existing zone. Names are absolute, so
 * that the file works in any zone. Values of more than 255 octets are several strings.
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
