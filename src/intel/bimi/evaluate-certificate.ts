import { X509Certificate } from "node:crypto";
import { utcDay } from "../../shared/utc-day.ts";
import { alternativeNames, certificateDate, isSelfSigned, nameInOneLine } from "../certificate-facts.ts";
import type { CheckStatus } from "../check-result.ts";
import { certificatePath } from "../mail-host-probe/certificate-path.ts";
import { unpacked } from "./fetch-mark.ts";
import { type Logotype, readLogotype } from "./read-logotype.ts";

/** One finding about a logo. */
export interface MarkFinding {
  readonly status: CheckStatus;
  readonly text: string;
}

export interface EvaluatedCertificate {
  readonly findings: readonly MarkFinding[];
  /** Details for display: subject, issuer, names and dates. Empty: the certificate cannot be read. */
  readonly data: readonly string[];
}

interface CertificateCase {
  /** The certificate must contain at least one of these names. */
  readonly domains: readonly string[];
  /** The image at `l`; undefined: unknown. */
  readonly image: Buffer | undefined;
  readonly now: Date;
}

const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";
/** Chains have three or four. */
const MAX_CERTIFICATES = 10;
/** id-kp-BrandIndicatorforMessageIdentification. */
const MARK_PURPOSE = "1.3.6.1.5.5.7.3.31";
const MAX_IMAGE_BYTES = 256 * 1024;
const DAY_MS = 86_400_000;
/** Certificates are valid for a year, and a new one takes weeks. */
const RENEWAL_DAYS = 30;
const SELECTOR = "default._bimi.";
const MAX_NAMES_SHOWN = 10;

/**
 * Judges a mark certificate (draft-fetch-validation-vmc-wchuang). It does not judge whether receivers trust the root:
 * browsers and operating systems have no trust lists for mark certificates.
 */
export function evaluateCertificate(
  body: Buffer,
  { domains, image, now }: CertificateCase,
): EvaluatedCertificate {
  const sent = readCertificates(body.toString("latin1"));
  const [leaf] = sent;
  if (!leaf) return { findings: [fail("The file contains no PEM certificate.")], data: [] };
  const path = certificatePath(sent);
  const findings = [
    ...evaluateDates(path, now),
    ...evaluateNames(leaf, domains),
    ...evaluatePath(path),
    ...(leaf.keyUsage?.includes(MARK_PURPOSE)
      ? []
      : [fail("It is not a mark certificate (extended key usage).")]),
    ...evaluateLogotype(readLogotype(leaf), image),
  ];
  return { findings, data: described(leaf, sent.length) };
}

const fail = (text: string): MarkFinding => ({ status: "fail", text });

/** The readable certificates, in order. The first belongs to the domain. */
function readCertificates(text: string): X509Certificate[] {
  // The text is split, not matched with an expression: an expression that searches for the end from each beginning would
  // take hours for 1 MB of beginnings.
  const parts = text.split(BEGIN, MAX_CERTIFICATES + 1).slice(1);
  return parts.flatMap((part) => {
    const end = part.indexOf(END);
    if (end < 0) return [];
    try {
      return [new X509Certificate(`${BEGIN}${part.slice(0, end)}${END}\n`)];
    } catch {
      return [];
    }
  });
}

function evaluateDates(path: readonly X509Certificate[], now: Date): MarkFinding[] {
  const [leaf] = path;
  for (const one of path) {
    const subject = one === leaf ? "It" : `The certificate of its authority (${nameInOneLine(one.subject)})`;
    const [from, to] = [certificateDate(one.validFrom), certificateDate(one.validTo)];
    if (to < now) return [fail(`${subject} expired on ${utcDay(to)}.`)];
    if (from > now) return [fail(`${subject} is not valid before ${utcDay(from)}.`)];
  }
  const to = certificateDate(leaf?.validTo ?? "");
  if (to.getTime() - now.getTime() >= RENEWAL_DAYS * DAY_MS) return [];
  return [{ status: "warn", text: `It expires on ${utcDay(to)}.` }];
}

function evaluateNames(leaf: X509Certificate, domains: readonly string[]): MarkFinding[] {
  const names = alternativeNames(leaf);
  if (domains.some((domain) => names.includes(domain) || names.includes(`${SELECTOR}${domain}`))) return [];
  const shown = names.length > 0 ? names.slice(0, MAX_NAMES_SHOWN).join(", ") : "no domain";
  return [fail(`It is for ${shown}, not for ${domains.join(" or ")}.`)];
}

/** A complete path ends with a root, or with a certificate of a root that was not sent. */
function evaluatePath(path: readonly X509Certificate[]): MarkFinding[] {
  const [leaf, ...issuers] = path;
  if (!leaf || isSelfSigned(leaf)) return [fail("It is self-signed.")];
  if (leaf.ca)
    return [fail("The first certificate belongs to an authority. The mark certificate must come first.")];
  if (issuers.length > 0) return [];
  return [fail("The certificate of the issuing authority does not follow it.")];
}

function evaluateLogotype(logotype: Logotype | undefined, image: Buffer | undefined): MarkFinding[] {
  if (!logotype) return [fail("It contains no image (logotype).")];
  const embedded = logotype.embedded && unpackedOrNothing(logotype.embedded);
  if (!embedded) return [fail("The embedded image cannot be read.")];
  if (!logotype.hasDigestOf(embedded) && !logotype.hasDigestOf(logotype.embedded ?? embedded))
    return [fail("The embedded image does not match its digest.")];
  if (!image || embedded.equals(image)) return [];
  return [{ status: "warn", text: "The embedded image differs from the image of the record." }];
}

function unpackedOrNothing(octets: Buffer): Buffer | undefined {
  try {
    return unpacked(octets, MAX_IMAGE_BYTES);
  } catch {
    return undefined;
  }
}

function described(leaf: X509Certificate, count: number): string[] {
  const names = alternativeNames(leaf);
  const shown = names.slice(0, MAX_NAMES_SHOWN).join(", ");
  return [
    `subject: ${nameInOneLine(leaf.subject)}`,
    `issuer: ${nameInOneLine(leaf.issuer)}`,
    `names: ${names.length > MAX_NAMES_SHOWN ? `${shown}, and ${names.length - MAX_NAMES_SHOWN} more` : shown}`,
    `valid: ${certificateDate(leaf.validFrom).toISOString()} to ${certificateDate(leaf.validTo).toISOString()}`,
    `certificates: ${count}`,
  ];
}
