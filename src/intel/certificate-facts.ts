import type { X509Certificate } from "node:crypto";
import { safeDetail } from "../message/replies/outcome.ts";

const MAX_NAMES = 100;

/**
 * The DNS names among the subject alternative names, in lower case, from text like `DNS:a.test, IP
 * Address:192.0.2.1`. Node quotes unusual names; these are left out.
 */
export function alternativeNames({ subjectAltName = "" }: X509Certificate): string[] {
  const names = [...subjectAltName.matchAll(/(?:^|, )DNS:([\w*.-]{1,253})(?=,|$)/g)];
  return names.slice(0, MAX_NAMES).map(([, name = ""]) => name.toLowerCase());
}

/**
 * The name of a subject or an issuer, safe to show. Node writes one line for each part; a certificate may have no
 * name.
 */
export function nameInOneLine(name: string | undefined): string {
  return safeDetail((name ?? "").replaceAll("\n", ", "));
}

/** Reads a date of a certificate. An unreadable date becomes 1970-01-01, so the certificate counts as expired. */
export function certificateDate(text: string): Date {
  return new Date(Date.parse(text) || 0);
}

export function isSelfSigned(certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}
