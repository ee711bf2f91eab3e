import { createHash, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import type { TlsaRecord } from "../../dns/records.ts";
import { type Phrase, phrase } from "../../shared/phrase.ts";
import { subjectPublicKeyInfo } from "./subject-public-key.ts";
import { DANE_EE, DANE_TA, EXACT, FULL_CERTIFICATE, SHA_256 } from "./usable-records.ts";

export interface DaneReference {
  /** Records from `usableRecords`. */
  readonly records: readonly TlsaRecord[];
  /** The certificate must have one of these names if an authority is checked (RFC 7672 section 3.2.2). */
  readonly names: readonly string[];
  readonly now: Date;
}

/** An authority in the record itself, which the server need not send. */
type Anchor = { readonly certificate: X509Certificate } | { readonly key: KeyObject };

/** RFC 5280 section 4.2.1.12: TLS servers, or any purpose. */
const SERVER_PURPOSES = ["1.3.6.1.5.5.7.3.1", "2.5.29.37.0"];

/**
 * Verifies a server's certificate with its TLSA records (RFC 7672 section 3); undefined: valid. Restrictions of an authority
 * (path length, name constraints) are not checked, because the domain has chosen the authority itself.
 * @param chain the server's certificate, and the issuer of each after it as far as known, in DER
 */
export function verifyCertificate(chain: readonly Buffer[], reference: DaneReference): Phrase | undefined {
  try {
    return whyWrong(
      chain.map((der) => new X509Certificate(der)),
      reference,
    );
  } catch {
    // Certificates have more malformed variants than can be listed.
    return phrase("dane.unreadable");
  }
}

function whyWrong(certificates: readonly X509Certificate[], reference: DaneReference): Phrase | undefined {
  const [leaf] = certificates;
  if (!leaf) return phrase("dane.no_certificate");
  const { records } = reference;
  // Name and dates are not checked: the record binds the key to the server (RFC 7672 section 3.1.1).
  if (records.some((record) => record.usage === DANE_EE && matches(record, leaf))) return undefined;
  if (!records.some(({ usage }) => usage === DANE_TA)) return phrase("dane.no_match");
  return whyNotVouchedFor(certificates, leaf, reference);
}

function whyNotVouchedFor(
  chain: readonly X509Certificate[],
  leaf: X509Certificate,
  { records, names, now }: DaneReference,
): Phrase | undefined {
  const authorities = records.filter(({ usage }) => usage === DANE_TA);
  const anchors = authorities.filter(({ matchingType }) => matchingType === EXACT).map(readAnchor);
  if (!isForServers(leaf)) return phrase("dane.not_for_servers");
  if (!names.some((name) => leaf.checkHost(name, { partialWildcards: false }) !== undefined)) {
    return phrase("dane.other_name", { names });
  }
  for (const [position, certificate] of chain.entries()) {
    if (!isInDate(certificate, now)) return phrase("dane.out_of_date");
    if (anchors.some((anchor) => isIssuedByAnchor(certificate, anchor, now))) return undefined;
    const issuer = chain[position + 1];
    if (!issuer || !isIssuedBy(certificate, issuer)) break;
    if (isInDate(issuer, now) && authorities.some((record) => matches(record, issuer))) return undefined;
  }
  return phrase("dane.no_authority");
}

function matches(
  { selector, matchingType, certificate: wanted }: TlsaRecord,
  shown: X509Certificate,
): boolean {
  const data = selector === FULL_CERTIFICATE ? shown.raw : subjectPublicKeyInfo(shown.raw);
  if (matchingType === EXACT) return data.equals(wanted);
  const digest = createHash(matchingType === SHA_256 ? "sha256" : "sha512")
    .update(data)
    .digest();
  return digest.equals(wanted);
}

function readAnchor({ selector, certificate }: TlsaRecord): Anchor {
  if (selector === FULL_CERTIFICATE) return { certificate: new X509Certificate(certificate) };
  return { key: createPublicKey({ key: certificate, format: "der", type: "spki" }) };
}

function isIssuedByAnchor(certificate: X509Certificate, anchor: Anchor, now: Date): boolean {
  if ("key" in anchor) return isSignedWith(certificate, anchor.key);
  return isInDate(anchor.certificate, now) && isIssuedBy(certificate, anchor.certificate);
}

/** The issuer must be an authority: otherwise the owner of any certificate of it could issue others. */
function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && isSignedWith(certificate, issuer.publicKey);
}

function isSignedWith(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.verify(key);
  } catch {
    return false;
  }
}

function isInDate({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return Date.parse(validFrom) <= now.getTime() && now.getTime() <= Date.parse(validTo);
}

function isForServers({ keyUsage }: X509Certificate): boolean {
  // The property has the extended key usages; without that extension it is undefined, unlike its type.
  const purposes = keyUsage as readonly string[] | undefined;
  return !purposes || purposes.some((purpose) => SERVER_PURPOSES.includes(purpose));
}
