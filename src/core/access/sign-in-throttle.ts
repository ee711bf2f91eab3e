import { clientNetwork } from "../../shared/client-network.ts";
import { fault } from "../../shared/fault.ts";
import { hashSecret } from "../../shared/secrets.ts";
import { createThrottle, type Limit, type ThrottleOptions } from "./throttle.ts";

/** A sign-in attempt: the named address, and the address of the client. */
export interface Attempt {
  readonly email: string;
  /** IP address; empty: unknown. */
  readonly clientAddress: string;
  /** User of a code. Only a client that knows the password reaches this step, and there are few possible codes. */
  readonly userId?: string;
}

/**
 * Slows down guessing. An attacker cannot lock out a user, because the count always includes the attacker's network.
 */
export interface SignInThrottle {
  /**
   * Counts an attempt as failed before it is verified, so that parallel attempts are all counted.
   * @throws Fault auth.throttled with the time to wait
   */
  begin(attempt: Attempt): Promise<void>;
  /** Counts a challenge, which is stored for any client. @throws Fault auth.throttled */
  countChallenge(clientAddress: string): Promise<void>;
  /** Counts the costly evaluation of a new password for a user. @throws Fault auth.throttled */
  countNewPassword(attempt: Pick<Attempt, "email" | "clientAddress">): Promise<void>;
  /** The attempt was right: it is not counted, and the address's count from this network is reset. */
  succeeded(attempt: Attempt): Promise<void>;
}

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15 * 60_000;
/** The count is reset after this time without a failure. */
const FORGET_MS = 60 * 60_000;
const FREE_FOR_ADDRESS = 5;
/** Wrong codes from all networks: guessing a million codes needs a million networks. */
const FREE_FOR_USER = 20;
/** Pages request one each time they are opened. */
const FREE_CHALLENGES = 200;
/** Users try several passwords until one is accepted. */
const FREE_NEW_PASSWORDS = 10;
/** Many users can share one address. */
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
