import { z } from "zod";
import { accountId, moment } from "../dashboard/common.ts";
import { messageStates } from "./message-filter.ts";
import { text } from "./text-field.ts";
import { engagement } from "./tracking.ts";

const stateText = `${messageStates.map((state) => `\`${state}\``).join(", ")}; later versions may know more.`;

export const message = z
  .object({
    id: text("The `message_id`.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    trace_id: text("The `sx_trace_id`: one for each submission.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    state: text(stateText, "delivered"),
    from: text("Address of the sender.", "hello@example.com"),
    recipient: text("Address of the recipient.", "ada@example.com"),
    subject: text("Its subject.", "Your order has shipped"),
    routing_policy: text("The policy by which it leaves.", "default"),
    attempts: z.int().meta({ description: "Attempts to deliver it, so far." }),
    created_at: moment("When it was accepted."),
    updated_at: moment("When it came into its state."),
    next_attempt_at: moment("When the next attempt follows; missing: none does.").optional(),
    send_at: moment("When it is to be sent first; missing: at once.").optional(),
    header_message_id: text("Its Message-ID field.", "<msg_01k9z4c3r8h2v6y0n5t7w1x3q9@example.com>"),
    tags: z.array(z.string()).meta({ description: "What it was tagged with." }),
    metadata: z.record(z.string(), z.string()).meta({ description: "What was said of it besides." }),
    template: text("The template that it was made with; empty: none.", "welcome"),
    template_version: z.int().meta({ description: "Its version; 0: none." }),
    key_id: text("The key that it came with; empty: it came with none."),
    source: text(
      "`http`, `smtp`, `grpc`, `dashboard`, `alert`, `report`, or `system` for what Hermod has made; empty: an early release stored it. Later versions may know more.",
      "http",
    ),
    category: text(
      "What its last refusal is about: `invalid_mailbox`, `mailbox_full`, `policy`, `spam`, `rate_limit`, `auth`, `dns`, `tls`, `network` or `other`; empty: it stands refused by nobody.",
    ),
    size_bytes: z.int().meta({ description: "Of the whole message, at most." }),
    resent_from: text("The message that it says once more; empty: none."),
    incident_id: text(
      "The incident that it tells of; empty: none, or several, as in a digest.",
      "inc_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ),
    opens: engagement("it was opened"),
    clicks: engagement("links in it were followed"),
    last_reply: z
      .object({
        code: z
          .int()
          .meta({ description: "Reply code of the server; 0: no server answered.", examples: [550] }),
        enhanced_status_code: text("RFC 3463; empty: the server gave none.", "5.1.1"),
        text: text(
          "Up to 200 characters of the reply or of the error; the timeline has the whole.",
          "User unknown",
        ),
      })
      .optional()
      .meta({
        description:
          "The reply that led to its state. The list, the export and the message itself have it; missing: no attempt was made.",
      }),
  })
  .meta({ id: "Message", description: "One message to one recipient." });

export const messageEvent = z
  .object({
    id: text("The same however often it is told of."),
    kind: text(
      "The state that it led to, `accepted`, `quarantined`, `released`, `resent`, `opened`, `clicked` or `unsubscribed`.",
      "delivered",
    ),
    at: moment("When."),
    attempt: z.int().meta({ description: "The attempt that it belongs to; 0: it came before any." }),
    via: text("The way and the server.", "smtp relay.example.com:587"),
    reply_code: z.int().meta({ description: "The server's reply; 0: there was none.", examples: [250] }),
    enhanced_status_code: text("RFC 3463; empty: none was given.", "2.0.0"),
    detail: text("What the server said, or what was wrong."),
    next_attempt_at: moment("When the next attempt was to follow.").optional(),
    category: text("What a refusal is about, as of the message; empty: nothing was refused."),
    next_attempt_reason: text(
      "Why it follows then: `schedule` (the waits of the policy) or `server` (it asked for a longer one).",
      "schedule",
    ),
    duration_ms: z.int().meta({ description: "How long the servers took, all in all; 0: none was asked." }),
    tls: text(
      "The version of TLS and the cipher suite; empty: there was none.",
      "TLSv1.3 TLS_AES_256_GCM_SHA384",
    ),
    conversation: text(
      "What was said in the attempt, line by line: `> ` by Hermod, `< ` by a server, `* ` what happened besides. Without credentials and without the message; some 4,000 characters at most.",
      "* direct mx.example.org[192.0.2.25]:25\n< 220 mx.example.org ESMTP\n> EHLO mail.example.com\n< 250 mx.example.org",
    ),
    suppression_id: text(
      "The entry of the suppression list that kept the message from being sent, which may be gone by now; empty: none did.",
    ),
    url: text("Of a click: where the link leads; empty: it is about no link."),
    machine_reason: text(
      "Why an open or a click was made by a program and no person: `apple_mail_privacy`, `prefetch`, `scanner`, `no_user_agent`, `before_delivery`, `too_early` or `many_links`; empty: nothing says that it was.",
    ),
    proxy: text("The proxy by which a mail provider fetches pictures for its users; empty: none is known."),
    first: z.boolean().meta({ description: "It is the first open, or click, of the message by a person." }),
    user_agent: text("What the client says of itself; empty: nothing, or it is not kept."),
    client_address: text("IP address of the client; empty: it is not kept."),
    source_address: text(
      "IP address of this machine that the connection came from; empty: there was no connection, or an earlier release made the attempt.",
      "198.51.100.7",
    ),
    decided_by: z
      .object({
        policy: text("Name of the policy.", "default"),
        policy_revision: text("Revision of the policy at that time."),
        rule: z.int().meta({
          description: "Number of the rule that decided, from 1; 0: the policy's own transports served.",
        }),
        pattern: text("Pattern of that rule that names the domain; empty: no rule decided.", "*.example.com"),
        reason: text("Why, in words.", "The policy has no rules: its own transports serve every recipient."),
      })
      .optional()
      .meta({
        description:
          "The policy and rule that the attempt went by, as they were then; missing: no transport was chosen, or an earlier release made the attempt.",
      }),
  })
  .meta({ id: "MessageEvent", description: "Something that happened to a message." });
