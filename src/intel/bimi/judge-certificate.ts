import { X509Certificate } from "node:crypto";
import { utcDay } from "../../shared/utc-day.ts";
import { alternativeNames, certificateDate, isSelfSigned, nameInOneLine } from "../certificate-facts.ts";
import type { CheckStatus } from "../check-result.ts";
import { certificatePath } from "../mail-host-probe/certificate-path.ts";
import { unpacked } from "./fetch-mark.ts";
import { type Logotype, readLogotype } from "./read-logotype.ts";

/** One thing to say of a mark. */
export interface MarkFinding {
  readonly status: CheckStatus;
  readonly text: string;
}

export interface JudgedCertificate {
  readonly findings: readonly MarkFinding[];
  /** For those who want to see it: subject, issuer, names and dates; empty: it cannot be read. */
  readonly data: readonly string[];
}

interface CertificateCase {
  /** Names that the certificate may have, one of them at least. */
  readonly domains: readonly string[];
  /** What stands where `l` says; undefined: it is not known. */
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
/** They last a year, and a new one takes weeks. */
const RENEWAL_DAYS = 30;
const SELECTOR = "default._bimi.";
const MAX_NAMES_SHOWN = 10;

/**
 * A mark certificate (draft-fetch-validation-vmc-wchuang). Whether receivers trust the authority at its end is theirs to say: the
 * lists of browsers and systems have no authorities for marks.
 */
export function judgeCertificate(body: Buffer, { domains, image, now }: CertificateCase): JudgedCertificate {
  const sent = readCertificates(body.toString("latin1"));
  const [leaf] = sent;
  if (!leaf) return { findings: [fail("It is no certificate in PEM.")], data: [] };
  const path = certificatePath(sent);
  const findings = [
    ...judgeDates(path, now),
    ...judgeNames(leaf, domains),
    ...judgePath(path),
    ...(leaf.keyUsage?.includes(MARK_PURPOSE) ? [] : [fail("It is none for marks (extended key usage).")]),
    ...judgeLogotype(readLogotype(leaf), image),
  ];
  return { findings, data: described(leaf, sent.length) };
}

const fail = (text: string): MarkFinding => ({ status: "fail", text });

/** Those that can be read, its own first. */
function readCertificates(text: string): X509Certificate[] {
  // By parts and not by an expression: of one that looks for the end anew at each beginning, 1 MB of beginnings takes hours.
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

function judgeDates(path: readonly X509Certificate[], now: Date): MarkFinding[] {
  const [leaf] = path;
  for (const one of path) {
    const whose = one === leaf ? "It" : `The certificate of its authority (${nameInOneLine(one.subject)})`;
    const [from, to] = [certificateDate(one.validFrom), certificateDate(one.validTo)];
    if (to < now) return [fail(`${whose} has expired on ${utcDay(to)}.`)];
    if (from > now) return [fail(`${whose} is not valid before ${utcDay(from)}.`)];
  }
  const to = certificateDate(leaf?.validTo ?? "");
  if (to.getTime() - now.getTime() >= RENEWAL_DAYS * DAY_MS) return [];
  return [{ status: "warn", text: `It expires on ${utcDay(to)}.` }];
}

function judgeNames(leaf: X509Certificate, domains: readonly string[]): MarkFinding[] {
  const names = alternativeNames(leaf);
  if (domains.some((domain) => names.includes(domain) || names.includes(`${SELECTOR}${domain}`))) return [];
  const shown = names.length > 0 ? names.slice(0, MAX_NAMES_SHOWN).join(", ") : "no domain";
  return [fail(`It is for ${shown}, and not for ${domains.join(" or ")}.`)];
}

/** Of a path that is whole, the end is a root, or was issued by one that was not sent. */
function judgePath(path: readonly X509Certificate[]): MarkFinding[] {
  const [leaf, ...issuers] = path;
  if (!leaf || isSelfSigned(leaf)) return [fail("It was issued by nobody but itself.")];
  if (leaf.ca) return [fail("It is that of an authority: the one for the mark has to come first.")];
  if (issuers.length > 0) return [];
  return [fail("The certificate of its authority does not follow it.")];
}

function judgeLogotype(logotype: Logotype | undefined, image: Buffer | undefined): MarkFinding[] {
  if (!logotype) return [fail("It has no image in it (logotype).")];
  const embedded = logotype.embedded && unpackedOrNothing(logotype.embedded);
  if (!embedded) return [fail("The image in it cannot be read.")];
  if (!logotype.hasDigestOf(embedded) && !logotype.hasDigestOf(logotype.embedded ?? embedded))
    return [fail("The image in it is not the one that its digest is of.")];
  if (!image || embedded.equals(image)) return [];
  return [{ status: "warn", text: "The image in it is another one than that of the record." }];
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
