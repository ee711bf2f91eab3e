import { X509Certificate } from "node:crypto";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import { utcDay } from "../../shared/utc-day.ts";
import { alternativeNames, certificateDate, isSelfSigned, nameInOneLine } from "../certificate-facts.ts";
import type { CheckStatus } from "../check-result.ts";
import { certificatePath } from "../mail-host-probe/certificate-path.ts";
import { unpacked } from "./fetch-mark.ts";
import { type Logotype, readLogotype } from "./read-logotype.ts";

/** One finding about a logo. */
export interface MarkFinding {
  readonly status: CheckStatus;
  readonly text: Phrase;
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
  if (!leaf) return { findings: [fail(phrase("bimi.no_pem"))], data: [] };
  const path = certificatePath(sent);
  const findings = [
    ...evaluateDates(path, now),
    ...evaluateNames(leaf, domains),
    ...evaluatePath(path),
    ...(leaf.keyUsage?.includes(MARK_PURPOSE) ? [] : [fail(phrase("bimi.no_mark"))]),
    ...evaluateLogotype(readLogotype(leaf), image),
  ];
  return { findings, data: described(leaf, sent.length) };
}

const fail = (text: Phrase): MarkFinding => ({ status: "fail", text });

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
    const isOwn = one === leaf;
    const name = nameInOneLine(one.subject);
    const [from, to] = [certificateDate(one.validFrom), certificateDate(one.validTo)];
    const [since, until] = [{ day: utcDay(from) }, { day: utcDay(to) }];
    if (to < now)
      return [
        fail(isOwn ? phrase("bimi.expired", until) : phrase("bimi.authority_expired", { name, ...until })),
      ];
    if (from > now)
      return [
        fail(
          isOwn
            ? phrase("bimi.not_yet_valid", since)
            : phrase("bimi.authority_not_yet_valid", { name, ...since }),
        ),
      ];
  }
  const to = certificateDate(leaf?.validTo ?? "");
  if (to.getTime() - now.getTime() >= RENEWAL_DAYS * DAY_MS) return [];
  return [{ status: "warn", text: phrase("bimi.expires", { day: utcDay(to) }) }];
}

function evaluateNames(leaf: X509Certificate, domains: readonly string[]): MarkFinding[] {
  const names = alternativeNames(leaf);
  if (domains.some((domain) => names.includes(domain) || names.includes(`${SELECTOR}${domain}`))) return [];
  const shown = { names: names.slice(0, MAX_NAMES_SHOWN) };
  const expected = domains.map((domain, index) => {
    const end = index + 1 < domains.length ? "" : ".";
    return phrase(index === 0 ? "bimi.not_for" : "bimi.or", { domain, end });
  });
  const found = names.length > 0 ? phrase("bimi.names", shown) : phrase("bimi.no_names");
  return [fail(phrases(found, ...expected))];
}

/** A complete path ends with a root, or with a certificate of a root that was not sent. */
function evaluatePath(path: readonly X509Certificate[]): MarkFinding[] {
  const [leaf, ...issuers] = path;
  if (!leaf || isSelfSigned(leaf)) return [fail(phrase("bimi.self_signed"))];
  if (leaf.ca) return [fail(phrase("bimi.authority_first"))];
  if (issuers.length > 0) return [];
  return [fail(phrase("bimi.no_issuer"))];
}

function evaluateLogotype(logotype: Logotype | undefined, image: Buffer | undefined): MarkFinding[] {
  if (!logotype) return [fail(phrase("bimi.no_logotype"))];
  const embedded = logotype.embedded && unpackedOrNothing(logotype.embedded);
  if (!embedded) return [fail(phrase("bimi.embedded_unreadable"))];
  if (!logotype.hasDigestOf(embedded) && !logotype.hasDigestOf(logotype.embedded ?? embedded))
    return [fail(phrase("bimi.embedded_digest"))];
  if (!image || embedded.equals(image)) return [];
  return [{ status: "warn", text: phrase("bimi.embedded_differs") }];
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
