import type { MailHosts } from "../mx/find-mail-hosts.ts";
import type { MailHostProbe } from "./mail-host-probe.ts";
import type { Vantage } from "./vantage.ts";

/** Probes of a domain's hosts, and the visibility from this machine. */
export interface FoundProbes {
  /** Probes by host name. A missing host could not be probed yet. */
  readonly probes: ReadonlyMap<string, MailHostProbe>;
  readonly vantage: Vantage;
  /** Whether this machine reaches any mail server over IPv6; also false if no check needs it. */
  readonly reachesIpv6: boolean;
}

/** @param isFresh true after a repair: older observations do not count */
export type FindProbes = (mail: MailHosts, isFresh: boolean) => Promise<FoundProbes>;
