import { clientNetwork } from "../shared/client-network.ts";
import type { Clock } from "../shared/clock.ts";
import { createLru } from "../shared/lru.ts";

/** How much mail to the operator anybody may bring about: whoever finds the port can write to it. */
export interface ForwardLimits {
  /** Whether one more may come from this address. */
  allows(address: string): boolean;
  /** Counts one; false: it is one too many, and not counted. */
  take(address: string): boolean;
}

/** Mails in an hour, of one network and of all. */
const PER_NETWORK = 20;
const IN_ALL = 200;
const HOUR_MS = 3_600_000;
const MAX_NETWORKS = 10_000;

/** Limits of this process, by the hour. */
export function createForwardLimits({ clock }: { readonly clock: Clock }): ForwardLimits {
  /** Mails of this hour, by network. */
  const counts = createLru<number>(MAX_NETWORKS);
  let all = 0;
  let hourEndsMs = Number.NEGATIVE_INFINITY;

  function allows(network: string): boolean {
    const nowMs = clock.monotonicMs();
    if (nowMs >= hourEndsMs) {
      counts.clear();
      all = 0;
      hourEndsMs = nowMs + HOUR_MS;
    }
    return all < IN_ALL && (counts.get(network) ?? 0) < PER_NETWORK;
  }

  return {
    allows: (address) => allows(clientNetwork(address)),
    take: (address) => {
      const network = clientNetwork(address);
      if (!allows(network)) return false;
      counts.set(network, (counts.get(network) ?? 0) + 1);
      all++;
      return true;
    },
  };
}
