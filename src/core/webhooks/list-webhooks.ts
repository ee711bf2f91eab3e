import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetWebhookRequest,
  GetWebhookResponseSchema,
  ListWebhooksRequest,
  ListWebhooksResponseSchema,
} from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toWebhook } from "./webhook-to-proto.ts";

export interface ReadNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}

/** Lists endpoints of one account in the order of their creation. */
export function createListWebhooks({ store }: ReadNeeds) {
  return async (
    request: ListWebhooksRequest,
  ): Promise<MessageInitShape<typeof ListWebhooksResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: async ({ webhooks, webhookDeliveries }, page) => {
        const [found, failingSince] = await Promise.all([
          webhooks.list(page),
          webhookDeliveries.failingSince(),
        ]);
        return found.map((endpoint) => ({ endpoint, failingSince: failingSince.get(endpoint._id) }));
      },
      cursorOf: ({ endpoint: { _id } }) => _id,
    });
    return {
      webhooks: entries.map(({ endpoint, failingSince }) => toWebhook(endpoint, failingSince)),
      nextPageToken,
    };
  };
}

/** @throws Fault account.unknown, webhook.unknown */
export function createGetWebhook({ store }: ReadNeeds) {
  return async (request: GetWebhookRequest): Promise<MessageInitShape<typeof GetWebhookResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const found = await account.webhooks.find(request.id);
    if (!found) throw fault("webhook.unknown");
    const queue = await account.webhookDeliveries.findQueue(request.id);
    return { webhook: toWebhook(found, queue?.failingSince) };
  };
}
