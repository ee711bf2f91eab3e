import type { X509Certificate } from "node:crypto";

/** Paths have three or four certificates. */
const MAX_LENGTH = 10;

/**
 * The first certificate, its issuer, the issuer of that, and so on, as far as these certificates contain them:
 * servers send them in any order, with others among them. Signatures are verified, dates and names are not.
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

/** Requires a certificate authority. Otherwise the owner of any certificate could issue others. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    // An unsupported kind of key.
    return false;
  }
}
