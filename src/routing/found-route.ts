import type { DirectTransportSettings } from "../store/policy-document.ts";

/** What TLS to a server has to be like, and who asks for it. */
export interface FoundTls {
  /** `refused`: mail for the domain may not be given to this server. */
  readonly level: "opportunistic" | "required" | "refused";
  /** By what its certificate must prove the server's name; empty: any certificate will do. */
  readonly certificate: readonly ("authority" | "dane")[];
  /** Who asks for it: the policy, and what the recipient's domain says. */
  readonly askedBy: readonly ("policy" | "dane" | "mta_sts")[];
  /** Why it is refused; empty: it is not. Safe to show. */
  readonly refusal: string;
}

export interface FoundHost {
  readonly exchange: string;
  readonly preference: number;
  /** In the order in which they would be tried. */
  readonly addresses: readonly string[];
  readonly tls: FoundTls;
}

/**
 * Where mail for a domain would go.
 *
 * - `hosts`: to these, in this order
 * - `null_mx`, `no_domain`, `no_route`: nowhere, for good
 * - `temporary`: the DNS did not answer, or not in time
 */
export interface FoundRoute {
  readonly kind: "hosts" | "null_mx" | "no_domain" | "no_route" | "temporary";
  /** Why there are no hosts; empty: there are. Safe to show. */
  readonly reason: string;
  /** The domain has no MX, so it is its own host (RFC 5321 section 5.1). */
  readonly isImplicit: boolean;
  readonly hosts: readonly FoundHost[];
  /** Exchanges that the domain names and that mail cannot go to. */
  readonly unusable: readonly string[];
  /** The domain announces a policy of MTA-STS that is not known here: a delivery fetches it first. */
  readonly hasUnknownMtaSts: boolean;
}

/**
 * Asks the DNS, within a time, and connects to nothing. Never rejects.
 * @param accountId who asks: nobody has all that may be under way at once
 */
export type LookUpRoute = (
  domain: string,
  setting: DirectTransportSettings["tls"],
  accountId: string,
) => Promise<FoundRoute>;
