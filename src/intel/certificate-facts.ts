import type { X509Certificate } from "node:crypto";
import { safeDetail } from "../message/replies/outcome.ts";

const MAX_NAMES = 100;

/** The first alternative DNS names, in lower case: `DNS:a.test, IP Address:192.0.2.1`; Node puts odd ones in quotes, which are left out. */
export function alternativeNames({ subjectAltName = "" }: X509Certificate): string[] {
  const names = [...subjectAltName.matchAll(/(?:^|, )DNS:([\w*.-]{1,253})(?=,|$)/g)];
  return names.slice(0, MAX_NAMES).map(([, name = ""]) => name.toLowerCase());
}

/** The name of a subject or an issuer, safe to show. Node has a line for each part; a certificate may be without any. */
export function nameInOneLine(name: string | undefined): string {
  return safeDetail((name ?? "").replaceAll("\n", ", "));
}

/** One that cannot be read is the beginning of 1970: as the end it makes the certificate an expired one. */
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
