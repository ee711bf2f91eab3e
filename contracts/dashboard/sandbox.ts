import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { mailContents, octets } from "../common/mail-contents.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

export const sandboxMessage = z
  .object({
    id: text("Id of the message (`message_id`).", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    trace_id: text("Trace id of the message (`sx_trace_id`).", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    envelope_from: text("Sender address for MAIL FROM in SMTP.", "bounce@example.com"),
    envelope_to: z.array(z.string()).meta({ description: "Recipient addresses for RCPT TO in SMTP." }),
    subject: text("Subject.", "Welcome"),
    from: text("From field.", "Acme <hello@example.com>"),
    captured_at: moment("Time when the message was captured."),
    size_bytes: z.int().meta({ description: "Size of the source in bytes." }),
  })
  .meta({ id: "SandboxMessage", description: "A message that was captured instead of sent." });

export const sandboxMessageDetail = z
  .object({
    message: sandboxMessage,
    ...mailContents,
  })
  .meta({ id: "SandboxMessageDetail", description: "A captured message with its contents." });

const finding = z
  .object({
    code: text("Code of the finding, as `area.name`.", "link.insecure"),
    severity: z
      .enum(["info", "warning", "problem"])
      .meta({ description: "Severity. `problem`: the finding harms the mail for many recipients." }),
    subject: text(
      "Link, feature or field of the finding; empty for the mail as a whole.",
      "http://a.example",
    ),
    message: text(
      "Reason why the finding matters, and the remedy.",
      "The link is not encrypted, and browsers warn of it: use https.",
    ),
  })
  .meta({ id: "MailFinding", description: "One finding of a check." });

const check = z
  .object({
    kind: z.enum(["size", "links", "html", "delivery"]).meta({
      description:
        "`size`: limits of large providers; `links`: form of links and pictures, without opening them; `html`: features that large mail programs drop; `delivery`: authentication and signs of spam.",
    }),
    severity: z
      .enum(["ok", "info", "warning", "problem"])
      .meta({ description: "Severity of the worst finding; `ok` if there is none." }),
    summary: text(
      "Result of the check in one sentence.",
      "41 kB as a whole, 38 kB of HTML. Gmail clips HTML at 102 kB.",
    ),
    findings: z.array(finding).meta({ description: "The first 100 findings, worst first.", maxItems: 100 }),
    findings_count: z.int().meta({ description: "Number of all findings." }),
  })
  .meta({ id: "MailCheck", description: "Result of one check of a mail." });

export const mailChecks = z
  .object({ data: z.array(check).meta({ description: "The four checks, always in the same order." }) })
  .meta({ id: "MailChecks", description: "Checks of a mail before it is sent to recipients." });

const deleted = z
  .object({ deleted: z.int().meta({ description: "Number of removed messages." }) })
  .meta({ id: "DeletedSandboxMessages", description: "Result of a removal." });

const pathParams = z.object({ message_id: text("Id of the message.") });

export const sandbox = c.router({
  listSandboxMessages: {
    method: "GET",
    path: "/api/sandbox/messages",
    summary: "List captured mail",
    description:
      "Lists captured mail, newest first, without bodies. Mail that Hermod itself writes is not included. With a filter, a page reads up to 1,000 messages: it can have fewer than `limit` entries, or none, although another page follows.",
    query: pageQuery.extend({
      recipient: z
        .string()
        .max(320)
        .optional()
        .meta({
          description: "Only messages with this text in the address of a recipient. Not case-sensitive.",
          examples: ["ann@"],
        }),
      subject: z
        .string()
        .max(320)
        .optional()
        .meta({
          description: "Only messages with this text in the subject. Not case-sensitive.",
          examples: ["welcome"],
        }),
      from: moment("Only messages captured at this time or later.").optional(),
      until: moment("Only messages captured before this time.").optional(),
    }),
    ...reading({
      access: "sandbox.read",
      faults: ["request.validation_failed"],
      success: { 200: page("SandboxMessageList", sandboxMessage) },
    }),
  },
  clearSandboxMessages: {
    method: "DELETE",
    path: "/api/sandbox/messages",
    summary: "Remove all captured mail",
    description: "Removes all captured mail of the account, for all its members.",
    body: c.noBody(),
    ...changing({ access: "sandbox.write", success: { 200: deleted } }),
  },
  getSandboxMessage: {
    method: "GET",
    path: "/api/sandbox/messages/:message_id",
    pathParams,
    summary: "Read a captured message",
    description:
      "Returns the header fields, bodies and attachments of a captured message. The audit log records the reader.",
    ...reading({
      access: "messages.read_bodies",
      faults: ["message.unknown"],
      success: { 200: sandboxMessageDetail },
    }),
  },
  getSandboxMessageChecks: {
    method: "GET",
    path: "/api/sandbox/messages/:message_id/checks",
    pathParams,
    summary: "Check a captured message",
    description:
      "Checks the size against the limits of large providers, the form of links and pictures, HTML and CSS that mail programs drop, authentication, and signs of spam. Authentication is checked with the records that Hermod last found for the sender's domain. No link is opened, and nothing is loaded. The audit log records the reader.",
    ...reading({
      access: "messages.read_bodies",
      faults: ["message.unknown", "service.busy"],
      success: { 200: mailChecks },
    }),
  },
  removeSandboxMessage: {
    method: "DELETE",
    path: "/api/sandbox/messages/:message_id",
    pathParams,
    summary: "Remove a captured message",
    body: c.noBody(),
    ...changing({ access: "sandbox.write", faults: ["message.unknown"], success: { 200: deleted } }),
  },
  getSandboxMessageSource: {
    method: "GET",
    path: "/api/sandbox/messages/:message_id/source",
    pathParams,
    summary: "Fetch the source of a captured message",
    description: "Returns the message byte for byte as it would have been sent, as a file.",
    ...reading({
      access: "messages.read_bodies",
      faults: ["message.unknown", "request.cross_site"],
      success: { 200: octets("message/rfc822", "The message (RFC 5322).") },
    }),
  },
  getSandboxMessageHtml: {
    method: "GET",
    path: "/api/sandbox/messages/:message_id/html",
    pathParams,
    summary: "Show the HTML of a captured message",
    description:
      "Returns the HTML body as a document for a frame of the dashboard. A content security policy isolates it as a separate origin: it cannot run scripts or load resources.",
    ...reading({
      access: "messages.read_bodies",
      faults: ["message.unknown", "request.cross_site"],
      success: {
        200: octets("text/html; charset=utf-8", "HTML with the embedded pictures of the mail."),
      },
    }),
  },
  getSandboxMessageAttachment: {
    method: "GET",
    path: "/api/sandbox/messages/:message_id/attachments/:index",
    pathParams: pathParams.extend({ index: text("Index of the attachment, from 0.", "0") }),
    summary: "Fetch an attachment of a captured message",
    description: "Returns an attachment as a file without a specific type.",
    ...reading({
      access: "messages.read_bodies",
      faults: ["message.unknown", "request.cross_site"],
      success: { 200: octets("application/octet-stream", "Decoded attachment.") },
    }),
  },
});
