import { X509Certificate } from "node:crypto";
import { rootCertificates, type TLSSocket } from "node:tls";
import { safeDetail } from "../../message/replies/outcome.ts";
import { SmtpError } from "../../smtp-client/smtp-error.ts";
import { alternativeNames, certificateDate, isSelfSigned, nameInOneLine } from "../certificate-facts.ts";
import { certificatePath, isIssuedBy } from "./certificate-path.ts";
import type { CertificateFacts, TlsFacts } from "./mail-host-probe.ts";

/** OpenSSL accepts at most 100 KB of certificates. */
const MAX_CERTIFICATES = 10;
const OUT_OF_DATE = ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"];
/** The name is judged separately. */
const WRONG_NAME = "ERR_TLS_CERT_ALTNAME_INVALID";
const UNKNOWN_ISSUER = "UNABLE_TO_GET_ISSUER_CERT_LOCALLY";
const SELF_SIGNED = "DEPTH_ZERO_SELF_SIGNED_CERT";

/** Reads the facts of a TLS connection about its server. @throws SmtpError if the server sent no readable certificate */
export type ReadTls = (socket: TLSSocket, at: Date) => TlsFacts;

/** @param extraCa PEM of an authority that counts as public */
export function createReadTls(extraCa?: string): ReadTls {
  let authorities: readonly X509Certificate[] | undefined;
  const roots = () => {
    authorities ??= [...rootCertificates, ...(extraCa === undefined ? [] : [extraCa])].map(
      (pem) => new X509Certificate(pem),
    );
    return authorities;
  };

  /** OpenSSL reports only one fault, and a date before all others. */
  function whyUntrusted(code: string, sent: readonly X509Certificate[], at: Date): string | undefined {
    if (code === "" || code === WRONG_NAME) return undefined;
    if (!OUT_OF_DATE.includes(code)) return code;
    const [leaf, ...issuers] = certificatePath(sent);
    const last = issuers.at(-1) ?? leaf;
    if (!leaf || !last) return UNKNOWN_ISSUER;
    const root = roots().find((one) => one.raw.equals(last.raw) || isIssuedBy(last, one));
    if (!root) return isSelfSigned(leaf) ? SELF_SIGNED : UNKNOWN_ISSUER;
    return issuers.some((issuer) => !isInDate(issuer, at)) ? code : undefined;
  }

  return (socket, at) => {
    const sent = sentCertificates(socket);
    const [leaf, ...others] = sent;
    if (!leaf)
      throw new SmtpError(
        { text: "the server sent no certificate", parts: [] },
        { phase: "starttls", tls: true },
      );
    const fault: unknown = socket.authorizationError;
    // Typed as an error, but Node sets a code.
    const code = fault instanceof Error ? fault.message : String(fault ?? "");
    const untrusted = whyUntrusted(safeDetail(code), sent, at);
    return {
      protocol: socket.getProtocol() ?? "unknown",
      cipher: socket.getCipher().standardName,
      certificates: [leaf.raw, ...others.map(({ raw }) => raw)],
      ...(untrusted !== undefined && { untrusted }),
      certificate: factsOf(leaf),
    };
  };
}

/**
 * The certificates that the server sent, without a root from the local store: DANE with the digest of a root requires
 * that the server sends it (RFC 7671 section 5.2.2).
 */
function sentCertificates(socket: TLSSocket): X509Certificate[] {
  const sent: X509Certificate[] = [];
  let next = socket.getPeerX509Certificate();
  while (next && sent.length < MAX_CERTIFICATES) {
    sent.push(next);
    next = next.issuerCertificate;
  }
  return sent;
}

function factsOf(leaf: X509Certificate): CertificateFacts {
  return {
    subject: nameInOneLine(leaf.subject),
    issuer: nameInOneLine(leaf.issuer),
    names: alternativeNames(leaf),
    validFrom: certificateDate(leaf.validFrom),
    validTo: certificateDate(leaf.validTo),
    isSelfSigned: isSelfSigned(leaf),
  };
}

function isInDate({ validFrom, validTo }: X509Certificate, at: Date): boolean {
  return Date.parse(validFrom) <= at.getTime() && at.getTime() <= Date.parse(validTo);
}
