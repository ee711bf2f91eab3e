import { clientNetwork } from "../../shared/client-network.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { hashSecret } from "../../shared/secrets.ts";
import type { SignInFailuresDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";

/** Who tries: the address that is named, and the client's own. */
export interface Attempt {
  readonly email: string;
  /** An IP address; empty: it is not known. */
  readonly clientAddress: string;
}

/** Slows down who guesses. Nobody can lock somebody else out: what counts is always the network that guesses. */
export interface SignInThrottle {
  /**
   * Counts an attempt as failed before it is judged, so that many at once are not one.
   * @throws Fault auth.throttled with the time to wait
   */
  begin(attempt: Attempt): Promise<void>;
  /** The attempt was right: it is not counted, and the address's count from this network begins anew. */
  succeeded(attempt: Attempt): Promise<void>;
}

interface Limit {
  /** Failures without any delay. */
  readonly free: number;
  readonly name: string;
}

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15 * 60_000;
/** After so long without a failure the count begins anew. */
const FORGET_MS = 60 * 60_000;
const FREE_FOR_ADDRESS = 5;
/** Many people may sit behind one address. */
const FREE_FOR_NETWORK = 100;

export function createSignInThrottle({
  failures,
  clock,
}: {
  readonly failures: Store["signInFailures"];
  readonly clock: Clock;
}): SignInThrottle {
  /** @throws Fault auth.throttled */
  async function count({ name, free }: Limit): Promise<void> {
    for (;;) {
      const now = clock.now();
      const found = await failures.find(name);
      const former = found && found.expireAt > now ? found : null;
      const waitMs = former ? former.lastAt.getTime() + delayMs(former.count, free) - now.getTime() : 0;
      if (waitMs > 0) {
        throw fault("auth.throttled", { retryAfterSeconds: Math.ceil(waitMs / 1000) });
      }
      const next: SignInFailuresDocument = {
        _id: name,
        count: (former?.count ?? 0) + 1,
        lastAt: now,
        expireAt: new Date(now.getTime() + FORGET_MS),
      };
      if (await failures.count(found, next)) return;
    }
  }

  return {
    begin: async (attempt) => {
      for (const limit of limitsOf(attempt)) await count(limit);
    },
    succeeded: async (attempt) => {
      const [ofAddress, ofNetwork] = limitsOf(attempt);
      await Promise.all([failures.forget(ofAddress.name), failures.takeBack(ofNetwork.name)]);
    },
  };
}

/** Before the next attempt, after so many failures. */
function delayMs(failed: number, free: number): number {
  if (failed < free) return 0;
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failed - free, 20));
}

function limitsOf({ email, clientAddress }: Attempt): readonly [ofAddress: Limit, ofNetwork: Limit] {
  const network = clientNetwork(clientAddress);
  return [
    { name: `address:${hashSecret(`${email}\0${network}`)}`, free: FREE_FOR_ADDRESS },
    { name: `network:${hashSecret(network)}`, free: FREE_FOR_NETWORK },
  ];
}
