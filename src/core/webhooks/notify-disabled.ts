import type { WebhookEndpointDocument } from "../../store/webhook-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Letter } from "../system-mail/letter.ts";
import { createNotifyOwners } from "../system-mail/notify-owners.ts";

const MAX_URL_SHOWN = 200;

/**
 * Notifies the owners of accounts by mail, once, that an endpoint was disabled. If the process ends before, the list
 * of endpoints still shows it.
 */
export function createNotifyDisabled(needs: Pick<Dependencies, "store" | "systemMail">) {
  const notifyOwners = createNotifyOwners(needs);
  return async (): Promise<void> => {
    for (;;) {
      const endpoint = await needs.store.acrossAccounts.webhooks.takeUntold();
      if (!endpoint) return;
      await notifyOwners(endpoint.accountId, letterAbout(endpoint));
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
    disabled?.reason === "gone" ? "It answered 410 (gone)." : "All deliveries to it failed for five days.";
  return {
    subject: "A webhook endpoint is disabled",
    paragraphs: [
      `Hermod disabled the webhook endpoint ${shown} (${_id}). ${why}`,
      "Its waiting deliveries failed. It receives no events while it is disabled.",
    ],
    closing: ["When the endpoint works again, enable it. You can then replay the failed deliveries."],
  };
}
