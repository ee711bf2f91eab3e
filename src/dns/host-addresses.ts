import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import type { HostsFile } from "./hosts-file.ts";
import type { Resolver } from "./resolver.ts";

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface HostAddressesOptions {
  readonly resolver: Pick<Resolver, "resolve">;
  readonly hostsFile: HostsFile;
  /** IPv6 first, IPv4 first, or only IPv4. */
  readonly ipv6: "prefer" | "allow" | "never";
  /** True if no DNS servers are configured: the resolver of the system, which supports search domains, is the last resort. */
  readonly asksSystem: boolean;
}

/**
 * Finds the addresses of a host from the operator or a policy: first in the DNS, then in the hosts file.
 * @throws Error when there is no address
 */
export type FindHostAddresses = (host: string) => Promise<readonly HostAddress[]>;

export function createHostAddresses(options: HostAddressesOptions): FindHostAddresses {
  const { resolver, hostsFile, ipv6, asksSystem } = options;

  async function fromDns(host: string) {
    const [v4, v6] = await Promise.all([
      resolver.resolve(host, "A"),
      ipv6 === "never" ? undefined : resolver.resolve(host, "AAAA"),
    ]);
    const records = [v4, v6].map((found) => (found?.kind === "records" ? found.records : []));
    if (ipv6 === "prefer") records.reverse();
    const failure = [v4, v6].find((found) => found?.kind === "failed");
    return { addresses: records.flat(), reason: failure?.kind === "failed" ? failure.reason : "no address" };
  }

  const permitted = (addresses: readonly string[]): HostAddress[] =>
    addresses
      .map((address): HostAddress => ({ address, family: isIPv6(address) ? 6 : 4 }))
      .filter(({ family }) => family === 4 || ipv6 !== "never");

  return async (host) => {
    const { addresses, reason } = await fromDns(host);
    if (addresses.length > 0) return permitted(addresses);
    const listed = permitted(await hostsFile(host));
    if (listed.length > 0) return listed;
    if (!asksSystem) throw new Error(`the DNS has no address of ${host}: ${reason}`);
    return permitted((await lookup(host, { all: true })).map(({ address }) => address));
  };
}
