import type { WebhookEndpointDocument } from "../../store/webhook-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Letter } from "../system-mail/letter.ts";

/** Of an account so many are told. */
const MOST_OWNERS = 20;
const MAX_URL_SHOWN = 200;

/**
 * Tells the owners of accounts by mail that an endpoint is sent nothing more, once: who is not told because the process ends just then
 * sees it all the same where endpoints are listed.
 */
export function createTellOwners({ store, systemMail }: Pick<Dependencies, "store" | "systemMail">) {
  return async (): Promise<void> => {
    for (;;) {
      const endpoint = await store.acrossAccounts.webhooks.takeUntold();
      if (!endpoint) return;
      const members = await store.forAccount(endpoint.accountId).members.list({ limit: 1_000 });
      const owners = members.filter(({ role }) => role === "owner").slice(0, MOST_OWNERS);
      for (const { userId } of owners) {
        const user = await store.users.findById(userId);
        if (user) await systemMail.tell(user.email, letterAbout(endpoint));
      }
    }
  };
}

function letterAbout({
  _id,
  url,
  disabled,
}: Pick<WebhookEndpointDocument, "_id" | "url" | "disabled">): Letter {
  const shown = url.length > MAX_URL_SHOWN ? `${url.slice(0, MAX_URL_SHOWN)}…` : url;
  const why =
    disabled?.reason === "gone" ? "It has answered 410 (gone)." : "For five days it has taken nothing.";
  return {
    subject: "A webhook endpoint is disabled",
    paragraphs: [
      `Events are no longer posted to ${shown} (${_id}). ${why}`,
      "What waited for it has failed, and what happens meanwhile is not sent to it.",
    ],
    closing: ["Once the endpoint hears again, enable it: what has failed can be replayed."],
  };
}
