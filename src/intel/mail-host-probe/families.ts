import { isIPv6 } from "node:net";
import { getDomain } from "tldts";
import type { AddressProbe, MailHostProbe } from "./mail-host-probe.ts";
import type { ProbedHost } from "./probe-mail-host.ts";

/** Whether an SMTP server answers, even if it refuses this machine. */
export function speaks({ outcome }: AddressProbe): boolean {
  return outcome === "answered" || outcome === "turned_away";
}

/** Whether the host answers over IPv4 but was tried over IPv6 without success. */
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
 * Hosts that verify whether this machine's own IPv6 works: hosts that were reached over IPv6, one of each
 * organization, because a whole organization may be down.
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
