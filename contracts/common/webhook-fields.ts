import { z } from "zod";
import { text } from "./text-field.ts";
import { webhookTypes } from "./webhook-types.ts";

/** Settings of a webhook endpoint. */

const URL_EXAMPLE = "https://shop.example.com/hooks/mail";
export const url = text("HTTPS URL to which events are posted, at most 2,048 characters.", URL_EXAMPLE);
export const description = text("Description for people, at most 200 characters.", "The shop's orders");
export const types = z.array(z.string()).meta({
  description: `Event types that the endpoint receives. Empty: all, including types that later releases add. Allowed values: ${webhookTypes.map((type) => `\`${type}\``).join(", ")}.`,
  examples: [["message.delivered", "message.bounced"]],
});
export const tags = z.array(z.string()).meta({
  description:
    "Only events of messages with one of these tags, at most 20. Empty: messages with any tags or none.",
});
export const policies = z.array(z.string()).meta({
  description:
    "Only events of messages with one of these routing policies, at most 20. Empty: messages with any policy.",
});
export const algorithm = z.enum(["hmac-sha256", "ed25519"]).meta({
  description:
    "Signature algorithm of the requests: a secret shared with the receiver (`hmac-sha256`, `v1`), or a key pair of which the receiver has the public key (`ed25519`, `v1a`). It cannot be changed.",
  examples: ["hmac-sha256"],
});
export const ordered = z.boolean().meta({
  description:
    "Whether the events of one message are sent one after another, in their order. While an event waits, the later events wait too.",
  examples: [false],
});

export const ratePerSecond = z
  .int()
  .min(1)
  .max(1_000)
  .meta({
    description:
      "Largest number of requests per second. Further deliveries wait. A change also applies to deliveries that already wait. Missing: no limit.",
    examples: [10],
  });

/**
 * Headers of the requests to an endpoint or an alert target.
 * @param id name of the schema of one header
 */
export const newHeaders = (id: string) =>
  z
    .array(
      z
        .strictObject({
          name: text("Name of the header.", "Authorization"),
          value: text(
            "Value of the header. It is never shown again. Missing in a replacement with the same URL: the stored value of this header stays.",
          ).optional(),
        })
        .meta({ id, description: "A header of every request." }),
    )
    .optional()
    .meta({ description: "Headers of every request in addition to Hermod's own, at most 20." });

/** Time for which a rotated secret of an endpoint or an alert target stays valid. */
export const overlapSeconds = z
  .int()
  .min(0)
  .max(604_800)
  .optional()
  .meta({
    description: "Seconds for which the former secret still signs. Default: 86,400 (one day).",
    examples: [86_400],
  });
