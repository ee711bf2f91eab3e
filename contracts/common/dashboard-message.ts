import { z } from "zod";
import { accountId, moment } from "../dashboard/common.ts";
import { messageStates } from "./message-filter.ts";
import { text } from "./text-field.ts";
import { partsOf } from "./text-part.ts";
import { engagement } from "./tracking.ts";

const stateText = `State: ${messageStates.map((state) => `\`${state}\``).join(", ")}. Later versions may add values.`;

export const message = z
  .object({
    id: text("Id of the message.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    trace_id: text("Id of the submission (`sx_trace_id`).", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    state: text(stateText, "delivered"),
    from: text("Address of the sender.", "hello@example.com"),
    recipient: text("Address of the recipient.", "ada@example.com"),
    subject: text("Subject.", "Your order has shipped"),
    routing_policy: text("Name of the routing policy.", "default"),
    attempts: z.int().meta({ description: "Number of delivery attempts so far." }),
    created_at: moment("Time at which the message was accepted."),
    updated_at: moment("Time of the last change of state."),
    next_attempt_at: moment("Time of the next attempt. Missing if no attempt is planned.").optional(),
    send_at: moment("Earliest time of delivery. Missing if the message is sent at once.").optional(),
    header_message_id: text("Message-ID header field.", "<msg_01k9z4c3r8h2v6y0n5t7w1x3q9@example.com>"),
    tags: z.array(z.string()).meta({ description: "Tags." }),
    metadata: z.record(z.string(), z.string()).meta({ description: "Metadata given at submission." }),
    template: text("Name of the template. Empty if no template was used.", "welcome"),
    template_version: z.int().meta({ description: "Version of the template. 0 if no template was used." }),
    key_id: text("Id of the key that submitted the message. Empty if no key was used."),
    source: text(
      "Source of the message: `http`, `smtp`, `grpc`, `dashboard`, `alert`, `report`, or `system` for messages that Hermod created. Empty if an early release stored the message. Later versions may add values.",
      "http",
    ),
    category: text(
      "Category of the last rejection: `invalid_mailbox`, `mailbox_full`, `policy`, `spam`, `rate_limit`, `auth`, `dns`, `tls`, `network` or `other`. Empty if the message was not rejected, or was accepted later.",
    ),
    size_bytes: z.int().meta({ description: "Upper bound of the size of the whole message, in bytes." }),
    resent_from: text("Id of the message that this one repeats. Empty if it repeats none."),
    incident_id: text(
      "Id of the incident that the message reports. Empty if it reports none, or several (a digest).",
      "inc_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ),
    opens: engagement("the message was opened"),
    clicks: engagement("a link in the message was followed"),
    last_reply: z
      .object({
        code: z
          .int()
          .meta({ description: "Reply code of the server. 0 if no server answered.", examples: [550] }),
        enhanced_status_code: text(
          "Enhanced status code (RFC 3463). Empty if the server gave none.",
          "5.1.1",
        ),
        text: text(
          "First 200 characters of the reply or of the error. The timeline has the whole text.",
          "User unknown",
        ),
      })
      .optional()
      .meta({
        description:
          "Reply that led to the state. The list, the export and the message itself include it. Missing if no attempt was made.",
      }),
  })
  .meta({ id: "Message", description: "Message to one recipient." });

export const messageEvent = z
  .object({
    id: text("Id of the event. The same in every response."),
    kind: text(
      "State that the event led to, or `accepted`, `quarantined`, `released`, `resent`, `opened`, `clicked`, `unsubscribed`, or `held` while a hold keeps the message in the queue.",
      "delivered",
    ),
    at: moment("Time of the event."),
    attempt: z
      .int()
      .meta({ description: "Number of the attempt. 0 if the event occurred before the first attempt." }),
    via: text("Transport and server.", "smtp relay.example.com:587"),
    reply_code: z
      .int()
      .meta({ description: "Reply code of the server. 0 if there was no reply.", examples: [250] }),
    enhanced_status_code: text("Enhanced status code (RFC 3463). Empty if the server gave none.", "2.0.0"),
    detail: text("Reply of the server, or a description of the error."),
    detail_parts: partsOf("detail"),
    next_attempt_at: moment("Time planned for the next attempt.").optional(),
    category: text(
      "Category of the rejection, as in `category` of the message. Empty if nothing was rejected.",
    ),
    next_attempt_reason: text(
      "Reason for the time of the next attempt. `schedule`: the retry schedule of the policy; `server`: the server asked for a longer wait.",
      "schedule",
    ),
    duration_ms: z.int().meta({
      description: "Total time that the servers took, in milliseconds. 0 if no server was contacted.",
    }),
    tls: text(
      "TLS version and cipher suite. Empty if the connection had no TLS.",
      "TLSv1.3 TLS_AES_256_GCM_SHA384",
    ),
    conversation: text(
      "SMTP transcript of the attempt, line by line. `> ` marks lines from Hermod, `< ` lines from a server, `* ` other events. It contains no credentials and no message content, and has about 4,000 characters at most.",
      "* direct mx.example.org[192.0.2.25]:25\n< 220 mx.example.org ESMTP\n> EHLO mail.example.com\n< 250 mx.example.org",
    ),
    suppression_id: text(
      "Id of the suppression entry that prevented the delivery. The entry may have been removed since. Empty if there is none.",
    ),
    url: text("Target of the link that was clicked. Empty for other events."),
    machine_reason: text(
      "Reason why a program is taken to be the cause of an open or click: `apple_mail_privacy`, `prefetch`, `scanner`, `no_user_agent`, `before_delivery`, `too_early` or `many_links`. Empty if nothing indicates a program.",
    ),
    proxy: text("Image proxy of the mail provider. Empty if no known proxy was used."),
    first: z
      .boolean()
      .meta({ description: "`true` for the first open, or click, of the message by a person." }),
    user_agent: text(
      "User-Agent header of the client. Empty if the client sent none, or if it is not stored.",
    ),
    client_address: text("IP address of the client. Empty if it is not stored."),
    source_address: text(
      "Local IP address of the connection. Empty if there was no connection, or if an earlier release made the attempt.",
      "198.51.100.7",
    ),
    decided_by: z
      .object({
        policy: text("Name of the policy.", "default"),
        policy_revision: text("Revision of the policy at that time."),
        rule: z.int().meta({
          description: "Number of the rule that applied, from 1. 0 if the policy's own transports were used.",
        }),
        pattern: text(
          "Pattern of the rule that matched the domain. Empty if no rule applied.",
          "*.example.com",
        ),
        reason: text(
          "Explanation in words.",
          "The policy has no rules. Its own transports are used for every recipient.",
        ),
        reason_parts: partsOf("reason"),
      })
      .optional()
      .meta({
        description:
          "Policy and rule used for the attempt, as they were at that time. Missing if no transport was chosen, or if an earlier release made the attempt.",
      }),
  })
  .meta({ id: "MessageEvent", description: "Event of a message." });
