import type { CoreClient } from "../../rpc/client.ts";
import { donePage } from "../unsubscribe/pages.ts";

/** POST /u/:token: one click in a mail program (RFC 8058), or the button of the page. */
export function createUnsubscribe({ core }: { readonly core: Pick<CoreClient, "unsubscribes"> }) {
  return async ({ params: { token } }: { readonly params: { readonly token: string } }) => {
    await core.unsubscribes.unsubscribe({ token });
    return { status: 200 as const, body: donePage() };
  };
}
