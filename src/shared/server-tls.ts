import type { SecureContextOptions } from "node:tls";

/** A certificate with its chain, and its private key, as PEM. */
export interface TlsCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** In addition to the ciphers of TLS 1.3, which are all strong: only forward secrecy and authenticated encryption. */
const CIPHERS = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE+AESGCM",
  "ECDHE+CHACHA20",
].join(":");

/** TLS 1.2 and 1.3 for clients of a service. HTTP/2 forbids weaker ciphers (RFC 9113 section 9.2.2). */
export function serverTls({ cert, key }: TlsCertificate) {
  return {
    cert,
    key,
    // Clients need no certificate, and loading all public authorities takes longer than the rest.
    ca: [],
    minVersion: "TLSv1.2",
    ciphers: CIPHERS,
    honorCipherOrder: true,
  } as const satisfies SecureContextOptions;
}
