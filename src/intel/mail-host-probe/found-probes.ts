import type { MailHosts } from "../mx/find-mail-hosts.ts";
import type { MailHostProbe } from "./mail-host-probe.ts";
import type { Vantage } from "./vantage.ts";

/** The hosts of a domain as far as they are known, and what this machine can see at all. */
export interface FoundProbes {
  /** By name; a host that is missing could not be looked at yet. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  readonly vantage: Vantage;
  /** Whether this machine reaches any mail server over IPv6; false as well where nobody needs to know it. */
  readonly reachesIpv6: boolean;
}

/** @param isFresh somebody has repaired something: what was seen an hour ago does not count */
export type FindProbes = (mail: MailHosts, isFresh: boolean) => Promise<FoundProbes>;
