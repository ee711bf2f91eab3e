import { z } from "zod";
import { restoredVersion, settingVersion } from "./setting-versions.ts";
import { flag, text } from "./text-field.ts";
import { description, ordered, policies, ratePerSecond, tags, types, url } from "./webhook-fields.ts";

const header = z
  .object({
    name: text("Name of the header.", "Authorization"),
    value_known: flag(
      "Whether the endpoint now has a value for this header at the URL of the version. A restoration keeps this value. It needs the value of any other header in `headers`.",
    ),
  })
  .meta({ id: "WebhookVersionHeader", description: "A header in a version. Versions have no values." });

export const webhookVersion = settingVersion
  .extend({
    content: z
      .object({
        url,
        description,
        types,
        tags,
        policies,
        ordered,
        rate_per_second: ratePerSecond.optional(),
        headers: z
          .array(header)
          .meta({ description: "Headers of every request in addition to Hermod's own." }),
      })
      .meta({ id: "WebhookContent", description: "Settings of an endpoint in a version." }),
  })
  .meta({
    id: "WebhookVersion",
    description:
      "A version of the settings of an endpoint. Secrets, values of headers, and whether the endpoint is enabled are not part of a version. `revision` differs from that of the endpoint.",
  });

export const webhookRestoration = z
  .strictObject({
    revision: z
      .int()
      .min(1)
      .meta({ description: "Revision of the endpoint that the change is based on.", examples: [3] }),
    version: restoredVersion,
    headers: z
      .array(
        z
          .strictObject({
            name: text("Name of a header of the version.", "Authorization"),
            value: text("Value of the header. It is never shown again.", "Bearer 0123456789"),
          })
          .meta({ id: "RestoredWebhookHeader", description: "Value of a header to restore." }),
      )
      .optional()
      .meta({
        description:
          "Values of headers of the version. Required for each header with `value_known` false. A value replaces the present one.",
      }),
  })
  .meta({ id: "WebhookRestoration", description: "Version of an endpoint to restore." });
