import { clientNetwork } from "../../shared/client-network.ts";
import { fault } from "../../shared/fault.ts";
import { hashSecret } from "../../shared/secrets.ts";
import { createThrottle, type Limit, type ThrottleOptions } from "./throttle.ts";

/** Who tries: the address that is named, and the client's own. */
export interface Attempt {
  readonly email: string;
  /** An IP address; empty: it is not known. */
  readonly clientAddress: string;
  /** For codes, of which there are few: whose they are. Only who knows the password gets so far. */
  readonly userId?: string;
}

/** Slows down who guesses. Nobody can lock somebody else out: what counts is always the network that guesses. */
export interface SignInThrottle {
  /**
   * Counts an attempt as failed before it is judged, so that many at once are not one.
   * @throws Fault auth.throttled with the time to wait
   */
  begin(attempt: Attempt): Promise<void>;
  /** Counts a challenge, which is stored for whoever asks. @throws Fault auth.throttled */
  countChallenge(clientAddress: string): Promise<void>;
  /** Counts a new password that is judged for a user, at a cost of its own. @throws Fault auth.throttled */
  countNewPassword(attempt: Pick<Attempt, "email" | "clientAddress">): Promise<void>;
  /** The attempt was right: it is not counted, and the address's count from this network begins anew. */
  succeeded(attempt: Attempt): Promise<void>;
}

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15 * 60_000;
/** After so long without a failure the count begins anew. */
const FORGET_MS = 60 * 60_000;
const FREE_FOR_ADDRESS = 5;
/** Wrong codes from everywhere: a million are guessed by somebody who has a million networks. */
const FREE_FOR_USER = 20;
/** Pages ask for one whenever somebody looks at them. */
const FREE_CHALLENGES = 200;
/** Several words are tried until one is accepted. */
const FREE_NEW_PASSWORDS = 10;
/** Many people may sit behind one address. */
const FREE_FOR_NETWORK = 100;

export function createSignInThrottle(options: ThrottleOptions): SignInThrottle {
  const throttle = createThrottle(options);

  /** @throws Fault auth.throttled */
  async function count(limit: Limit): Promise<void> {
    const waitMs = await throttle.count(limit);
    if (waitMs > 0) throw fault("auth.throttled", { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }

  return {
    begin: async (attempt) => {
      for (const limit of limitsOf(attempt)) await count(limit);
    },
    countChallenge: (clientAddress) => count(ofChallenges(clientAddress)),
    countNewPassword: (attempt) => count(ofNewPasswords(attempt)),
    succeeded: async (attempt) => {
      const [ofAddress, ofNetwork, ...ofUser] = limitsOf(attempt);
      const forgotten = [ofAddress, ...ofUser].map(({ name }) => throttle.forget(name));
      await Promise.all([...forgotten, throttle.takeBack(ofNetwork.name)]);
    },
  };
}

function ofChallenges(clientAddress: string): Limit {
  const name = `challenge:${hashSecret(clientNetwork(clientAddress))}`;
  return {
    name,
    free: FREE_CHALLENGES,
    firstDelayMs: FIRST_DELAY_MS,
    maxDelayMs: 60_000,
    forgetMs: 10 * 60_000,
  };
}

function ofNewPasswords({ email, clientAddress }: Pick<Attempt, "email" | "clientAddress">): Limit {
  return {
    name: `new-password:${hashSecret(`${email}\0${clientNetwork(clientAddress)}`)}`,
    free: FREE_NEW_PASSWORDS,
    firstDelayMs: FIRST_DELAY_MS,
    maxDelayMs: 60_000,
    forgetMs: 10 * 60_000,
  };
}

type Limits = readonly [ofAddress: Limit, ofNetwork: Limit, ...ofUser: readonly Limit[]];

function limitsOf({ email, clientAddress, userId }: Attempt): Limits {
  const network = clientNetwork(clientAddress);
  const delays = { firstDelayMs: FIRST_DELAY_MS, maxDelayMs: MAX_DELAY_MS, forgetMs: FORGET_MS };
  return [
    { ...delays, name: `address:${hashSecret(`${email}\0${network}`)}`, free: FREE_FOR_ADDRESS },
    { ...delays, name: `network:${hashSecret(network)}`, free: FREE_FOR_NETWORK },
    ...(userId === undefined ? [] : [{ ...delays, name: `user:${userId}`, free: FREE_FOR_USER }]),
  ];
}
