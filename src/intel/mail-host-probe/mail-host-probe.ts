/**
 * What was seen of one host that takes mail: a plain value, the same for all domains that name the host.
 * Whether any of it is good or bad is not said.
 */
export interface MailHostProbe {
  /** In lower case. */
  readonly name: string;
  readonly at: Date;
  /** One of each family, if the host has both; empty: it has none. */
  readonly addresses: readonly AddressProbe[];
}

/**
 * What was seen at one address.
 *
 * - `answered`: it greeted, and answered EHLO
 * - `turned_away`: it speaks SMTP, but not with this machine, or not now: 4xx or 5xx before anything was asked of it
 * - `unheard`: there was a connection, but no answer in time, or none of SMTP
 * - `unreached`: there was no connection: refused, none in time, no way there
 * - `forbidden`: it was not tried: the address is private, or this machine's own
 */
export type AddressProbe = {
  readonly address: string;
  /** With its code, in one line, safe to show; missing: there was none. */
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
 * What came of STARTTLS.
 *
 * - `works`: mail can be given over it
 * - `not_offered`: `isMasked`: something on the way has put X in its place, as some firewalls do
 * - `refused`: it is offered, and then refused
 * - `failed`: it is offered, but the handshake fails, or nothing can be said after it
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

/** A connection with TLS. */
export interface TlsFacts {
  /** As `TLSv1.3`. Versions before 1.2 are asked for only where no later one works: they stand here if nothing else does. */
  readonly protocol: string;
  /** By the name that IANA has for it. */
  readonly cipher: string;
  /** As the server sent them, its own first, in DER; ten at most. */
  readonly certificates: readonly [Buffer, ...Buffer[]];
  /**
   * Why the certificate does not lead to a public authority, by the code of OpenSSL, as `DEPTH_ZERO_SELF_SIGNED_CERT`; missing: it
   * does. Neither its name nor its own dates are looked at.
   */
  readonly untrusted?: string;
  /** What the server's own certificate says, for those who show it. */
  readonly certificate: CertificateFacts;
}

export interface CertificateFacts {
  /** The names of subject and issuer, in one line each. */
  readonly subject: string;
  readonly issuer: string;
  /** The first alternative DNS names, in lower case. */
  readonly names: readonly string[];
  /** The beginning of 1970: it cannot be read. */
  readonly validFrom: Date;
  readonly validTo: Date;
  /** Whether it was signed with its own key. */
  readonly isSelfSigned: boolean;
}
