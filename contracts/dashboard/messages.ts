import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { message, messageEvent } from "../common/dashboard-message.ts";
import { idempotencyHeaders } from "../common/idempotency-headers.ts";
import { mailContents, octets } from "../common/mail-contents.ts";
import { bulkCount, matchCount } from "../common/message-counts.ts";
import { messageFilter } from "../common/message-filter.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { page, pageQuery } from "./common.ts";
import { job } from "./jobs.ts";

const c = initContract();

const messageWithTimeline = z
  .object({
    message,
    timeline: z.array(messageEvent).meta({ description: "What happened to it, the earliest first." }),
  })
  .meta({ id: "MessageWithTimeline", description: "A message, and all that happened to it." });

const messageContents = z
  .object(mailContents)
  .meta({ id: "MessageContents", description: "What a message says, read." });

const bulk = z
  .strictObject({
    action: text("What is to be done: `cancel`, `retry`, `resend`.", "retry"),
    ids: z
      .array(z.string())
      .optional()
      .meta({ description: "Up to 1,000 messages; missing: those that the filter finds." }),
    filter: z
      .strictObject(messageFilter)
      .optional()
      .meta({
        description:
          "As the query of `GET /api/messages`; it asks for something. Messages that are accepted after the count are not meant.",
        examples: [{ state: ["scheduled"], tag: ["spring"] }],
      }),
    confirmation: text("That of the count, to begin; missing: it is counted.").optional(),
  })
  .meta({ id: "BulkMessagesRequest", description: "Something that is to be done with many messages." });

const pathParams = z.object({
  message_id: z.string().meta({ description: "The message's id, or the trace id of its submission." }),
});

const ownId = z.object({ message_id: z.string().meta({ description: "The message's id." }) });

/** What any route answers that shows what a message says. */
const ofBodies = [
  "message.unknown",
  "message.unreadable",
  "message.body_gone",
  "message.body_withheld",
] as const;

