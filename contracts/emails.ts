import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { email, emailPage, emailWithTimeline } from "./common/email-schemas.ts";
import { idempotencyHeaders } from "./common/idempotency-headers.ts";
import { messageFilter } from "./common/message-filter.ts";
import type { Permission } from "./common/permission.ts";
import { problem, problemsOfReading, problemsOfSubmission } from "./common/problem.ts";
import { tracking } from "./common/tracking.ts";

const c = initContract();

const mailbox = z.string().meta({
  description:
    "E-mail address, with or without a display name: `ada@example.com` or `Ada Lovelace <ada@example.com>`. Internationalized addresses are allowed (RFC 6531).",
  examples: ["Ada Lovelace <ada@example.com>"],
});

const attachment = z
  .strictObject({
    filename: z.string().meta({ description: "Name shown to the recipient.", examples: ["invoice.pdf"] }),
    content: z.string().meta({
      description: "File content in base64 (RFC 4648 section 4), with or without line breaks.",
      contentEncoding: "base64",
      examples: ["SGVsbG8="],
    }),
    content_type: z
      .string()
      .optional()
      .meta({
        description:
          "Media type with its parameters. Hermod sends it unchanged or rejects it. Default: derived from the file name. `multipart/*` is not allowed. `message/*` is allowed only if the content is lines of ASCII.",
        examples: ["application/pdf"],
      }),
    content_id: z
      .string()
      .optional()
      .meta({
        description:
          "Content id, which the HTML body refers to as `cid:<content_id>` to show the file inline. Up to 128 letters, digits and `. _ + = @ -`, starting with a letter or digit. Unique within the message.",
        minLength: 1,
        maxLength: 128,
        pattern: "^[A-Za-z0-9][A-Za-z0-9._+=@-]*$",
        examples: ["logo"],
      }),
  })
  .meta({ id: "Attachment", description: "File attached to the message." });

/** JSON body of POST /v1/email/send. The schema checks only the shape. The core checks the rules. */
export const sendEmailBody = z
  .strictObject({
    from: mailbox.optional().meta({
      description:
        "Sender: a verified address, or an address in a verified domain, with or without a display name. Required unless the template supplies it.",
      examples: ["Acme <hello@example.com>"],
    }),
    to: z.union([mailbox, z.array(mailbox).meta({ minItems: 1, maxItems: 50 })]).meta({
      description:
        "One to 50 recipients. Hermod validates all addresses, but **only the first one receives the message**. The response lists the others in `not_delivered`. To reach several recipients, send one request for each.",
      examples: ["ada@example.com"],
    }),
    subject: z.string().optional().meta({
      description: "Subject, up to 998 octets. Required unless the template supplies it.",
      maxLength: 998,
    }),
    html: z.string().optional().meta({ description: "HTML body, up to 5 MB." }),
    text: z.string().optional().meta({
      description:
        "Plain-text body, up to 5 MB. Default: derived from `html`. Hermod derives no text if `html` has more than 1,000,000 characters or 20,000 tags, or if it has no text apart from its images; the message then has an HTML body only. With both bodies the message is multipart/alternative.",
    }),
    template: z
      .string()
      .optional()
      .meta({
        description:
          "Name of a published template that supplies `from`, `subject` and the bodies. `from` and `subject` of the request override those of the template. `html` and `text` cannot be combined with a template.",
        examples: ["welcome"],
      }),
    template_data: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          "Variables for the template: up to 1 MB of JSON, 32 levels and 10,000 values. Without a template, only `{}` is allowed and has no effect.",
        examples: [{ name: "Ada" }],
      }),
    routing_policy: z
      .string()
      .optional()
      .meta({
        description: "Name of the routing policy for this message. Default: the account's default policy.",
        examples: ["sandbox"],
      }),
    reply_to: z
      .union([mailbox, z.array(mailbox).meta({ maxItems: 50 })])
      .optional()
      .meta({ description: "Addresses for replies (the Reply-To field), up to 50." }),
    headers: z
      .record(
        z.string(),
        z
          .string()
          .meta({ description: "Text without control characters, up to 8,192 octets.", maxLength: 8_192 }),
      )
      .optional()
      .meta({
        description:
          "Up to 50 additional header fields. A name has up to 76 characters. A value has up to 8,192 octets, with a space at least every 900 characters. All fields together have up to 65,536 octets. Fields that Hermod writes itself (From, To, Date, Content-Type...) are rejected.",
        maxProperties: 50,
        examples: [{ "X-Order": "4711" }],
      }),
    attachments: z
      .array(attachment)
      .optional()
      .meta({ description: "Attached files. The whole encoded message may have up to 25 MB." }),
    tags: z
      .array(z.string())
      .optional()
      .meta({
        description: "Up to 20 labels of 1 to 64 characters. Events include them.",
        examples: [["welcome"]],
      }),
    metadata: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description:
          "Up to 50 keys (1 to 40 characters) with values of up to 500 characters. Events include them.",
        examples: [{ order_id: "4711" }],
      }),
    tracking: tracking.optional(),
    send_at: z.string().optional().meta({
      description: "Earliest time of delivery: RFC 3339 with an offset, at most 30 days in the future.",
      format: "date-time",
    }),
  })
  .meta({
    id: "SendEmailRequest",
    description: "Message to send. At least one of `html`, `text` and `template` is required.",
  });

