import type { SecureContextOptions } from "node:tls";

/** A certificate with its chain, and its private key, as PEM. */
export interface TlsCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Beside TLS 1.3's own, which are all good: forward secrecy and authenticated encryption only. */
const CIPHERS = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE+AESGCM",
  "ECDHE+CHACHA20",
].join(":");

/** TLS 1.2 and 1.3 as clients of a service are offered them; HTTP/2 forbids weaker ciphers (RFC 9113 section 9.2.2). */
export function serverTls({ cert, key }: TlsCertificate) {
  return {
    cert,
    key,
    // Clients are asked for no certificate: to read the world's authorities takes longer than all the rest.
    ca: [],
    minVersion: "TLSv1.2",
    ciphers: CIPHERS,
    honorCipherOrder: true,
  } as const satisfies SecureContextOptions;
}
