import { WebhookService } from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS, unaudited } from "../../rpc/audits.ts";
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
import { createGetWebhookStatistics } from "./get-webhook-statistics.ts";
import { createListWebhookTypes } from "./list-webhook-types.ts";
import { createGetWebhook, createListWebhooks } from "./list-webhooks.ts";
import { createSendTestEvent } from "./send-test-event.ts";
import {
  createCompareWebhookVersions,
  createGetWebhookVersion,
  createListWebhookVersions,
  createRestoreWebhook,
} from "./webhook-versions.ts";

const READ = permitted("webhooks.read");
const WRITE = permitted("webhooks.write");

/** Endpoints to which an account's events are posted. */
export const webhooks: Area<WebhookNeeds> = defineArea(WebhookService, {
  listWebhooks: [READ, READS, createListWebhooks],
  getWebhook: [READ, READS, createGetWebhook],
  createWebhook: [WRITE, changes("webhook.create"), createCreateWebhook],
  replaceWebhook: [WRITE, changes("webhook.replace", "id"), createReplaceWebhook],
  disableWebhook: [WRITE, changes("webhook.disable", "id"), createDisableWebhook],
  enableWebhook: [WRITE, changes("webhook.enable", "id"), createEnableWebhook],
  rotateWebhookSecret: [WRITE, changes("webhook.rotate", "id"), createRotateWebhookSecret],
  sendTestEvent: [WRITE, unaudited("it is in the list of deliveries"), createSendTestEvent],
  listWebhookTypes: [READ, READS, createListWebhookTypes],
  getWebhookStatistics: [READ, READS, createGetWebhookStatistics],
  listWebhookVersions: [READ, READS, createListWebhookVersions],
  getWebhookVersion: [READ, READS, createGetWebhookVersion],
  compareWebhookVersions: [READ, READS, createCompareWebhookVersions],
  restoreWebhook: [WRITE, changes("webhook.restore", "id"), createRestoreWebhook],
  deleteWebhook: [WRITE, changes("webhook.delete", "id"), createDeleteWebhook],
});
