import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../shared/clock.ts";
import type { MxAddress } from "./mx-route.ts";

/** Addresses of a relay, in the order of attempts. @throws Error of the resolver */
export type FindRelayAddresses = (host: string) => Promise<readonly MxAddress[]>;

/** A resolver may read files and query servers each time; addresses of relays change more slowly. */
const REMEMBER_MS = 30_000;
const MAX_RELAYS = 1_000;

interface Entry {
  readonly addresses: Promise<readonly MxAddress[]>;
  readonly foundAtMs: number;
}

export interface RelayAddressesOptions {
  readonly clock: Clock;
  /** Missing: the resolver of the system. */
  readonly find?: FindRelayAddresses;
}

const askSystem: FindRelayAddresses = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address, family }): MxAddress => ({ address, family: family === 6 ? 6 : 4 }));
};

/** Caches the addresses of relays. */
export function createRelayAddresses({ clock, find = askSystem }: RelayAddressesOptions): FindRelayAddresses {
  const entries = new LRUCache<string, Entry>({ max: MAX_RELAYS });
  return (host) => {
    const literal = isIP(host);
    if (literal !== 0) return Promise.resolve([{ address: host, family: literal === 6 ? 6 : 4 }]);
    const known = entries.get(host);
    const nowMs = clock.monotonicMs();
    if (known && nowMs - known.foundAtMs < REMEMBER_MS) return known.addresses;
    const addresses = find(host);
    entries.set(host, { addresses, foundAtMs: nowMs });
    // Only found addresses are cached.
    addresses.catch(() => entries.delete(host));
    return addresses;
  };
}
