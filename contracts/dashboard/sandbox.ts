import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { mailContents, octets } from "../common/mail-contents.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

export const sandboxMessage = z
  .object({
    id: text("The `message_id`.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    trace_id: text("The `sx_trace_id`.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    envelope_from: text("What SMTP would have said in MAIL FROM.", "bounce@example.com"),
    envelope_to: z.array(z.string()).meta({ description: "What SMTP would have said in RCPT TO." }),
    subject: text("Its subject.", "Welcome"),
    from: text("Its From field.", "Acme <hello@example.com>"),
    captured_at: moment("When it was captured."),
    size_bytes: z.int().meta({ description: "Of its source." }),
  })
  .meta({ id: "SandboxMessage", description: "A message that was captured in place of being sent." });

export const sandboxMessageDetail = z
  .object({
    message: sandboxMessage,
    ...mailContents,
  })
  .meta({ id: "SandboxMessageDetail", description: "A captured message, read." });

const finding = z
  .object({
    code: text("Names the finding, `area.name`.", "link.insecure"),
    severity: z
      .enum(["info", "warning", "problem"])
      .meta({ description: "`problem`: it harms the mail for many recipients." }),
    subject: text(
      "The link, feature or field that it is about; empty: the mail as a whole.",
      "http://a.example",
    ),
    message: text(
      "Why it matters, and what to do.",
      "The link is not encrypted, and browsers warn of it: use https.",
    ),
  })
  .meta({ id: "MailFinding", description: "One thing that a check has found." });

const check = z
  .object({
    kind: z.enum(["size", "links", "html", "delivery"]).meta({
      description:
        "`size`: limits of large providers; `links`: form of links and pictures, none of which is opened; `html`: features that large mail programs drop; `delivery`: authentication and signs of spam.",
    }),
    severity: z
      .enum(["ok", "info", "warning", "problem"])
      .meta({ description: "Severity of the worst finding; `ok`: there is none." }),
    summary: text(
      "The check in one sentence.",
      "41 kB as a whole, 38 kB of HTML. Gmail clips HTML at 102 kB.",
    ),
    findings: z.array(finding).meta({ description: "The worst first; the first 100.", maxItems: 100 }),
    findings_count: z.int().meta({ description: "All of them." }),
  })
  .meta({ id: "MailCheck", description: "What a check says of a mail." });

export const mailChecks = z
  .object({ data: z.array(check).meta({ description: "The four checks, always in the same order." }) })
  .meta({ id: "MailChecks", description: "Checks of a mail before it is sent to recipients." });

const deleted = z
  .object({ deleted: z.int().meta({ description: "How many there were." }) })
  .meta({ id: "DeletedSandboxMessages", description: "What was removed." });

const pathParams = z.object({ message_id: text("The message's id.") });

export const sandbox = c.router({
  listSandboxMessages: {
    method: "GET",
    path: "/api/sandbox/messages",
    summary: "See captured mail",
    description:
      "Newest first, without bodies. Mail of Hermod's own is not among it. With a filter a page reads up to 1,000 messages: it may have fewer than `limit`, or none, and yet a next one.",
    query: pageQuery.extend({
      recipient: z
        .string()
        .max(320)
        .optional()
        .meta({
          description: "Only messages to a recipient whose address holds this text, in upper or lower case.",
          examples: ["ann@"],
        }),
      subject: z
        .string()
        .max(320)
        .optional()
        .meta({
          description: "Only messages whose subject holds this text, in upper or lower case.",
          examples: ["welcome"],
        }),
      from: moment("Only messages that were captured since this time or later.").optional(),
      until: moment("Only messages that were captured before this time.").optional(),
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
    description: "Of the account, for all its members.",
    body: c.noBody(),
    ...changing({ access: "sandbox.write", success: { 200: deleted } }),
  },
  getSandboxMessage: {
    method: "GET",
    path: "/api/sandbox/messages/:message_id",
    pathParams,
    summary: "Read a captured message",
    description: "Its header fields, bodies and attachments. Whoever reads it is in the audit log.",
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
      "Checks the size against the limits of large providers, the form of links and pictures, HTML and CSS that mail programs drop, and authentication and signs of spam, by the records that Hermod last found of the sender's domain. No link is opened, and nothing is loaded. The audit log names the reader.",
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
    description: "Byte for byte as it would have left, as a file.",
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
      "A document of its own, which can run nothing and load nothing: it is served under a policy that makes it an origin of its own. For a frame of the dashboard.",
    ...reading({
      access: "messages.read_bodies",
      faults: ["message.unknown", "request.cross_site"],
      success: {
        200: octets("text/html; charset=utf-8", "The HTML; pictures of the mail itself are in it."),
      },
    }),
  },
  getSandboxMessageAttachment: {
    method: "GET",
    path: "/api/sandbox/messages/:message_id/attachments/:index",
    pathParams: pathParams.extend({ index: text("Which one: they count from 0.", "0") }),
    summary: "Fetch an attachment of a captured message",
    description: "As a file of no particular type.",
    ...reading({
      access: "messages.read_bodies",
      faults: ["message.unknown", "request.cross_site"],
      success: { 200: octets("application/octet-stream", "The attachment, decoded.") },
    }),
  },
});
