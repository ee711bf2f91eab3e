import { z } from "zod";
import { messageStates } from "./message-filter.ts";
import { engagement } from "./tracking.ts";

const messageId = z.string().meta({
  description: "Names this message in logs and webhooks.",
  examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"],
});

const traceId = z.string().meta({
  description: "Names the submission in logs and webhooks.",
  examples: ["sx_01k9z4c3r8h2v6y0n5t7w1x3q9"],
});

const moment = (description: string) => z.string().meta({ description, format: "date-time" });

const category = z.string().meta({
  description:
    "What the refusal is about: `invalid_mailbox`, `mailbox_full`, `policy`, `spam`, `rate_limit`, `auth`, `dns`, `tls`, `network` or `other`; missing: there is none.",
  examples: ["mailbox_full"],
});

/** A message, as who has sent it sees it; what it does not have is missing. */
export const email = z
  .object({
    message_id: messageId,
    sx_trace_id: traceId,
    status: z.string().meta({
      description: `${messageStates.map((state) => `\`${state}\``).join(", ")}; later versions may know more.`,
      examples: ["delivered"],
    }),
    created_at: moment("When the message was stored."),
    updated_at: moment("When it came into its status."),
    from: z.string().meta({ description: "Address of the sender.", examples: ["hello@example.com"] }),
    recipient: z
      .string()
      .meta({ description: "The one address that receives the message.", examples: ["ada@example.com"] }),
    subject: z.string().meta({ description: "Its subject.", examples: ["Your order has shipped"] }),
    routing_policy: z.string().meta({ description: "The policy by which it leaves.", examples: ["default"] }),
    attempts: z.int().meta({ description: "Attempts to deliver it, so far." }),
    tags: z.array(z.string()).meta({ description: "What it was tagged with." }),
    metadata: z.record(z.string(), z.string()).meta({ description: "What was said of it besides." }),
    key_id: z.string().meta({ description: "The key that it came with." }).optional(),
    source: z
      .string()
      .meta({
        description:
          "`http`, `smtp`, `grpc`, `dashboard`, `alert`, `report`, or `system` for what Hermod has made; later versions may know more.",
      })
      .optional(),
    template: z.string().meta({ description: "The template that it was made with." }).optional(),
    template_version: z.int().meta({ description: "Its version." }).optional(),
    category: category.optional(),
    scheduled_at: moment("When it was to be sent first; missing: at once.").optional(),
    next_attempt_at: moment("When the next attempt follows; missing: none does.").optional(),
    header_message_id: z.string().meta({ description: "Its Message-ID field." }),
    size_bytes: z.int().meta({ description: "Of the whole message, at most." }),
    opens: engagement("it was opened"),
    clicks: engagement("links in it were followed"),
  })
  .meta({ id: "Email", description: "One message to one recipient." });

const emailEvent = z
  .object({
    id: z.string().meta({ description: "The same however often it is told of." }),
    kind: z.string().meta({
      description:
        "The status that it led to, `accepted`, `quarantined`, `released`, `resent`, `opened`, `clicked` or `unsubscribed`.",
      examples: ["delivered"],
    }),
    at: moment("When."),
    attempt: z.int().meta({ description: "The attempt that it belongs to; 0: it came before any." }),
    via: z.string().meta({ description: "The way and the server." }).optional(),
    reply_code: z.int().meta({ description: "The server's reply." }).optional(),
    enhanced_status_code: z
      .string()
      .meta({ description: "RFC 3463.", examples: ["2.0.0"] })
      .optional(),
    detail: z.string().meta({ description: "What the server said, or what was wrong." }).optional(),
    category: category.optional(),
    next_attempt_at: moment("When the next attempt was to follow.").optional(),
    url: z.string().meta({ description: "Of a click: where the link leads." }).optional(),
    machine: z
      .boolean()
      .meta({ description: "An open or a click was made by a program and no person, as far as can be told." })
      .optional(),
    machine_reason: z
      .string()
      .meta({
        description:
          "How that is told: `apple_mail_privacy`, `prefetch`, `scanner`, `no_user_agent`, `before_delivery`, `too_early` or `many_links`.",
        examples: ["apple_mail_privacy"],
      })
      .optional(),
    proxy: z
      .string()
      .meta({
        description: "The proxy by which a mail provider fetches pictures for its users.",
        examples: ["gmail"],
      })
      .optional(),
    first: z
      .boolean()
      .meta({ description: "It is the first open, or click, of the message by a person." })
      .optional(),
    user_agent: z
      .string()
      .meta({ description: "What the client says of itself, where it is kept." })
      .optional(),
    client_address: z.string().meta({ description: "Its IP address, where it is kept." }).optional(),
  })
  .meta({
    id: "EmailEvent",
    description: "Something that happened to a message; what it does not have is missing.",
  });

export const emailWithTimeline = email
  .extend({
    timeline: z.array(emailEvent).meta({ description: "What happened to it, the earliest first." }),
  })
  .meta({ id: "EmailWithTimeline", description: "A message, and all that happened to it." });

export const emailPage = z
  .object({
    data: z.array(email),
    has_more: z.boolean().meta({ description: "Whether another page follows." }),
    next_cursor: z
      .string()
      .optional()
      .meta({ description: "Where the next page begins; missing on the last." }),
  })
  .meta({ id: "EmailPage", description: "One page of a list." });
