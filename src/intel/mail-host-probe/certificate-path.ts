import type { X509Certificate } from "node:crypto";

/** Paths are three or four long. */
const MAX_LENGTH = 10;

/**
 * The first certificate, its issuer, the issuer of that, and so on, as far as they are among these: servers send them in any order,
 * and others with them. Signatures are verified, dates and names are not looked at.
 */
export function certificatePath(sent: readonly X509Certificate[]): X509Certificate[] {
  const [leaf, ...others] = sent;
  if (!leaf) return [];
  const path = [leaf];
  for (let last = leaf; path.length < MAX_LENGTH; ) {
    const issuer = others.find((one) => !path.includes(one) && isIssuedBy(last, one));
    if (!issuer) break;
    path.push(issuer);
    last = issuer;
  }
  return path;
}

/** By an authority: whoever has any certificate at all could issue others otherwise. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    // A key of a kind that is not known here.
    return false;
  }
}
