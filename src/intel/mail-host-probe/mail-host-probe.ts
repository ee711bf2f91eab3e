/**
 * Observation of one host that receives mail: a plain value, shared by all domains that name the host. It contains no
 * judgement.
 */
export interface MailHostProbe {
  /** In lower case. */
  readonly name: string;
  readonly at: Date;
  /** One of each family if the host has both. Empty: it has none. */
  readonly addresses: readonly AddressProbe[];
}

/**
 * Observation at one address.
 *
 * - `answered`: it sent a greeting and answered EHLO
 * - `turned_away`: it speaks SMTP but refuses this machine, permanently or now: 4xx or 5xx before any request
 * - `unheard`: a connection, but no answer in time, or no SMTP answer
 * - `unreached`: no connection: refused, timed out or no route
 * - `forbidden`: not tried because the address is private or belongs to this machine
 */
export type AddressProbe = {
  readonly address: string;
  /** With its code, in one line, safe to show. Missing: there was none. */
  readonly greeting?: string;
} & (
  | { readonly outcome: "answered"; readonly startTls: StartTls }
  | {
      readonly outcome: "turned_away" | "unheard" | "unreached" | "forbidden";
      /** Safe to show. */
      readonly reason: string;
    }
);

/**
 * Result of STARTTLS.
 *
 * - `works`: mail can be sent over TLS
 * - `not_offered`: no offer; `isMasked`: a firewall on the path has replaced it with X
 * - `refused`: it was offered, then refused
 * - `failed`: it was offered, but the handshake or the EHLO after it failed
 * - `unknown`: the connection was lost, or no answer came in time
 */
export type StartTls =
  | { readonly kind: "works"; readonly tls: TlsFacts }
  | { readonly kind: "not_offered"; readonly isMasked: boolean }
  | {
      readonly kind: "refused" | "failed" | "unknown";
      /** Safe to show. */
      readonly reason: string;
    };

/** Facts about a TLS connection. */
export interface TlsFacts {
  /** Such as `TLSv1.3`. Versions before 1.2 are tried only if no later version works. */
  readonly protocol: string;
  /** IANA name of the cipher. */
  readonly cipher: string;
  /** Certificates in DER as the server sent them, its own first; at most ten. */
  readonly certificates: readonly [Buffer, ...Buffer[]];
  /**
   * Why the certificate does not lead to a public authority, as an OpenSSL code such as
   * `DEPTH_ZERO_SELF_SIGNED_CERT`. Missing: it does. Its name and its own dates are not checked.
   */
  readonly untrusted?: string;
  /** Contents of the server's own certificate, for display. */
  readonly certificate: CertificateFacts;
}

export interface CertificateFacts {
  /** Names of subject and issuer, one line each. */
  readonly subject: string;
  readonly issuer: string;
  /** The first alternative DNS names, in lower case. */
  readonly names: readonly string[];
  /** 1970-01-01: the date cannot be read. */
  readonly validFrom: Date;
  readonly validTo: Date;
  /** Whether the certificate was signed with its own key. */
  readonly isSelfSigned: boolean;
}
