import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { ifRevision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { webhookTypes } from "../common/webhook-types.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const URL_EXAMPLE = "https://shop.example.com/hooks/mail";
const url = text("Where events are posted: HTTPS, 2,048 characters at most.", URL_EXAMPLE);
const description = text("For people, 200 characters at most.", "The shop's orders");
const types = z.array(z.string()).meta({
  description: `What it hears of; empty: everything, what later releases tell of too. There are: ${webhookTypes.map((type) => `\`${type}\``).join(", ")}.`,
  examples: [["message.delivered", "message.bounced"]],
});
const tags = z.array(z.string()).meta({
  description:
    "Only what happens to messages that have one of these tags; empty: whatever theirs. 20 at most.",
});
const policies = z.array(z.string()).meta({
  description:
    "Only what happens to messages of one of these routing policies; empty: whatever theirs. 20 at most.",
});
const algorithm = z.enum(["hmac-sha256", "ed25519"]).meta({
  description:
    "How requests are signed: by a secret that the receiver has too (`v1`), or by a key whose public half it has (`v1a`). It stays.",
  examples: ["hmac-sha256"],
});
const ordered = z.boolean().meta({
  description:
    "The events of one message are sent one after the other, in their order: what one waits for, those behind it wait for too.",
  examples: [false],
});

const settings = {
  url,
  description: description.optional(),
  types: types.optional(),
  tags: tags.optional(),
  policies: policies.optional(),
  ordered: ordered.optional(),
  headers: z
    .array(
      z
        .strictObject({
          name: text("Its name.", "Authorization"),
          value: text(
            "Never shown again. Missing in a replacement that leaves the URL as it is: what the header of this name has.",
          ).optional(),
        })
        .meta({ id: "NewWebhookHeader", description: "A header of every request." }),
    )
    .optional()
    .meta({ description: "Sent with every request besides Hermod's own. 20 at most." }),
};

export const newWebhook = z
  .strictObject({ ...settings, algorithm: algorithm.optional() })
  .meta({ id: "NewWebhook", description: "An endpoint that is to be made." });

const webhookReplacement = z
  .strictObject({
    ...settings,
    revision: z
      .int()
      .min(1)
      .meta({ description: "Of the state that the change is based on.", examples: [3] }),
  })
  .meta({
    id: "WebhookReplacement",
    description: "The settings of an endpoint as a whole: what is left out is gone.",
  });

export const webhook = z
  .object({
    id: text("Names the endpoint.", "wep_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    url,
    description,
    types,
    tags,
    policies,
    ordered,
    headers: z
      .array(
        z.object({ name: text("Its name.", "Authorization") }).meta({
          id: "WebhookHeader",
          description: "A header of every request; what it says is not shown.",
        }),
      )
      .meta({ description: "Sent with every request besides Hermod's own." }),
    version: text("The version of the payloads, which stays as it is for this endpoint.", "2026-11-01"),
    disabled: z
      .object({
        at: moment("Since when."),
        reason: text(
          "`owner`: somebody of the account wanted it; `gone`: it has answered 410; `failing`: for five days nothing was taken.",
          "failing",
        ),
        detail: text("For people."),
      })
      .meta({ id: "WebhookDisabled", description: "That nothing is sent to an endpoint." })
      .optional(),
    secrets: z
      .array(
        z
          .object({
            algorithm,
            public_key: text(
              "Of `ed25519`: what requests are verified with.",
              "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
            ).optional(),
            created_at: moment("When it was made."),
            expires_at: moment("It signs until then; missing: until it is rotated.").optional(),
          })
          .meta({ id: "WebhookSecret", description: "What requests are signed with. It is not shown." }),
      )
      .meta({ description: "The youngest first: two while a rotation lasts." }),
    created_at: moment("When it was made."),
    updated_at: moment("When it was changed last."),
    revision: z.int().meta({ description: "Names this state of it.", examples: [3] }),
    failing_since: moment(
      "Since when nothing that was sent there was taken; missing: the last was, or nothing was sent. Lists leave it out.",
    ).optional(),
  })
  .meta({ id: "Webhook", description: "An endpoint to which an account's events are posted." });

export const webhookWithSecret = webhook
  .extend({
    secret: text(
      "What its requests are verified with: shown here and never again. Of `ed25519` the public key, `whpk_…`, which stays to be seen.",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwvKQ9r8GKYqo=",
    ),
  })
  .meta({ id: "WebhookWithSecret", description: "An endpoint, with its new secret." });

const ownId = z.object({ endpoint_id: z.string().meta({ description: "The endpoint's `id`." }) });

export const webhooks = c.router({
  listWebhooks: {
    method: "GET",
    path: "/api/webhooks",
    summary: "List webhook endpoints",
    description: "In the order in which they were made.",
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
    summary: "See a webhook endpoint",
    description: "Without its secrets, and without what its headers say.",
    ...reading({ access: "webhooks.read", faults: ["webhook.unknown"], success: { 200: webhook } }),
  },
  createWebhook: {
    method: "POST",
    path: "/api/webhooks",
    summary: "Make a webhook endpoint",
    description: "It hears of what happens from then on. The answer alone has its secret.",
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
    description: "What waits for it is sent as it is set up then. Its secret stays.",
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
    description: "What happens meanwhile is never sent to it, and what waits has failed; it can be replayed.",
    body: c.noBody(),
    ...changing({ access: "webhooks.write", faults: ["webhook.unknown"], success: { 200: webhook } }),
  },
  enableWebhook: {
    method: "POST",
    path: "/api/webhooks/:endpoint_id/enable",
    pathParams: ownId,
    summary: "Enable a webhook endpoint",
    description: "It hears of what happens from then on.",
    body: c.noBody(),
    ...changing({ access: "webhooks.write", faults: ["webhook.unknown"], success: { 200: webhook } }),
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/api/webhooks/:endpoint_id/rotate",
    pathParams: ownId,
    summary: "Make a new secret for a webhook endpoint",
    description:
      "Until the former one expires requests have the signatures of both. The answer alone has the new one.",
    body: z
      .strictObject({
        overlap_seconds: z
          .int()
          .min(0)
          .max(604_800)
          .optional()
          .meta({ description: "How long the former secret signs besides (a day).", examples: [86_400] }),
      })
      .meta({ id: "WebhookRotation", description: "How a secret is replaced." }),
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
      "Has an event sent to the endpoint, as any other: its delivery says what came of it. It is marked with `test: true`, and made of examples.",
    body: z
      .strictObject({
        type: text(
          "Which event, whether the endpoint hears of its like or not; missing: `webhook.test`.",
          "message.bounced",
        ).optional(),
      })
      .meta({ id: "NewWebhookTest", description: "What is to be sent." }),
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.unknown", "webhook.disabled"],
      success: {
        202: z
          .object({ delivery_id: text("The delivery, which can be looked at.") })
          .meta({ id: "WebhookTest", description: "A test event on its way." }),
      },
    }),
  },
  deleteWebhook: {
    method: "DELETE",
    path: "/api/webhooks/:endpoint_id",
    query: removalQuery.extend({ if_revision: ifRevision }),
    pathParams: ownId,
    summary: "Remove a webhook endpoint",
    description: "What waits for it is never sent.",
    body: c.noBody(),
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.unknown", "webhook.stale", "resource.in_use", "auth.reauthentication_required"],
      success: { 200: forcedRemoval, 204: c.noBody() },
    }),
  },
});
