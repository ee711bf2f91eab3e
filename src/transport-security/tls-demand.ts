import type { DetailedPeerCertificate } from "node:tls";
import type { MailExchange } from "../dns/mail-exchanges.ts";
import { type Phrase, phrase } from "../shared/phrase.ts";

/** A server that the DNS names for a domain. */
export interface FoundExchange extends MailExchange {
  /** True if DNSSEC validates all names that led here, as DANE requires (RFC 7672 section 2.2). */
  readonly authenticated: boolean;
}

/** The peer of a TLS connection. */
export interface TlsPeer {
  /** Expected name of the certificate: the connected name from the MX record. */
  readonly serverName: string;
  /** True if the chain leads to an authority that this machine trusts, and the certificate is for `serverName`. */
  readonly authorized: boolean;
  /** Reason why it is not `authorized`. */
  readonly authorizationError: string | undefined;
  /** The certificate with its issuers, as sent by the server. */
  readonly certificate: DetailedPeerCertificate;
}

/** Demands on the connection to one server. */
export interface TlsDemand {
  /** `opportunistic`: plain text if TLS is not offered or fails; `required`: no delivery then. */
  readonly level: "opportunistic" | "required";
  /** Returns the problem of the server; undefined: none. Missing: any certificate is accepted. */
  readonly verify?: (peer: TlsPeer) => Phrase | undefined;
  /** Connections may be shared by messages with the same demand key: the level, and a word for each check or observer. */
  readonly key: string;
}

/** A server that must not receive mail for the domain, and the reason. */
export interface RefusedServer {
  readonly refused: Phrase;
}

/** Finds the TLS demand for mail to this domain through this server. Never rejects. */
export type DemandTls = (domain: string, host: FoundExchange) => Promise<TlsDemand | RefusedServer>;

/** Demand of the recipient's domain itself; undefined: none. Never rejects. */
export type RecipientDemand = (
  domain: string,
  host: FoundExchange,
) => Promise<TlsDemand | RefusedServer | undefined>;

/** Problem of a certificate that a trusted authority must have issued for this server. */
export function whyUnverified({ authorized, authorizationError, serverName }: TlsPeer): Phrase | undefined {
  if (authorized) return undefined;
  return phrase("tls.other_name", { host: serverName, detail: authorizationError ?? "unknown reason" });
}

/** TLS with a certificate for the name of the server, issued by an authority that this machine trusts. */
export const verifiedDemand: TlsDemand = {
  level: "required",
  key: "required verified",
  verify: whyUnverified,
};