export const messages = c.router({
  listMessages: {
    method: "GET",
    path: "/api/messages",
    summary: "Search messages",
    description:
      "What is given must all be met; newest first. Capitals do not count in addresses and words. Where hardly a message meets the filter and it can be told only of each message by itself (`queued`, `delivered`, `captured`), a page may be short, or empty, and not the last.",
    query: pageQuery.extend(messageFilter),
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed"],
      success: { 200: page("MessageList", message) },
    }),
  },
  countMatchingMessages: {
    method: "GET",
    path: "/api/messages/count",
    summary: "Count messages that a filter finds",
    description:
      "Counts messages by the filters of the list: exactly up to 10,000. Counting takes two seconds at most. An account has four counts at once.",
    query: z.strictObject(messageFilter),
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed"],
      success: { 200: matchCount },
    }),
  },
  exportMessages: {
    method: "GET",
    path: "/api/messages/export",
    summary: "Export messages",
    description:
      "All messages that the filter finds, newest first, without their bodies: as CSV (RFC 4180), or as one JSON object a line, as lists have them. Times are UTC. A cell of CSV that a spreadsheet would take for a formula begins with an apostrophe. It is sent as fast as it is read; an export that is cut short ends without the end of its transfer coding, and whoever takes nothing for two minutes is let go. The export has an entry in the audit log.",
    query: z.strictObject({
      format: z.enum(["csv", "ndjson"]).optional().meta({ description: "How (csv)." }),
      ...messageFilter,
    }),
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed"],
      success: {
        200: octets("text/csv; charset=utf-8", "Lines of CSV, the first with the names of the columns."),
      },
      documents: {
        "application/x-ndjson; charset=utf-8": "With `format=ndjson`: one JSON object a line.",
      },
    }),
  },
  getMessage: {
    method: "GET",
    path: "/api/messages/:message_id",
    pathParams,
    summary: "See a message",
    description: "The message and all that happened to it, without its body.",
    ...reading({
      access: "messages.read",
      faults: ["message.unknown", "message.unreadable"],
      success: { 200: messageWithTimeline },
    }),
  },
  getMessageContents: {
    method: "GET",
    path: "/api/messages/:message_id/contents",
    pathParams,
    summary: "Read a message",
    description:
      "Its header fields, bodies and attachments. Whoever reads it is in the audit log. Bodies are kept for a shorter time than what became of messages; what Hermod itself has written is shown to nobody.",
    ...reading({ access: "messages.read_bodies", faults: ofBodies, success: { 200: messageContents } }),
  },
  getMessageSource: {
    method: "GET",
    path: "/api/messages/:message_id/source",
    pathParams,
    summary: "Fetch the source of a message",
    description:
      "As it goes over the wire, as a file; without what is made anew at each attempt: DKIM signatures, and List-Unsubscribe where a routing policy wants it.",
    ...reading({
      access: "messages.read_bodies",
      faults: [...ofBodies, "request.cross_site"],
      success: { 200: octets("message/rfc822", "The message (RFC 5322).") },
    }),
  },
  getMessageHtml: {
    method: "GET",
    path: "/api/messages/:message_id/html",
    pathParams,
    summary: "Show the HTML of a message",
    description:
      "A document of its own, which can run nothing and load nothing: it is served under a policy that makes it an origin of its own. For a frame of the dashboard.",
    ...reading({
      access: "messages.read_bodies",
      faults: [...ofBodies, "request.cross_site"],
      success: {
        200: octets("text/html; charset=utf-8", "The HTML; pictures of the mail itself are in it."),
      },
    }),
  },
  getMessageAttachment: {
    method: "GET",
    path: "/api/messages/:message_id/attachments/:index",
    pathParams: pathParams.extend({ index: text("Which one: they count from 0.", "0") }),
    summary: "Fetch an attachment of a message",
    description: "As a file of no particular type.",
    ...reading({
      access: "messages.read_bodies",
      faults: [...ofBodies, "request.cross_site"],
      success: { 200: octets("application/octet-stream", "The attachment, decoded.") },
    }),
  },
  bulkMessages: {
    method: "POST",
    path: "/api/messages/bulk",
    summary: "Do something with many messages",
    description:
      "In two steps. Without `confirmation` it is counted, and nothing is changed. With it a job begins, which has a result for each message; the same confirmation begins the same job. One whose state has changed by then so that it cannot be done is skipped, and says why.",
    body: bulk,
    ...changing({
      access: "messages.write",
      faults: ["message.confirmation_invalid", "message.bulk_too_large", "job.too_many"],
      success: { 200: bulkCount, 202: job },
    }),
  },
  cancelMessage: {
    method: "POST",
    path: "/api/messages/:message_id/cancel",
    pathParams: ownId,
    summary: "Cancel a message",
    description:
      "Withdraws a message that is not delivered yet, scheduled ones too. One that is cancelled already is answered in the same way.",
    body: c.noBody(),
    ...changing({
      access: "messages.write",
      faults: ["message.unknown", "message.unreadable", "message.not_cancellable", "message.cancel_pending"],
      success: { 200: message },
    }),
  },
  retryMessage: {
    method: "POST",
    path: "/api/messages/:message_id/retry",
    pathParams: ownId,
    summary: "Retry a message now",
    description:
      "Has a deferred message tried at once, with the limits and pauses of its destination. One that is due anyway, or under way, is answered as it is; nothing is delivered twice by it.",
    body: c.noBody(),
    ...changing({
      access: "messages.write",
      faults: ["message.unknown", "message.unreadable", "message.not_retryable"],
      success: { 200: message },
    }),
  },
  sendMessage: {
    method: "POST",
    path: "/api/messages",
    headers: idempotencyHeaders("test-4711", "sends nothing twice"),
    summary: "Send a message",
    description:
      "Sends one message from a verified sender, to try the installation out: by the checks, limits and suppression list that mail of keys is held to. Its routing policy decides whether it is captured or leaves. It has the source `dashboard` and no key, and the audit log names its sender.",
    body: z
      .strictObject({
        from: text("A verified sender.", "Hermod <hello@example.com>"),
        to: text("One address.", "ada@example.com"),
        subject: text("1 to 998 octets.", "It works"),
        html: text("HTML body; `html`, `text` or both.").optional(),
        text: text("Plain text body.", "Hello from Hermod").optional(),
        routing_policy: text(
          "Name of the routing policy, one that captures for example; missing: the account's default policy.",
          "sandbox",
        ).optional(),
      })
      .meta({ id: "SendMessageRequest", description: "One message to one address." }),
    ...changing({
      access: "email.send",
      faults: [
        "sender.unverified",
        "policy.unknown",
        "message.too_large",
        "idempotency.in_flight",
        "idempotency.key_reused",
        "rate.limited",
      ],
      success: { 202: message },
    }),
  },
  resendMessage: {
    method: "POST",
    path: "/api/messages/:message_id/resend",
    pathParams: ownId,
    headers: z.object({
      "idempotency-key": z
        .string()
        .optional()
        .meta({
          description:
            "1 to 255 visible ASCII characters, remembered for 24 hours, for this message alone. A retry with the same key answers with the same new message and `Idempotent-Replayed: true`, and sends nothing twice.",
          minLength: 1,
          maxLength: 255,
          pattern: "^[!-~]{1,255}$",
          examples: ["resend-4711"],
        }),
    }),
    summary: "Send a message once more",
    description:
      "Makes a new message of one that is finished, to the same recipient: same sender, content, tags, metadata and policy, with an id and a Message-ID of its own. It is checked as any other: the sender must still be the account's, a recipient on the suppression list gets nothing, and it counts against the account's rate limit. Without a key each call makes another one.",
    body: c.noBody(),
    ...changing({
      access: "messages.write",
      faults: [
        "message.unknown",
        "message.unreadable",
        "message.not_resendable",
        "message.body_gone",
        "message.too_large",
        "sender.unverified",
        "policy.unknown",
        "idempotency.in_flight",
        "rate.limited",
      ],
      success: { 202: message },
    }),
  },
});