export const sendEmailAccepted = z
  .object({
    message_id: z.string().meta({
      description: "Id of the message, used in logs and webhooks.",
      examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
    sx_trace_id: z.string().meta({
      description: "Id of the submission, used in logs and webhooks.",
      examples: ["sx_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
    status: z
      .enum(["queued", "scheduled"])
      .meta({ description: "`scheduled` if `send_at` is in the future, otherwise `queued`." }),
    created_at: z
      .string()
      .meta({ description: "Time at which the message was stored.", format: "date-time" }),
    recipient: z
      .string()
      .meta({ description: "Address that receives the message.", examples: ["ada@example.com"] }),
    not_delivered: z
      .array(z.string())
      .meta({ description: "Other addresses of `to`. They do not receive the message." }),
    scheduled_at: z
      .string()
      .optional()
      .meta({ description: "Value of `send_at`. Missing unless it is in the future.", format: "date-time" }),
  })
  .meta({ id: "SendEmailAccepted", description: "The message is stored on disk and will be delivered." });

const send = {
  method: "POST",
  summary: "Send an e-mail",
  metadata: { permission: { key: "account", scope: "email.send" } satisfies Permission },
  headers: idempotencyHeaders("order-4711-confirmation", "sends no second message"),
  body: sendEmailBody,
  responses: {
    202: sendEmailAccepted,
    ...problemsOfSubmission,
  },
  strictStatusCodes: true,
} as const;

const {
  state,
  trace_id: _,
  q: _q,
  provider: _provider,
  opened: _opened,
  clicked: _clicked,
  ...sameFilter
} = messageFilter;

/** The filter parameters have the names of the fields in the response. */
const emailQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "Messages per page: 1 to 100. Default: 50." }),
  cursor: z
    .string()
    .optional()
    .meta({ description: "`next_cursor` of the previous page. Default: the first page." }),
  status: state,
  sx_trace_id: z.string().optional().meta({ description: "Id of the submission." }),
  ...sameFilter,
});

const readingScope = { key: "account", scope: "email.read" } as const satisfies Permission;

const OWN_ONLY =
  "A `send_only` key, or a key that is bound to senders, has access only to messages that were sent with this key.";

export const emails = c.router({
  sendEmail: {
    ...send,
    path: "/v1/email/send",
    description:
      "Stores one message for delivery and responds once it is on disk. After a network failure, retry with the same `Idempotency-Key`.",
  },
  sendEmailAlias: {
    ...send,
    path: "/v1/send",
    summary: "Send an e-mail (alias)",
    description: "Does the same as `POST /v1/email/send`. Both share their idempotency keys.",
  },
  listEmails: {
    method: "GET",
    path: "/v1/emails",
    summary: "Search e-mails",
    description: `Lists the messages that match all given parameters, newest first. Addresses and words match in any letter case. Hermod computes the statuses \`queued\`, \`delivered\` and \`captured\` for each message separately: if few messages match, a page can be short or empty although another page follows. ${OWN_ONLY}`,
    metadata: { permission: readingScope, beyondInterface: true },
    query: emailQuery,
    responses: { 200: emailPage, ...problemsOfReading },
    strictStatusCodes: true,
  },
  getEmail: {
    method: "GET",
    path: "/v1/emails/:message_id",
    pathParams: z.object({
      message_id: z.string().meta({
        description:
          "`message_id` of the message, or `sx_trace_id` of its submission, which selects the first message of the submission.",
      }),
    }),
    summary: "Get an e-mail and its timeline",
    description: `Gets the message and its events, without its body. ${OWN_ONLY}`,
    metadata: { permission: readingScope, beyondInterface: true },
    query: z.strictObject({}),
    responses: { 200: emailWithTimeline, 404: problem, ...problemsOfReading },
    strictStatusCodes: true,
  },
  cancelEmail: {
    method: "POST",
    path: "/v1/emails/:message_id/cancel",
    pathParams: z.object({ message_id: z.string().meta({ description: "`message_id` of the message." }) }),
    summary: "Cancel an e-mail",
    description:
      "Cancels a message that is not delivered yet, including a scheduled message. If the message is already cancelled, the response is the same. While a delivery attempt is in progress, the request can take up to ten seconds.",
    metadata: {
      permission: { key: "account", scope: "email.cancel" } satisfies Permission,
      beyondInterface: true,
    },
    query: z.strictObject({}),
    body: c.noBody(),
    responses: { 200: email, 404: problem, 409: problem, ...problemsOfReading },
    strictStatusCodes: true,
  },
});
