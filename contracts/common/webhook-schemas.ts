import { z } from "zod";
import { accountId, moment } from "../dashboard/common.ts";
import { text } from "./text-field.ts";
import {
  algorithm,
  description,
  ordered,
  policies,
  ratePerSecond,
  tags,
  types,
  url,
} from "./webhook-fields.ts";

/** A webhook endpoint in responses. */

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
