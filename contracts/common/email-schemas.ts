import { z } from "zod";
import { messageStates } from "./message-filter.ts";
import { engagement } from "./tracking.ts";

const messageId = z.string().meta({
  description: "Id of the message, used in logs and webhooks.",
  examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"],
});

const traceId = z.string().meta({
  description: "Id of the submission, used in logs and webhooks.",
  examples: ["sx_01k9z4c3r8h2v6y0n5t7w1x3q9"],
});

const moment = (description: string) => z.string().meta({ description, format: "date-time" });

const category = z.string().meta({
  description:
    "Category of the rejection: `invalid_mailbox`, `mailbox_full`, `policy`, `spam`, `rate_limit`, `auth`, `dns`, `tls`, `network` or `other`. Missing if there was no rejection.",
  examples: ["mailbox_full"],
});

/** A message as its sender sees it. Fields without a value are missing. */
export const email = z
  .object({
    message_id: messageId,
    sx_trace_id: traceId,
    status: z.string().meta({
      description: `Status: ${messageStates.map((state) => `\`${state}\``).join(", ")}. Later versions may add values.`,
      examples: ["delivered"],
    }),
    created_at: moment("Time at which the message was stored."),
    updated_at: moment("Time of the last change of status."),
    from: z.string().meta({ description: "Address of the sender.", examples: ["hello@example.com"] }),
    recipient: z
      .string()
      .meta({ description: "Address that receives the message.", examples: ["ada@example.com"] }),
    subject: z.string().meta({ description: "Subject.", examples: ["Your order has shipped"] }),
    routing_policy: z.string().meta({ description: "Name of the routing policy.", examples: ["default"] }),
    attempts: z.int().meta({ description: "Number of delivery attempts so far." }),
    tags: z.array(z.string()).meta({ description: "Tags." }),
    metadata: z.record(z.string(), z.string()).meta({ description: "Metadata given at submission." }),
    key_id: z.string().meta({ description: "Id of the key that submitted the message." }).optional(),
    source: z
      .string()
      .meta({
        description:
          "Source of the message: `http`, `smtp`, `grpc`, `dashboard`, `alert`, `report`, or `system` for messages that Hermod created. Later versions may add values.",
      })
      .optional(),
    template: z.string().meta({ description: "Name of the template." }).optional(),
    template_version: z.int().meta({ description: "Version of the template." }).optional(),
    category: category.optional(),
    scheduled_at: moment("Earliest time of delivery. Missing if the message is sent at once.").optional(),
    next_attempt_at: moment("Time of the next attempt. Missing if no attempt is planned.").optional(),
    header_message_id: z.string().meta({ description: "Message-ID header field." }),
    size_bytes: z.int().meta({ description: "Upper bound of the size of the whole message, in bytes." }),
    opens: engagement("the message was opened"),
    clicks: engagement("a link in the message was followed"),
  })
  .meta({ id: "Email", description: "Message to one recipient." });

const emailEvent = z
  .object({
    id: z.string().meta({ description: "Id of the event. The same in every response." }),
    kind: z.string().meta({
      description:
        "Status that the event led to, or `accepted`, `quarantined`, `released`, `resent`, `opened`, `clicked` or `unsubscribed`.",
      examples: ["delivered"],
    }),
    at: moment("Time of the event."),
    attempt: z
      .int()
      .meta({ description: "Number of the attempt. 0 if the event occurred before the first attempt." }),
    via: z.string().meta({ description: "Transport and server." }).optional(),
    reply_code: z.int().meta({ description: "Reply code of the server." }).optional(),
    enhanced_status_code: z
      .string()
      .meta({ description: "Enhanced status code (RFC 3463).", examples: ["2.0.0"] })
      .optional(),
    detail: z
      .string()
      .meta({ description: "Reply of the server, or a description of the error." })
      .optional(),
    category: category.optional(),
    next_attempt_at: moment("Time planned for the next attempt.").optional(),
    url: z.string().meta({ description: "Target of the link that was clicked." }).optional(),
    machine: z
      .boolean()
      .meta({ description: "`true` if a program, not a person, probably caused the open or click." })
      .optional(),
    machine_reason: z
      .string()
      .meta({
        description:
          "Reason for `machine`: `apple_mail_privacy`, `prefetch`, `scanner`, `no_user_agent`, `before_delivery`, `too_early` or `many_links`.",
        examples: ["apple_mail_privacy"],
      })
      .optional(),
    proxy: z
      .string()
      .meta({
        description: "Image proxy of the mail provider.",
        examples: ["gmail"],
      })
      .optional(),
    first: z
      .boolean()
      .meta({ description: "`true` for the first open, or click, of the message by a person." })
      .optional(),
    user_agent: z
      .string()
      .meta({ description: "User-Agent header of the client. Missing if it is not stored." })
      .optional(),
    client_address: z
      .string()
      .meta({ description: "IP address of the client. Missing if it is not stored." })
      .optional(),
  })
  .meta({
    id: "EmailEvent",
    description: "Event of a message. Fields without a value are missing.",
  });

export const emailWithTimeline = email
  .extend({
    timeline: z.array(emailEvent).meta({ description: "Events of the message, earliest first." }),
  })
  .meta({ id: "EmailWithTimeline", description: "Message with its events." });

export const emailPage = z
  .object({
    data: z.array(email),
    has_more: z.boolean().meta({ description: "`true` if another page follows." }),
    next_cursor: z
      .string()
      .optional()
      .meta({ description: "Cursor of the next page. Missing on the last page." }),
  })
  .meta({ id: "EmailPage", description: "Page of a list." });
