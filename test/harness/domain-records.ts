import type { Domain } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import type { DnsName, DnsZones } from "./dns-server.ts";

/** Returns the records of a domain as published by its owner, except those of some purposes. */
export function publishedZones({ records }: Domain, without: readonly string[] = []): DnsZones {
  const entry = (type: string, value: string): DnsName =>
    type === "CNAME" ? { CNAME: value } : { TXT: [value.match(/.{1,255}/g) ?? []] };
  const valued = records.filter(({ value, purpose }) => value !== "" && !without.includes(purpose));
  return Object.fromEntries(valued.map(({ name, type, value }) => [name, entry(type, value)]));
}
