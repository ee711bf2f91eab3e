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

const deleted = z
  .object({ deleted: z.int().meta({ description: "How many there were." }) })
  .meta({ id: "DeletedSandboxMessages", description: "What was removed." });

const pathParams = z.object({ message_id: text("The message's id.") });

export const sandbox = c.router({
  listSandboxMessages: {
    method: "GET",
    path: "/api/sandbox/messages",
    summary: "See captured mail",
    description: "Newest first, without bodies. Mail of Hermod's own is not among it.",
    query: pageQuery,
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
