import { clientNetwork } from "../../shared/client-network.ts";
import { fault } from "../../shared/fault.ts";
import { hashSecret } from "../../shared/secrets.ts";
import { createThrottle, type Limit, type ThrottleOptions } from "./throttle.ts";

/** Limits mail that clients can cause to arbitrary addresses. */
export interface MailThrottle {
  /**
   * Whether another requested mail may be sent to an address. The client does not learn the result: the last link is
   * still valid, because links are valid for longer than the longest delay.
   */
  mayReach(email: string): Promise<boolean>;
  /** @throws Fault mail.throttled if this client has requested too many mails to other people */
  countClient(clientAddress: string): Promise<void>;
  /** @throws Fault mail.throttled if this account has requested too many mails, or too many to this address */
  countAccount(accountId: string, email: string): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Links are valid for at least 30 minutes. */
const MAX_DELAY_MS = 15 * MINUTE_MS;

const delays = { firstDelayMs: MINUTE_MS, maxDelayMs: MAX_DELAY_MS, forgetMs: 24 * HOUR_MS };
const ofAddress = (email: string): Limit => ({ ...delays, name: `mail-to:${hashSecret(email)}`, free: 3 });
const ofNetwork = (address: string): Limit => ({
  ...delays,
  forgetMs: HOUR_MS,
  name: `mail-by:${hashSecret(clientNetwork(address))}`,
  free: 20,
});
const ofAccount = (accountId: string): Limit => ({
  ...delays,
  forgetMs: HOUR_MS,
  name: `mail-of:${accountId}`,
  free: 50,
});

export function createMailThrottle(options: ThrottleOptions): MailThrottle {
  const throttle = createThrottle(options);

  /** @throws Fault mail.throttled */
  async function count(limit: Limit): Promise<void> {
    const waitMs = await throttle.count(limit);
    if (waitMs > 0) throw fault("mail.throttled", { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }

  return {
    mayReach: async (email) => (await throttle.count(ofAddress(email))) === 0,
    countClient: (clientAddress) => count(ofNetwork(clientAddress)),
    countAccount: async (accountId, email) => {
      await count(ofAccount(accountId));
      await count(ofAddress(email));
    },
  };
}
