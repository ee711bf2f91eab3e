import { WebhookService } from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS, unaudited } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import {
  createCreateWebhook,
  createDeleteWebhook,
  createDisableWebhook,
  createEnableWebhook,
  createReplaceWebhook,
  createRotateWebhookSecret,
  type WebhookNeeds,
} from "./change-webhook.ts";
import { createGetWebhook, createListWebhooks } from "./list-webhooks.ts";
import { createSendTestEvent } from "./send-test-event.ts";

const READ = permitted("webhooks.read");
const WRITE = permitted("webhooks.write");

/** Endpoints to which an account's events are posted. */
export const webhooks = defineArea({
  service: WebhookService,
  callers: {
    listWebhooks: READ,
    getWebhook: READ,
    createWebhook: WRITE,
    replaceWebhook: WRITE,
    disableWebhook: WRITE,
    enableWebhook: WRITE,
    rotateWebhookSecret: WRITE,
    sendTestEvent: WRITE,
    deleteWebhook: WRITE,
  },
  audits: {
    listWebhooks: LOOKS,
    getWebhook: LOOKS,
    createWebhook: changes("webhook.create"),
    replaceWebhook: changes("webhook.replace", "id"),
    disableWebhook: changes("webhook.disable", "id"),
    enableWebhook: changes("webhook.enable", "id"),
    rotateWebhookSecret: changes("webhook.rotate", "id"),
    sendTestEvent: unaudited("it is in the list of deliveries"),
    deleteWebhook: changes("webhook.delete", "id"),
  },
  handlers: (needs: WebhookNeeds) => ({
    listWebhooks: createListWebhooks(needs),
    getWebhook: createGetWebhook(needs),
    createWebhook: createCreateWebhook(needs),
    replaceWebhook: createReplaceWebhook(needs),
    disableWebhook: createDisableWebhook(needs),
    enableWebhook: createEnableWebhook(needs),
    rotateWebhookSecret: createRotateWebhookSecret(needs),
    sendTestEvent: createSendTestEvent(needs),
    deleteWebhook: createDeleteWebhook(needs),
  }),
});
