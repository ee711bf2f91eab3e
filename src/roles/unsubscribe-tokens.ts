import { createUnsubscribeTokens, type UnsubscribeTokens } from "../message/unsubscribe/token.ts";
import type { Store } from "../store/store.ts";

/** Tokens of unsubscribe links, under the shared secret of workers and the core. */
export async function openUnsubscribeTokens(store: Pick<Store, "secrets">): Promise<UnsubscribeTokens> {
  return createUnsubscribeTokens(await store.secrets.getOrCreate("unsubscribe"));
}
