import type { DirectTransportSettings } from "../store/policy-document.ts";

/** TLS requirements for a server, and their sources. */
export interface FoundTls {
  /** `refused`: mail for the domain must not be sent to this server. */
  readonly level: "opportunistic" | "required" | "refused";
  /** Required verification of the certificate. Empty if any certificate is accepted. */
  readonly certificate: readonly ("authority" | "dane")[];
  /** Sources of the requirements: the policy, and the records of the recipient's domain. */
  readonly askedBy: readonly ("policy" | "dane" | "mta_sts")[];
  /** Reason for the refusal, safe to show. Empty if the server is not refused. */
  readonly refusal: string;
}

export interface FoundHost {
  readonly exchange: string;
  readonly preference: number;
  /** In the order in which Hermod would try them. */
  readonly addresses: readonly string[];
  readonly tls: FoundTls;
}

/**
 * Route of mail for a domain.
 *
 * - `hosts`: these servers, in this order
 * - `null_mx`, `no_domain`, `no_route`: permanently no server
 * - `temporary`: the DNS did not answer in time
 */
export interface FoundRoute {
  readonly kind: "hosts" | "null_mx" | "no_domain" | "no_route" | "temporary";
  /** Reason why there are no hosts, safe to show. Empty if there are any. */
  readonly reason: string;
  /** The domain has no MX record, so it is its own host (RFC 5321 section 5.1). */
  readonly isImplicit: boolean;
  readonly hosts: readonly FoundHost[];
  /** Servers that the domain names but that cannot receive mail. */
  readonly unusable: readonly string[];
  /** The domain announces an MTA-STS policy that is not cached. A delivery fetches it first. */
  readonly hasUnknownMtaSts: boolean;
}

/**
 * Queries the DNS within a time limit and opens no connection. Never rejects.
 * @param accountId account of the caller, so that no account uses all concurrent queries
 */
export type LookUpRoute = (
  domain: string,
  setting: DirectTransportSettings["tls"],
  accountId: string,
) => Promise<FoundRoute>;
