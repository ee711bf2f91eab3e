import type { DetailedPeerCertificate } from "node:tls";
import type { MailExchange } from "../dns/mail-exchanges.ts";
import { safeDetail } from "../message/replies/outcome.ts";

/** A server that the DNS names for a domain. */
export interface FoundExchange extends MailExchange {
  /** Whether DNSSEC vouches for everything that led here, as DANE needs it (RFC 7672 section 2.2). */
  readonly authenticated: boolean;
}

/** The other end of a connection on which TLS stands. */
export interface TlsPeer {
  /** The name that the certificate has to have: what was connected to, as the MX record has it. */
  readonly serverName: string;
  /** The chain leads to an authority that this machine trusts, and the certificate is of `serverName`. */
  readonly authorized: boolean;
  /** Why it is not `authorized`. */
  readonly authorizationError: string | undefined;
  /** The certificate, with its issuers as the server sent them. */
  readonly certificate: DetailedPeerCertificate;
}

/** What the connection to one server has to be like. */
export interface TlsDemand {
  /** `opportunistic`: plain text where TLS is not offered or does not work; `required`: nothing then. */
  readonly level: "opportunistic" | "required";
  /** What is wrong with the server, safe to show; undefined: nothing. Not given: any certificate is good enough. */
  readonly verify?: (peer: TlsPeer) => string | undefined;
  /**
   * Connections may be shared by messages whose demands have the same key: the level and a word for each check, or
   * for each who looks on.
   */
  readonly key: string;
}

/** A server that mail for the domain may not be given to, and why; safe to show. */
export interface RefusedServer {
  readonly refused: string;
}

/** What TLS to this server has to be like for mail to this domain. Never rejects. */
export type DemandTls = (domain: string, host: FoundExchange) => Promise<TlsDemand | RefusedServer>;

/** What the recipient's domain itself demands; undefined: nothing. Never rejects. */
export type RecipientDemand = (
  domain: string,
  host: FoundExchange,
) => Promise<TlsDemand | RefusedServer | undefined>;

/** What is wrong with a certificate that a trusted authority should have issued for this server. */
export function whyUnverified({ authorized, authorizationError, serverName }: TlsPeer): string | undefined {
  if (authorized) return undefined;
  return safeDetail(
    `the certificate does not prove ${serverName}: ${authorizationError ?? "unknown reason"}`,
  );
}

/** TLS with a certificate of the server's name, issued by an authority that this machine trusts. */
export const verifiedDemand: TlsDemand = {
  level: "required",
  key: "required verified",
  verify: whyUnverified,
};
