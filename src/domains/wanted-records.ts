import { createPrivateKey } from "node:crypto";
import { getDomain } from "tldts";
import { dnsRecord } from "../message/dkim/keys.ts";
import { RETURN_PATH_LABEL } from "../message/dsn/return-path.ts";
import type { DomainKeyDocument } from "../store/documents.ts";
import type { DomainDocument } from "../store/domain-document.ts";

export type RecordPurpose = "ownership" | "dkim" | "return_path" | "tracking" | "spf" | "dmarc";

/** A record that a domain needs. */
export interface WantedRecord {
  /** Key of its evidence: see `RecordEvidence`. */
  readonly key: string;
  readonly purpose: RecordPurpose;
  readonly type: "TXT" | "CNAME" | "MX";
  /** In A-labels, without the final dot. */
  readonly name: string;
  /** Empty: it depends on the existing records, and the check determines it. */
  readonly value: string;
  /** Without this record the domain is not verified. */
  readonly required: boolean;
  /** Whether the owner of the domain publishes it. Otherwise the operator of the installation does. */
  readonly byOwner: boolean;
}

/** Settings of the installation for customers' records. */
export interface SendingSetup {
  /** Mechanisms that an SPF record must have for this installation to send, such as `include:_spf.example.net`. */
  readonly spfTerms: readonly string[];
  /** Domain that receives bounces; undefined: the sender's own address receives them. */
  readonly bounceDomain: string | undefined;
  /** Host of the base URL, the target of tracked links; undefined: tracked links cannot use an alias of it. */
  readonly trackingHost?: string | undefined;
}

export const OWNERSHIP = "ownership";
const OWNERSHIP_LABEL = "_hermod";
/** Label of the alias for tracked links, below a sender's domain. */
export const TRACKING_LABEL = "hm-track";

/** Prefix of the ownership record, before the token. */
export const OWNERSHIP_PREFIX = "hermod-verification=";

/** Alias of the installation's bounce domain, below the sender's domain, so that SPF authenticates the domain itself. */
function returnPathName(domain: string): string {
  return `${RETURN_PATH_LABEL}.${domain}`;
}

/** Alias of the host for tracked links, below the sender's domain. */
function trackingName(domain: string): string {
  return `${TRACKING_LABEL}.${domain}`;
}

/** The keys that sign now: those with the latest start. */
export function signingKeys<K extends Pick<DomainKeyDocument, "signsFrom">>(
  keys: readonly K[],
  now: Date,
): K[] {
  const begun = keys.map(({ signsFrom }) => signsFrom.getTime()).filter((at) => at <= now.getTime());
  const since = Math.max(...begun);
  return keys.filter(({ signsFrom }) => signsFrom.getTime() === since);
}

/** All records that a domain currently needs, including future signing keys and excluding former ones. */
export function wantedRecords(
  { name, token }: Pick<DomainDocument, "name" | "token">,
  keys: readonly DomainKeyDocument[],
  { spfTerms, bounceDomain, trackingHost }: SendingSetup,
  now: Date,
): WantedRecord[] {
  const signing = signingKeys(keys, now);
  const upcoming = keys.filter(({ signsFrom }) => signsFrom > now);
  const ownership: WantedRecord = {
    key: OWNERSHIP,
    purpose: "ownership",
    type: "TXT",
    name: `${OWNERSHIP_LABEL}.${name}`,
    value: `${OWNERSHIP_PREFIX}${token}`,
    required: true,
    byOwner: true,
  };
  const dkim = [...signing, ...upcoming].map(({ selector, domain, privateKey, algorithm }): WantedRecord => {
    const { name: owner, value } = dnsRecord({ selector, domain, key: createPrivateKey(privateKey) });
    const required = algorithm === "rsa-sha256" && !upcoming.some((key) => key.selector === selector);
    return {
      key: `dkim:${selector}`,
      purpose: "dkim",
      type: "TXT",
      name: owner,
      value,
      required,
      byOwner: true,
    };
  });
  const spf: WantedRecord = {
    key: "spf",
    purpose: "spf",
    type: "TXT",
    name,
    value: bounceDomain === undefined && spfTerms.length > 0 ? `v=spf1 ${spfTerms.join(" ")} ~all` : "",
    required: false,
    byOwner: true,
  };
  const dmarc: WantedRecord = {
    key: "dmarc",
    purpose: "dmarc",
    type: "TXT",
    name: `_dmarc.${name}`,
    value: "v=DMARC1; p=none",
    required: false,
    byOwner: true,
  };
  return [ownership, ...dkim, ...returnPath(name, bounceDomain), ...tracking(name, trackingHost), spf, dmarc];
}

/** SPF authenticates the domain of the return path. A domain below the sender's own also counts for DMARC. */
function returnPath(name: string, bounceDomain: string | undefined): WantedRecord[] {
  if (bounceDomain === undefined) return [];
  const shared = { key: "return_path", purpose: "return_path", required: false } as const;
  if (isAligned(name, bounceDomain))
    return [{ ...shared, type: "MX", name: bounceDomain, value: "", byOwner: false }];
  return [{ ...shared, type: "CNAME", name: returnPathName(name), value: bounceDomain, byOwner: true }];
}

/** Tracked links under the sender's own domain, which receivers and readers know. */
function tracking(name: string, trackingHost: string | undefined): WantedRecord[] {
  if (trackingHost === undefined || isAligned(name, trackingHost)) return [];
  const shared = { key: "tracking", purpose: "tracking", required: false } as const;
  return [{ ...shared, type: "CNAME", name: trackingName(name), value: trackingHost, byOwner: true }];
}

/** Host of tracked links in a domain's mail; undefined: the installation's host. */
export function trackingHostOf(
  { name, records }: Pick<DomainDocument, "name" | "records">,
  trackingHost: string,
): string | undefined {
  const record = records.find(({ key }) => key === "tracking");
  const isRight = record?.outcome === "right" && record.aliases.includes(trackingHost);
  return isRight && !isAligned(name, trackingHost) ? trackingName(name) : undefined;
}

/**
 * Return path domain of a sender's mail: the alias below the sender's domain, if it was found to point to the
 * installation; undefined: the installation's domain.
 */
export function returnPathDomain(
  { name, records }: Pick<DomainDocument, "name" | "records">,
  bounceDomain: string,
): string | undefined {
  const record = records.find(({ key }) => key === "return_path");
  if (record?.outcome !== "right" || !record.aliases.includes(bounceDomain)) return undefined;
  const alias = returnPathName(name);
  return isAligned(name, bounceDomain) || alias.length > MAX_RETURN_PATH_DOMAIN ? undefined : alias;
}

/** With the local part of a return path, this gives the longest valid address (RFC 5321 section 4.5.3.1.3). */
const MAX_RETURN_PATH_DOMAIN = 192;

/** Whether a return path at one domain counts for the DMARC of another one (relaxed alignment, RFC 9989). */
function isAligned(domain: string, bounceDomain: string): boolean {
  const organisation = (name: string) => getDomain(name, { allowPrivateDomains: true }) ?? name;
  return organisation(domain) === organisation(bounceDomain);
}
