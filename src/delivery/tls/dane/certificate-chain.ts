import type { DetailedPeerCertificate } from "node:tls";

/** Chains are three or four long; what is beyond was sent to make work. */
const MAX_LENGTH = 10;

/** The server's certificate and the issuer of each after it, in DER; empty when it showed none. */
export function certificateChain(certificate: DetailedPeerCertificate): readonly Buffer[] {
  const chain: Buffer[] = [];
  let next: Partial<DetailedPeerCertificate> | undefined = certificate;
  while (next?.raw && chain.length < MAX_LENGTH) {
    const { raw } = next;
    // A certificate that issued itself stands there as its own issuer, for ever.
    if (chain.some((known) => known.equals(raw))) break;
    chain.push(raw);
    next = next.issuerCertificate;
  }
  return chain;
}
