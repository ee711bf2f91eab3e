// A token contains the suppressed policy and recipient instead of the id of a message: it works after the message's
// record has expired.

import { createSealedFields } from "../sealed-fields.ts";

/** The mail that a link stops. */
export interface Subscription {
  readonly accountId: string;
  readonly policy: string;
  readonly recipient: string;
  /** The message that carried the link. */
  readonly messageId: string;
}

export interface UnsubscribeTokens {
  /** URL-safe, about 150 characters; the same subscription gives the same token. */
  encode(subscription: Subscription): string;
  /** undefined for a token that was not created with this secret. */
  decode(token: string): Subscription | undefined;
}

/** Valid as long as the secret, even after their message was removed. */
export function createUnsubscribeTokens(secret: Buffer): UnsubscribeTokens {
  const sealed = createSealedFields(secret, "unsubscribe");
  return {
    encode: ({ accountId, policy, messageId, recipient }) =>
      sealed.encode([accountId, policy, messageId, recipient]),
    decode(token) {
      const [accountId, policy, messageId, recipient] = sealed.decode(token) ?? [];
      if (!accountId || !policy || !messageId || !recipient) return undefined;
      return { accountId, policy, messageId, recipient };
    },
  };
}
