import { DeliveryService } from "../../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { prepareArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createListDeliveries } from "./list-deliveries.ts";
import { createReplays } from "./replays.ts";
import { createRetries } from "./retries.ts";
import { toDelivery } from "./to-delivery.ts";

type Needs = Pick<Dependencies, "store" | "clock">;

/** Deliveries to an account's webhook endpoints. */
export const deliveries = prepareArea(DeliveryService, partsOf, {
  listDeliveries: [permitted("webhooks.read"), READS, ({ listDeliveries }) => listDeliveries],
  listAllDeliveries: [permitted("webhooks.read"), READS, ({ listAllDeliveries }) => listAllDeliveries],
  listDeliveriesOfMessage: [
    permitted("webhooks.read"),
    READS,
    ({ listDeliveriesOfMessage }) => listDeliveriesOfMessage,
  ],
  /** @throws Fault account.unknown, webhook.delivery_unknown */
  getDelivery: [
    permitted("webhooks.read"),
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const found = await account.webhookDeliveries.find(request.id);
        if (!found) throw fault("webhook.delivery_unknown");
        return { delivery: toDelivery(found) };
      },
  ],
  /** @throws Fault account.unknown, webhook.delivery_unknown, webhook.delivery_waiting, webhook.delivery_dropped, webhook.disabled */
  replayDelivery: [
    permitted("webhooks.write"),
    changes("webhook.replay", "id"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const found = await account.webhookDeliveries.find(request.id);
        if (!found) throw fault("webhook.delivery_unknown");
        // A worker would end it again immediately.
        if ((await account.webhooks.find(found.endpointId))?.disabled) throw fault("webhook.disabled");
        const replayed = await account.webhookDeliveries.replay(request.id, clock.now(), audit);
        if (replayed) return { delivery: toDelivery(replayed) };
        throw fault(found.state === "dropped" ? "webhook.delivery_dropped" : "webhook.delivery_waiting");
      },
  ],
  retryDelivery: [
    permitted("webhooks.write"),
    changes("webhook.retry", "id"),
    ({ retryDelivery }) => retryDelivery,
  ],
  retryDeliveries: [
    permitted("webhooks.write"),
    changes("webhook.retry_many"),
    ({ retryDeliveries }) => retryDeliveries,
  ],
  countReplays: [permitted("webhooks.read"), READS, ({ countReplays }) => countReplays],
  beginReplays: [
    permitted("webhooks.write"),
    changes("webhook.replay_many"),
    ({ beginReplays }) => beginReplays,
  ],
});

function partsOf(needs: Needs) {
  return { ...needs, ...createListDeliveries(needs), ...createRetries(needs), ...createReplays(needs) };
}
