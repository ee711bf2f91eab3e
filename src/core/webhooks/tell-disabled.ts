import type { WebhookEndpointDocument } from "../../store/webhook-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Letter } from "../system-mail/letter.ts";
import { createTellOwners } from "../system-mail/tell-owners.ts";

const MAX_URL_SHOWN = 200;

/**
 * Notifies the owners of accounts by mail, once, that an endpoint was disabled. If the process ends before, the list
 * of endpoints still shows it.
 */
export function createTellDisabled(needs: Pick<Dependencies, "store" | "systemMail">) {
  const tellOwners = createTellOwners(needs);
  return async (): Promise<void> => {
    for (;;) {
      const endpoint = await needs.store.acrossAccounts.webhooks.takeUntold();
      if (!endpoint) return;
      await tellOwners(endpoint.accountId, letterAbout(endpoint));
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
