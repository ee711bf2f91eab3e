import { createPrivateKey } from "node:crypto";
import { getDomain } from "tldts";
import { dnsRecord } from "../message/dkim/keys.ts";
import { RETURN_PATH_LABEL } from "../message/dsn/return-path.ts";
import type { DomainKeyDocument } from "../store/documents.ts";
import type { DomainDocument } from "../store/domain-document.ts";

export type RecordPurpose = "ownership" | "dkim" | "return_path" | "tracking" | "spf" | "dmarc";

/** A record that a domain should have. */
export interface WantedRecord {
  /** Key of its evidence: see `RecordEvidence`. */
  readonly key: string;
  readonly purpose: RecordPurpose;
  readonly type: "TXT" | "CNAME" | "MX";
  /** In A-labels, without the dot at the end. */
  readonly name: string;
  /** Empty: the value depends on the present record, and a check determines it. */
  readonly value: string;
  /** The domain is verified only with this record. */
  readonly required: boolean;
  /** True if the owner of the domain publishes the record; false: the operator of the installation does. */
  readonly byOwner: boolean;
}

/** Properties of the installation that the records of its customers need. */
export interface SendingSetup {
  /** Mechanisms that an SPF record must have so that this installation may send, for example `include:_spf.example.net`. */
  readonly spfTerms: readonly string[];
  /** Domain of bounces; undefined: they go to the sender's own address. */
  readonly bounceDomain: string | undefined;
  /** Host of the base URL, to which tracked links point; undefined: they cannot use an alias of it. */
  readonly trackingHost?: string | undefined;
}

export const OWNERSHIP = "ownership";
const OWNERSHIP_LABEL = "_hermod";
/** Label of the alias of the tracking host, below the sender's domain. */
export const TRACKING_LABEL = "hm-track";

/** Prefix of the ownership record, before the token. */
export const OWNERSHIP_PREFIX = "hermod-verification=";

/** Label below the domain: an alias of the bounce domain of the installation, so that SPF applies to the domain itself. */
function returnPathName(domain: string): string {
  return `${RETURN_PATH_LABEL}.${domain}`;
}

/** Label below the domain: an alias of the tracking host. */
function trackingName(domain: string): string {
  return `${TRACKING_LABEL}.${domain}`;
}

/** The keys that sign now: the most recent ones. */
export function signingKeys<K extends Pick<DomainKeyDocument, "signsFrom">>(
  keys: readonly K[],
  now: Date,
): K[] {
  const begun = keys.map(({ signsFrom }) => signsFrom.getTime()).filter((at) => at <= now.getTime());
  const since = Math.max(...begun);
  return keys.filter(({ signsFrom }) => signsFrom.getTime() === since);
}

/** All records that a domain should have now, including keys that sign later and excluding retired keys. */
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

/** SPF applies to the domain of the return path; a return path below the sender's own domain also counts for DMARC. */
function returnPath(name: string, bounceDomain: string | undefined): WantedRecord[] {
  if (bounceDomain === undefined) return [];
  const shared = { key: "return_path", purpose: "return_path", required: false } as const;
  if (isAligned(name, bounceDomain))
    return [{ ...shared, type: "MX", name: bounceDomain, value: "", byOwner: false }];
  return [{ ...shared, type: "CNAME", name: returnPathName(name), value: bounceDomain, byOwner: true }];
}

/** Tracked links under the sender's own domain, which receivers and readers recognize. */
function tracking(name: string, trackingHost: string | undefined): WantedRecord[] {
  if (trackingHost === undefined || isAligned(name, trackingHost)) return [];
  const shared = { key: "tracking", purpose: "tracking", required: false } as const;
  return [{ ...shared, type: "CNAME", name: trackingName(name), value: trackingHost, byOwner: true }];
}

/** Host of tracked links in the mail of a domain; undefined: the host of the installation. */
export function trackingHostOf(
  { name, records }: Pick<DomainDocument, "name" | "records">,
  trackingHost: string,
): string | undefined {
  const record = records.find(({ key }) => key === "tracking");
  const isRight = record?.outcome === "right" && record.aliases.includes(trackingHost);
  return isRight && !isAligned(name, trackingHost) ? trackingName(name) : undefined;
}

/**
 * Return path domain of a sender's mail: the alias below its own domain if it points to the installation; undefined: the bounce
 * domain of the installation.
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

/** Longest domain for which a return path stays within the maximum length of an address (RFC 5321 section 4.5.3.1.3). */
const MAX_RETURN_PATH_DOMAIN = 192;

/** True if a return path at one domain counts for the DMARC of another one (relaxed alignment, RFC 9989). */
function isAligned(domain: string, bounceDomain: string): boolean {
  const organisation = (name: string) => getDomain(name, { allowPrivateDomains: true }) ?? name;
  return organisation(domain) === organisation(bounceDomain);
}
