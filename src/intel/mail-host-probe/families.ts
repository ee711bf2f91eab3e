import { isIPv6 } from "node:net";
import { getDomain } from "tldts";
import type { AddressProbe, MailHostProbe } from "./mail-host-probe.ts";
import type { ProbedHost } from "./probe-mail-host.ts";

/** Whether a server that speaks SMTP is there, though perhaps it does not speak it with this machine. */
export function speaks({ outcome }: AddressProbe): boolean {
  return outcome === "answered" || outcome === "turned_away";
}

/** Whether the host is there over IPv4, and was tried and not found over IPv6. */
export function isOneSided({ addresses }: MailHostProbe): boolean {
  const six = addresses.filter(({ address, outcome }) => isIPv6(address) && outcome !== "forbidden");
  const four = addresses.filter(({ address }) => !isIPv6(address));
  return six.length > 0 && !six.some(speaks) && four.some(speaks);
}

/** Whether this machine has reached the host over IPv6. */
export function isReachedByIpv6({ addresses }: MailHostProbe): boolean {
  return addresses.some((one) => isIPv6(one.address) && speaks(one));
}

/**
 * Hosts by which to find out whether this machine's own IPv6 works: those that were reached by it, one of each organisation, for
 * one may be down as a whole.
 * @param probes the latest first
 */
export function controlHosts(probes: readonly MailHostProbe[], most: number): ProbedHost[] {
  const organisations = new Set<string>();
  const chosen = probes.filter(isReachedByIpv6).filter(({ name }) => {
    const organisation = getDomain(name) ?? name;
    const isFirst = !organisations.has(organisation);
    organisations.add(organisation);
    return isFirst;
  });
  return chosen.slice(0, most).map(({ name, addresses }) => ({
    name,
    ipv4: addresses.map(({ address }) => address).filter((address) => !isIPv6(address)),
    ipv6: addresses.map(({ address }) => address).filter((address) => isIPv6(address)),
  }));
}
