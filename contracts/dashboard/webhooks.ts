import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { ifRevision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import {
  algorithm,
  description,
  ordered,
  policies,
  ratePerSecond,
  tags,
  types,
  url,
} from "../common/webhook-fields.ts";
import { webhookStatistics, webhookTypeList } from "../common/webhook-statistics.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const settings = {
  url,
  description: description.optional(),
  types: types.optional(),
  tags: tags.optional(),
  policies: policies.optional(),
  ordered: ordered.optional(),
  rate_per_second: ratePerSecond.optional(),
  headers: z
    .array(
      z
        .strictObject({
          name: text("Name of the header.", "Authorization"),
          value: text(
            "Value of the header. It is never shown again. Missing in a replacement with the same URL: the stored value of this header stays.",
          ).optional(),
        })
        .meta({ id: "NewWebhookHeader", description: "A header of every request." }),
    )
    .optional()
    .meta({ description: "Headers of every request in addition to Hermod's own, at most 20." }),
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

export const webhook = z
  .object({
    id: text("Id of the endpoint.", "wep_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    url,
    description,
    types,
    tags,
    policies,
    ordered,
    rate_per_second: ratePerSecond.optional(),
    headers: z
      .array(
        z.object({ name: text("Name of the header.", "Authorization") }).meta({
          id: "WebhookHeader",
          description: "A header of every request. Its value is not shown.",
        }),
      )
      .meta({ description: "Headers of every request in addition to Hermod's own." }),
    version: text("Version of the payloads. It does not change for this endpoint.", "2026-11-01"),
    disabled: z
      .object({
        at: moment("Time since which the endpoint is disabled."),
        reason: text(
          "`owner`: a member disabled it; `gone`: it answered 410; `failing`: every delivery failed for five days.",
          "failing",
        ),
        detail: text("Details for people."),
      })
      .meta({
        id: "WebhookDisabled",
        description: "Reason why nothing is sent to the endpoint. Missing if it is enabled.",
      })
      .optional(),
    secrets: z
      .array(
        z
          .object({
            algorithm,
            public_key: text(
              "Public key to verify requests, for `ed25519` only.",
              "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
            ).optional(),
            created_at: moment("Time of creation."),
            expires_at: moment("Time until which the secret signs. Missing: until it is rotated.").optional(),
          })
          .meta({ id: "WebhookSecret", description: "Secret that signs requests. It is not shown." }),
      )
      .meta({ description: "Secrets, newest first. There are two during a rotation." }),
    created_at: moment("Time of creation."),
    updated_at: moment("Time of the last change."),
    revision: z.int().meta({ description: "Revision of the endpoint.", examples: [3] }),
    failing_since: moment(
      "Time since which all deliveries fail. Missing if the last delivery was accepted, or if nothing was sent yet.",
    ).optional(),
  })
  .meta({ id: "Webhook", description: "An endpoint that receives events of the account." });

export const webhookWithSecret = webhook
  .extend({
    secret: text(
      "Secret to verify requests. It is shown only once. For `ed25519`: the public key `whpk_…`, which can be read later too.",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwvKQ9r8GKYqo=",
    ),
  })
  .meta({ id: "WebhookWithSecret", description: "An endpoint with its new secret." });

const ownId = z.object({ endpoint_id: z.string().meta({ description: "Id of the endpoint." }) });

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
        overlap_seconds: z
          .int()
          .min(0)
          .max(604_800)
          .optional()
          .meta({
            description: "Seconds for which the former secret still signs. Default: 86,400 (one day).",
            examples: [86_400],
          }),
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
