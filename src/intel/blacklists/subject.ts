import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { getDomain } from "tldts";
import { hostName } from "../../dns/names.ts";
import { isPublicAddress } from "../../shared/destination-address.ts";
import { reverseLabels } from "../reverse-labels.ts";
import type { Blacklist, SubjectKind } from "./blacklist.ts";

/**
 * Query subject of a list. States are stored by list and value, not by domain: many domains share an address, and the
 * domains below one registrable name share that name.
 */
export interface Subject {
  readonly kind: SubjectKind;
  /** An address in short form, or a name in lower case and A-labels. */
  readonly value: string;
}

/**
 * A sending address as a subject. An IPv4-mapped IPv6 address (`::ffff:`) becomes the IPv4 address.
 * @returns undefined for an invalid or non-public address: lists have no entries for it
 */
export function addressSubject(address: string): Subject | undefined {
  if (isIP(address) === 0 || !isPublicAddress(address)) return undefined;
  const parsed = ipaddr.process(address.replace(/%.*$/, ""));
  return { kind: parsed instanceof ipaddr.IPv6 ? "ip6" : "ip4", value: parsed.toString() };
}

/**
 * A domain as this list contains it.
 * @param domain in A-labels
 * @returns undefined for a public suffix, which many owners share, and for an invalid domain name
 */
export function domainSubject(list: Pick<Blacklist, "domainName">, domain: string): Subject | undefined {
  const host = hostName(domain);
  const registrable = host === undefined ? null : getDomain(host, { allowPrivateDomains: true });
  if (host === undefined || registrable === null) return undefined;
  return { kind: "domain", value: list.domainName === "host" ? host : registrable };
}

/** The subjects of a domain for which this list has a kind of entries, without duplicates. */
export function subjectsOf(
  list: Pick<Blacklist, "domainName" | "tests">,
  domain: string,
  addresses: readonly string[],
): readonly Subject[] {
  const all = [domainSubject(list, domain), ...addresses.map(addressSubject)];
  const known = new Map<string, Subject>();
  for (const one of all) if (one && list.tests[one.kind]) known.set(one.value, one);
  return [...known.values()];
}

/**
 * The labels before the list's zone (RFC 5782 sections 2.1, 2.4 and 3).
 * @param value of a subject, or a test entry
 */
export function queryLabels(kind: SubjectKind, value: string): string {
  return kind === "domain" ? value.toLowerCase() : reverseLabels(value);
}
