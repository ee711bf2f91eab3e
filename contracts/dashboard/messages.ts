import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { message, messageEvent } from "../common/dashboard-message.ts";
import { idempotencyHeaders } from "../common/idempotency-headers.ts";
import { mailContents, octets } from "../common/mail-contents.ts";
import { bulkCount, matchCount } from "../common/message-counts.ts";
import { messageFilter } from "../common/message-filter.ts";
import { policyHold } from "../common/policy-queue.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { page, pageQuery } from "./common.ts";
import { job } from "./jobs.ts";

const c = initContract();

const messageWithTimeline = z
  .object({
    message,
    timeline: z.array(messageEvent).meta({ description: "Events of the message, oldest first." }),
    hold: policyHold.optional().meta({
      description:
        "Hold that keeps the waiting message in the queue. The timeline has it as `held`. Missing if there is none.",
    }),
  })
  .meta({ id: "MessageWithTimeline", description: "A message with its events." });

const messageContents = z
  .object(mailContents)
  .meta({ id: "MessageContents", description: "Decoded contents of a message." });

const bulk = z
  .strictObject({
    action: text("Action: `cancel`, `retry` or `resend`.", "retry"),
    ids: z
      .array(z.string())
      .optional()
      .meta({ description: "Ids of up to 1,000 messages. Missing: the messages that match `filter`." }),
    filter: z
      .strictObject(messageFilter)
      .optional()
      .meta({
        description:
          "Filter with the parameters of `GET /api/messages`. It must not be empty. Messages accepted after the count are not included.",
        examples: [{ state: ["scheduled"], tag: ["spring"] }],
      }),
    confirmation: text("The `confirmation` of the count, to start the job. Missing: only count.").optional(),
  })
  .meta({ id: "BulkMessagesRequest", description: "Action on many messages." });

const pathParams = z.object({
  message_id: z.string().meta({ description: "Id of the message, or the trace id of its submission." }),
});

const ownId = z.object({ message_id: z.string().meta({ description: "Id of the message." }) });

/** Errors of every route that shows contents of a message. */
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
      "Lists messages that match all filters, newest first. Addresses and words are not case-sensitive. If few messages match and Hermod must check them one by one (`queued`, `delivered`, `captured`), a page can be short or empty although another page follows.",
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
    summary: "Count messages that match a filter",
    description:
      "Counts messages that match the filters of the list, exactly up to 10,000. A count takes at most two seconds. An account can have four counts at once.",
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
      "Exports all messages that match the filter, newest first, without their bodies. The format is CSV (RFC 4180), or one JSON object per line with the fields of the list. Times are in UTC. A CSV cell that a spreadsheet would treat as a formula begins with an apostrophe. An export that is cut short ends without the end of its transfer coding. A client that reads nothing for two minutes is disconnected. The audit log records the export.",
    query: z.strictObject({
      format: z
        .enum(["csv", "ndjson"])
        .optional()
        .meta({ description: "Format of the export. Default: `csv`." }),
      ...messageFilter,
    }),
    ...reading({
      access: "messages.read",
      faults: ["request.validation_failed"],
      success: {
        200: octets("text/csv; charset=utf-8", "Lines of CSV. The first line has the names of the columns."),
      },
      documents: {
        "application/x-ndjson; charset=utf-8": "With `format=ndjson`: one JSON object per line.",
      },
    }),
  },
  getMessage: {
    method: "GET",
    path: "/api/messages/:message_id",
    pathParams,
    summary: "Get a message",
    description: "Returns a message with its events, without its body.",
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
      "Returns the header fields, bodies and attachments of a message. The audit log records the reader. Bodies are kept for a shorter time than messages and their events. Bodies of mail that Hermod itself wrote are never shown.",
    ...reading({ access: "messages.read_bodies", faults: ofBodies, success: { 200: messageContents } }),
  },
  getMessageSource: {
    method: "GET",
    path: "/api/messages/:message_id/source",
    pathParams,
    summary: "Fetch the source of a message",
    description:
      "Returns the message as it is transmitted, as a file. It has no fields that each attempt adds: DKIM signatures, and List-Unsubscribe if a routing policy requires it.",
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
      "Returns the HTML body as a document for a frame of the dashboard. A content security policy isolates it as a separate origin: it cannot run scripts or load resources.",
    ...reading({
      access: "messages.read_bodies",
      faults: [...ofBodies, "request.cross_site"],
      success: {
        200: octets("text/html; charset=utf-8", "HTML with the embedded pictures of the mail."),
      },
    }),
  },
  getMessageAttachment: {
    method: "GET",
    path: "/api/messages/:message_id/attachments/:index",
    pathParams: pathParams.extend({ index: text("Index of the attachment, from 0.", "0") }),
    summary: "Fetch an attachment of a message",
    description: "Returns an attachment as a file without a specific type.",
    ...reading({
      access: "messages.read_bodies",
      faults: [...ofBodies, "request.cross_site"],
      success: { 200: octets("application/octet-stream", "Decoded attachment.") },
    }),
  },
  bulkMessages: {
    method: "POST",
    path: "/api/messages/bulk",
    summary: "Act on many messages",
    description:
      "Cancels, retries or resends many messages in two steps. Without `confirmation`, Hermod counts the messages and changes nothing. With it, a job starts, with a result for each message. The same confirmation starts the same job only once. The job skips a message with a state that no longer allows the action, and its result has the reason.",
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
      "Cancels a message that is not delivered yet, including a scheduled message. A message that is already cancelled gets the same response.",
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
      "Makes a deferred message due now, within the limits and pauses of its destination. A message that is already due or in delivery is returned unchanged. A retry never delivers a message twice.",
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
      "Sends one message from a verified sender, to try out the installation. The checks, limits and suppression list of mail sent with keys apply. The routing policy decides whether the message is captured or sent. It has the source `dashboard` and no key. The audit log records the member who sent it.",
    body: z
      .strictObject({
        from: text("Verified sender.", "Hermod <hello@example.com>"),
        to: text("One recipient address.", "ada@example.com"),
        subject: text("1 to 998 octets.", "It works"),
        html: text("HTML body. Provide `html`, `text` or both.").optional(),
        text: text("Plain text body.", "Hello from Hermod").optional(),
        routing_policy: text(
          "Name of the routing policy, for example one that captures mail. Missing: the account's default policy.",
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
            "1 to 255 visible ASCII characters, remembered for 24 hours, for this message only. A retry with the same key answers with the same new message and `Idempotent-Replayed: true`, and sends nothing twice.",
          minLength: 1,
          maxLength: 255,
          pattern: "^[!-~]{1,255}$",
          examples: ["resend-4711"],
        }),
    }),
    summary: "Resend a message",
    description:
      "Creates a new message from a finished one, to the same recipient. Sender, content, tags, metadata and policy are the same; the id and Message-ID are new. The usual checks apply: the sender must still belong to the account, a suppressed recipient gets nothing, and the message counts against the account's rate limit. Without an `Idempotency-Key`, each call creates another message.",
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
