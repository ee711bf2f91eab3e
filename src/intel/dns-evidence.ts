import type { DnsResult, RecordData, RecordType } from "../dns/records.ts";
import type { Evidence } from "./check-result.ts";

interface Asked {
  readonly name: string;
  readonly type: RecordType;
  readonly answer: DnsResult<unknown>;
  readonly at: Date;
}

/** Limit per answer: a hostile zone has thousands of records, and evidence is stored and shown. */
const MAX_RECORDS_SHOWN = 50;
const MAX_CHARACTERS_SHOWN = 8_000;

/** The displayed form of an answer. */
export function dnsEvidence({ name, type, answer, at }: Asked): Evidence {
  if (answer.kind === "failed") return { name, type, rcode: "ERROR", data: [], at, reason: answer.reason };
  const { authenticated, server } = answer;
  const common = { name, type, at, authenticated, ...(server !== undefined && { server }) };
  if (answer.kind === "no_domain") return { ...common, rcode: "NXDOMAIN", data: [] };
  if (answer.kind === "no_data") return { ...common, rcode: "NOERROR", data: [] };
  const { records, ttlSeconds } = answer;
  return { ...common, rcode: "NOERROR", ttlSeconds, data: shownRecords(type, records) };
}

/** Records in zone file format. A long list is cut, with the number of the omitted records. */
export function shownRecords(type: RecordType, records: readonly unknown[]): string[] {
  const data: string[] = [];
  let left = MAX_CHARACTERS_SHOWN;
  for (const record of records.slice(0, MAX_RECORDS_SHOWN)) {
    const text = shown(type, record);
    if (text.length > left && data.length > 0) break;
    data.push(text.length > left ? `${text.slice(0, left)}…` : text);
    left -= text.length;
  }
  const more = records.length - data.length;
  return more > 0 ? [...data, `… and ${more} more`] : data;
}

/** Writers for records that `String` cannot format. */
const writers: { readonly [T in RecordType]?: (record: RecordData[T]) => string } = {
  CAA: ({ flags, tag, value }) => `${flags} ${tag} ${JSON.stringify(value)}`,
  DNSKEY: ({ flags, algorithm, key }) => `${flags} 3 ${algorithm} ${key.toString("base64")}`,
  DS: ({ keyTag, algorithm, digestType, digest }) =>
    `${keyTag} ${algorithm} ${digestType} ${digest.toString("hex")}`,
  MX: ({ preference, exchange }) => `${preference} ${exchange === "." ? "." : `${exchange}.`}`,
  NS: (name) => `${name}.`,
  PTR: (name) => `${name}.`,
  SOA: ({ primary, serial }) => `${primary}. (serial ${serial})`,
  TLSA: ({ usage, selector, matchingType, certificate }) =>
    `${usage} ${selector} ${matchingType} ${certificate.toString("hex")}`,
  TXT: (texts) => texts.map((text) => JSON.stringify(text)).join(" "),
};

function shown(type: RecordType, record: unknown): string {
  // Records of an answer have the requested type.
  const writer = writers[type] as ((record: unknown) => string) | undefined;
  return writer ? writer(record) : String(record);
}
