import { createUnsubscribeTokens, type UnsubscribeTokens } from "../message/unsubscribe/token.ts";
import type { Store } from "../store/store.ts";

/** The tokens of unsubscribe links, under the one secret that workers write them with and the core reads them with. */
export async function openUnsubscribeTokens(store: Pick<Store, "secrets">): Promise<UnsubscribeTokens> {
  return createUnsubscribeTokens(await store.secrets.getOrCreate("unsubscribe"));
}
