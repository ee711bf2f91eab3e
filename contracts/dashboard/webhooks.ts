import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { ifRevision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import {
  differenceQuery,
  settingDifference,
  settingVersion,
  versionNumber,
} from "../common/setting-versions.ts";
import { text } from "../common/text-field.ts";
import {
  algorithm,
  description,
  newHeaders,
  ordered,
  overlapSeconds,
  policies,
  ratePerSecond,
  tags,
  types,
  url,
} from "../common/webhook-fields.ts";
import { webhook, webhookWithSecret } from "../common/webhook-schemas.ts";
import { webhookStatistics, webhookTypeList } from "../common/webhook-statistics.ts";
import { webhookRestoration, webhookVersion } from "../common/webhook-versions.ts";
import { moment, page, pageQuery } from "./common.ts";

const c = initContract();

const settings = {
  url,
  description: description.optional(),
  types: types.optional(),
  tags: tags.optional(),
  policies: policies.optional(),
  ordered: ordered.optional(),
  rate_per_second: ratePerSecond.optional(),
  headers: newHeaders("NewWebhookHeader"),
};

export const newWebhook = z
  .strictObject({ ...settings, algorithm: algorithm.optional() })
  .meta({ id: "NewWebhook", description: "An endpoint to create." });

const webhookReplacement = z
  .strictObject({
    ...settings,
    revision: z
      .int()
      .min(1)
      .meta({ description: "Revision that the change is based on.", examples: [3] }),
  })
  .meta({
    id: "WebhookReplacement",
    description: "Complete settings of an endpoint. Settings that are left out are removed.",
  });

const ownId = z.object({ endpoint_id: z.string().meta({ description: "Id of the endpoint." }) });
const ofVersion = ["webhook.unknown", "webhook.version_not_found", "request.validation_failed"] as const;

export const webhooks = c.router({
  listWebhooks: {
    method: "GET",
    path: "/api/webhooks",
    summary: "List webhook endpoints",
    description: "Lists endpoints in the order of their creation.",
    query: pageQuery,
    ...reading({
      access: "webhooks.read",
      faults: ["request.validation_failed"],
      success: { 200: page("WebhookList", webhook) },
    }),
  },
  getWebhook: {
    method: "GET",
    path: "/api/webhooks/:endpoint_id",
    pathParams: ownId,
    summary: "Get a webhook endpoint",
    description: "Returns an endpoint without its secrets and without the values of its headers.",
    ...reading({ access: "webhooks.read", faults: ["webhook.unknown"], success: { 200: webhook } }),
  },
  createWebhook: {
    method: "POST",
    path: "/api/webhooks",
    summary: "Create a webhook endpoint",
    description:
      "Creates an endpoint that receives events from then on. Only this response contains its secret.",
    body: newWebhook,
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.too_many", "auth.reauthentication_required"],
      success: { 201: webhookWithSecret },
    }),
  },
  replaceWebhook: {
    method: "PUT",
    path: "/api/webhooks/:endpoint_id",
    pathParams: ownId,
    summary: "Replace the settings of a webhook endpoint",
    description:
      "Replaces the settings. Pending deliveries are sent with the new settings. The secret stays.",
    body: webhookReplacement,
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.unknown", "webhook.stale", "auth.reauthentication_required"],
      success: { 200: webhook },
    }),
  },
  disableWebhook: {
    method: "POST",
    path: "/api/webhooks/:endpoint_id/disable",
    pathParams: ownId,
    summary: "Disable a webhook endpoint",
    description:
      "Disables an endpoint. Events that occur while it is disabled are never sent to it. Pending deliveries fail; they can be replayed.",
    body: c.noBody(),
    ...changing({ access: "webhooks.write", faults: ["webhook.unknown"], success: { 200: webhook } }),
  },
  enableWebhook: {
    method: "POST",
    path: "/api/webhooks/:endpoint_id/enable",
    pathParams: ownId,
    summary: "Enable a webhook endpoint",
    description: "Enables an endpoint. It receives events from then on.",
    body: c.noBody(),
    ...changing({ access: "webhooks.write", faults: ["webhook.unknown"], success: { 200: webhook } }),
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/api/webhooks/:endpoint_id/rotate",
    pathParams: ownId,
    summary: "Rotate the secret of a webhook endpoint",
    description:
      "Creates a new secret. Until the former secret expires, requests have the signatures of both. Only this response contains the new secret.",
    body: z
      .strictObject({
        overlap_seconds: overlapSeconds,
      })
      .meta({ id: "WebhookRotation", description: "Settings of a rotation." }),
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.unknown", "auth.reauthentication_required"],
      success: { 201: webhookWithSecret },
    }),
  },
  sendTestEvent: {
    method: "POST",
    path: "/api/webhooks/:endpoint_id/test",
    pathParams: ownId,
    summary: "Send a test event",
    description:
      "Sends an event to the endpoint like any other. The delivery has the result. The event has `test: true` and example data.",
    body: z
      .strictObject({
        type: text(
          "Event type, even if the endpoint does not receive events of this type. Missing: `webhook.test`.",
          "message.bounced",
        ).optional(),
      })
      .meta({ id: "NewWebhookTest", description: "Test event to send." }),
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.unknown", "webhook.disabled"],
      success: {
        202: z
          .object({ delivery_id: text("Id of the delivery.") })
          .meta({ id: "WebhookTest", description: "A test event that is being sent." }),
      },
    }),
  },
  listWebhookTypes: {
    method: "GET",
    path: "/api/webhook-types",
    summary: "List event types",
    description: "Lists all event types, with the JSON Schema and an example of their payloads.",
    ...reading({ access: "webhooks.read", faults: [], success: { 200: webhookTypeList } }),
  },
  getWebhookStatistics: {
    method: "GET",
    path: "/api/webhooks/:endpoint_id/statistics",
    pathParams: ownId,
    summary: "Get the statistics of a webhook endpoint",
    description:
      "Counts the requests to an endpoint over time, and measures their durations. Counters of minutes are kept for two days, counters of hours for 90 days, and counters of days for two years. Days begin at 00:00 UTC.",
    query: z.strictObject({
      from: moment("Start of the time range, inclusive. Missing: one day before `until`.").optional(),
      until: moment("End of the time range, exclusive. Missing: now.").optional(),
      step: z.enum(["minute", "hour", "day"]).optional().meta({
        description:
          "Length of a point. Missing: chosen by the length of the time range. The result has at most 1,500 points.",
      }),
    }),
    ...reading({
      access: "webhooks.read",
      faults: ["request.validation_failed", "webhook.unknown"],
      success: { 200: webhookStatistics },
    }),
  },
  listWebhookVersions: {
    method: "GET",
    path: "/api/webhooks/:endpoint_id/versions",
    pathParams: ownId,
    summary: "List the versions of a webhook endpoint",
    description:
      "Lists the versions of the settings of an endpoint without their content, newest first. Each change of the settings stores one, and Hermod keeps the newest 100. The newest one is the present state.",
    query: pageQuery,
    ...reading({
      access: "webhooks.read",
      faults: ["webhook.unknown", "request.validation_failed"],
      success: { 200: page("WebhookVersionList", settingVersion) },
    }),
  },
  getWebhookVersion: {
    method: "GET",
    path: "/api/webhooks/:endpoint_id/versions/:version",
    pathParams: ownId.extend({ version: versionNumber }),
    summary: "Get a version of a webhook endpoint",
    description: "Returns a version with its settings, without the values of headers.",
    ...reading({
      access: "webhooks.read",
      faults: ofVersion,
      success: { 200: webhookVersion },
    }),
  },
  compareWebhookVersions: {
    method: "GET",
    path: "/api/webhooks/:endpoint_id/diff",
    pathParams: ownId,
    summary: "Compare two versions of a webhook endpoint",
    description:
      "Compares two versions, field by field. A changed value of a header is reported without its values.",
    query: differenceQuery,
    ...reading({
      access: "webhooks.read",
      faults: ofVersion,
      success: { 200: settingDifference },
    }),
  },
  restoreWebhook: {
    method: "POST",
    path: "/api/webhooks/:endpoint_id/restore",
    pathParams: ownId,
    summary: "Restore a version of a webhook endpoint",
    description:
      "Stores the settings of an earlier version, under the rules of a replacement. The secret stays, and so does whether the endpoint is enabled. A header of the version keeps the value that the endpoint has for it now at the same URL. If there is none and `headers` does not have it, the response is 422 `request.validation_failed`, and nothing is changed. Nothing is changed either if the settings equal the present ones.",
    body: webhookRestoration,
    ...changing({
      access: "webhooks.write",
      faults: [...ofVersion, "webhook.stale", "auth.reauthentication_required"],
      success: { 200: webhook },
    }),
  },
  deleteWebhook: {
    method: "DELETE",
    path: "/api/webhooks/:endpoint_id",
    query: removalQuery.extend({ if_revision: ifRevision }),
    pathParams: ownId,
    summary: "Delete a webhook endpoint",
    description: "Deletes an endpoint. Pending deliveries are never sent.",
    body: c.noBody(),
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.unknown", "webhook.stale", "resource.in_use", "auth.reauthentication_required"],
      success: { 200: forcedRemoval, 204: c.noBody() },
    }),
  },
});
