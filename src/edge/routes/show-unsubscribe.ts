import type { CoreClient } from "../../rpc/client.ts";
import { confirmPage } from "../unsubscribe/pages.ts";

/** GET /u/:token: asks whether to unsubscribe, and does nothing of the kind. */
export function createShowUnsubscribe({ core }: { readonly core: Pick<CoreClient, "unsubscribes"> }) {
  return async ({ params: { token } }: { readonly params: { readonly token: string } }) => {
    await core.unsubscribes.checkToken({ token });
    return { status: 200 as const, body: confirmPage() };
  };
}
