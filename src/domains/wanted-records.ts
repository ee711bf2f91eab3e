import { createPrivateKey } from "node:crypto";
import { getDomain } from "tldts";
import { dnsRecord } from "../message/dkim/keys.ts";
import { RETURN_PATH_LABEL } from "../message/dsn/return-path.ts";
import type { DomainKeyDocument } from "../store/documents.ts";
import type { DomainDocument } from "../store/domain-document.ts";

export type RecordPurpose = "ownership" | "dkim" | "return_path" | "tracking" | "spf" | "dmarc";

/** A record that a domain is to have. */
export interface WantedRecord {
  /** Names its evidence: see `RecordEvidence`. */
  readonly key: string;
  readonly purpose: RecordPurpose;
  readonly type: "TXT" | "CNAME" | "MX";
  /** As A-labels, without the dot at its end. */
  readonly name: string;
  /** Empty: it depends on what is there, and looking says so. */
  readonly value: string;
  /** Without it the domain is not verified. */
  readonly required: boolean;
  /** Whether it is of the domain whoever owns that can publish; otherwise the operator of the installation does. */
  readonly byOwner: boolean;
}

/** What the installation is, as far as its customers' records go. */
export interface SendingSetup {
  /** Mechanisms that an SPF record must have for this installation to send, as `include:_spf.example.net`. */
  readonly spfTerms: readonly string[];
  /** Where bounces go; undefined: to the sender's own address. */
  readonly bounceDomain: string | undefined;
  /** The host of the base URL, where tracked links lead; undefined: they cannot lead to an alias of it. */
  readonly trackingHost?: string | undefined;
}

export const OWNERSHIP = "ownership";
const OWNERSHIP_LABEL = "_hermod";
/** What the alias of the host of tracked links is called, below a sender's domain. */
export const TRACKING_LABEL = "hm-track";

/** What the owner of a domain publishes, without the token. */
export const OWNERSHIP_PREFIX = "hermod-verification=";

/** Below the domain, an alias of the installation's domain for bounces: so SPF speaks for the domain itself. */
function returnPathName(domain: string): string {
  return `${RETURN_PATH_LABEL}.${domain}`;
}

/** Below the domain, an alias of the host of tracked links. */
function trackingName(domain: string): string {
  return `${TRACKING_LABEL}.${domain}`;
}

/** The keys that sign now: those that began last. */
export function signingKeys<K extends Pick<DomainKeyDocument, "signsFrom">>(
  keys: readonly K[],
  now: Date,
): K[] {
  const begun = keys.map(({ signsFrom }) => signsFrom.getTime()).filter((at) => at <= now.getTime());
  const since = Math.max(...begun);
  return keys.filter(({ signsFrom }) => signsFrom.getTime() === since);
}

/** All records that a domain is to have now: keys that are yet to sign are among them, those that did so are not. */
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

/** SPF speaks for the domain of the return path: one below the sender's own domain counts for DMARC as well. */
function returnPath(name: string, bounceDomain: string | undefined): WantedRecord[] {
  if (bounceDomain === undefined) return [];
  const shared = { key: "return_path", purpose: "return_path", required: false } as const;
  if (isAligned(name, bounceDomain))
    return [{ ...shared, type: "MX", name: bounceDomain, value: "", byOwner: false }];
  return [{ ...shared, type: "CNAME", name: returnPathName(name), value: bounceDomain, byOwner: true }];
}

/** Tracked links under the sender's own domain: receivers and readers know that one. */
function tracking(name: string, trackingHost: string | undefined): WantedRecord[] {
  if (trackingHost === undefined || isAligned(name, trackingHost)) return [];
  const shared = { key: "tracking", purpose: "tracking", required: false } as const;
  return [{ ...shared, type: "CNAME", name: trackingName(name), value: trackingHost, byOwner: true }];
}

/** The host by which tracked links of a domain's mail lead; undefined: the installation's. */
export function trackingHostOf(
  { name, records }: Pick<DomainDocument, "name" | "records">,
  trackingHost: string,
): string | undefined {
  const record = records.find(({ key }) => key === "tracking");
  const isRight = record?.outcome === "right" && record.aliases.includes(trackingHost);
  return isRight && !isAligned(name, trackingHost) ? trackingName(name) : undefined;
}

/**
 * Under which domain bounces of a sender's mail are to come back: under the alias below its own, where that was seen to lead to
 * the installation's; undefined: under the installation's.
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

/** With the local part of a return path it is the longest address that there may be (RFC 5321 section 4.5.3.1.3). */
const MAX_RETURN_PATH_DOMAIN = 192;

/** Whether a return path at one domain counts for another one's DMARC (relaxed alignment, RFC 9989). */
function isAligned(domain: string, bounceDomain: string): boolean {
  const organisation = (name: string) => getDomain(name, { allowPrivateDomains: true }) ?? name;
  return organisation(domain) === organisation(bounceDomain);
}
