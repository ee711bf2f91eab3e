import { DeliveryService } from "../../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { prepareArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import {
  type WebhookDeliveryDocument,
  type WebhookDeliveryState,
  webhookDeliveryStates,
} from "../../store/webhook-delivery-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf, pageStartOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createReplays } from "./replays.ts";
import { createRetries } from "./retries.ts";
import { toDelivery, toSummary } from "./to-delivery.ts";

type Needs = Pick<Dependencies, "store" | "clock">;

/** Deliveries to an account's webhook endpoints. */
export const deliveries = prepareArea(DeliveryService, partsOf, {
  /** @throws Fault account.unknown, request.validation_failed, webhook.unknown */
  listDeliveries: [
    permitted("webhooks.read"),
    READS,
    ({ store }) =>
      async (request) => {
        const { endpointId } = request;
        const account = await resolveAccount(store, request);
        if (!(await account.webhooks.find(endpointId))) throw fault("webhook.unknown");
        const limit = pageSizeOf(request.pageSize);
        const after = pageStartOf(request.pageToken, readCursor);
        const state = readState(request.state);
        const found = await account.webhookDeliveries.list({
          endpointId,
          limit: limit + 1,
          ...(state && { states: [state] }),
          ...(after && { after }),
        });
        const { entries, nextPageToken } = pageOf(found, limit, cursorOf);
        return { deliveries: entries.map(toSummary), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, message.unknown */
  listDeliveriesOfMessage: [
    permitted("webhooks.read"),
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        if (!(await account.messages.findById(request.messageId))) throw fault("message.unknown");
        const found = await account.webhookDeliveries.listOfMessage(request.messageId, MOST_OF_MESSAGE);
        return { deliveries: found.map(toSummary) };
      },
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
  return { ...needs, ...createRetries(needs), ...createReplays(needs) };
}

/** A message has a few events, and an account has a few endpoints. */
const MOST_OF_MESSAGE = 200;

/** @throws Fault request.validation_failed */
function readState(text: string): WebhookDeliveryState | undefined {
  const state = webhookDeliveryStates.find((one) => one === text);
  if (state || text === "") return state;
  const message = say("state_one_of", { allowed: webhookDeliveryStates });
  throw validationFault([{ pointer: "/state", code: "field.invalid", message }]);
}

const cursorOf = ({ at, _id }: Pick<WebhookDeliveryDocument, "at" | "_id">): string =>
  Buffer.from(`${at.getTime()} ${_id}`).toString("base64url");

function readCursor(token: string): Pick<WebhookDeliveryDocument, "at" | "_id"> | undefined {
  const [, time = "", _id = ""] =
    /^(\d{1,15}) (\S{1,200})$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  const position = { at: new Date(Number(time)), _id };
  return _id !== "" && cursorOf(position) === token ? position : undefined;
}
