import { createPublicKey, X509Certificate } from "node:crypto";
import type { TlsaRecord } from "../../dns/records.ts";

/** Certificate usages of RFC 7218. PKIX-TA and PKIX-EE have no meaning between mail servers (RFC 7672 section 3.1.3). */
export const DANE_TA = 2;
export const DANE_EE = 3;
/** Selector: the matched part of a certificate. */
export const FULL_CERTIFICATE = 0;
export const PUBLIC_KEY = 1;
/** Matching type. */
export const EXACT = 0;
export const SHA_256 = 1;
export const SHA_512 = 2;

/** Legitimate servers have fewer records; each record costs work for every connection. */
const MAX_RECORDS = 50;

/**
 * Selects the TLSA records that can verify the certificate of a mail server (RFC 7672 section 3.1), only with the strongest
 * digest of each certificate (RFC 7671 section 9).
 */
export function usableRecords(records: readonly TlsaRecord[]): readonly TlsaRecord[] {
  const usable = records.filter(isUsable).slice(0, MAX_RECORDS);
  const isSuperseded = ({ usage, selector, matchingType }: TlsaRecord) =>
    matchingType === SHA_256 &&
    usable.some((one) => one.usage === usage && one.selector === selector && one.matchingType === SHA_512);
  return usable.filter((record) => !isSuperseded(record));
}

function isUsable({ usage, selector, matchingType, certificate }: TlsaRecord): boolean {
  if (usage !== DANE_TA && usage !== DANE_EE) return false;
  if (selector !== FULL_CERTIFICATE && selector !== PUBLIC_KEY) return false;
  switch (matchingType) {
    case EXACT:
      return isWellFormed(selector, certificate);
    case SHA_256:
      return certificate.length === 32;
    case SHA_512:
      return certificate.length === 64;
    default:
      return false;
  }
}

function isWellFormed(selector: number, der: Buffer): boolean {
  try {
    if (selector === FULL_CERTIFICATE) new X509Certificate(der);
    else createPublicKey({ key: der, format: "der", type: "spki" });
    return true;
  } catch {
    return false;
  }
}
