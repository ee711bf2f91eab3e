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
    "An e-mail address, alone or with a display name: `ada@example.com` or `Ada Lovelace <ada@example.com>`. Internationalised addresses are allowed (RFC 6531).",
  examples: ["Ada Lovelace <ada@example.com>"],
});

const attachment = z
  .strictObject({
    filename: z.string().meta({ description: "Name shown to the recipient.", examples: ["invoice.pdf"] }),
    content: z.string().meta({
      description: "The file, in base64 (RFC 4648 section 4), with or without line breaks.",
      contentEncoding: "base64",
      examples: ["SGVsbG8="],
    }),
    content_type: z
      .string()
      .optional()
      .meta({
        description:
          "Media type, with its parameters: sent as it is given, or refused. Missing: told from the file name. `multipart/*` cannot be attached, and `message/*` only as lines of ASCII.",
        examples: ["application/pdf"],
      }),
    content_id: z
      .string()
      .optional()
      .meta({
        description:
          "Set it to show the file in the html as `cid:<content_id>`: up to 128 letters, digits and `. _ + = @ -`, the first a letter or digit; each once in a message.",
        minLength: 1,
        maxLength: 128,
        pattern: "^[A-Za-z0-9][A-Za-z0-9._+=@-]*$",
        examples: ["logo"],
      }),
  })
  .meta({ id: "Attachment", description: "A file that travels with the message." });

/** The JSON body of POST /v1/email/send. Only shapes are checked here: the rules live in the core. */
export const sendEmailBody = z
  .strictObject({
    from: mailbox.optional().meta({
      description:
        "The sender: a verified address, or an address in a verified domain, alone or with a display name. Required unless the template supplies it.",
      examples: ["Acme <hello@example.com>"],
    }),
    to: z.union([mailbox, z.array(mailbox).meta({ minItems: 1, maxItems: 50 })]).meta({
      description:
        "One recipient or several (up to 50). All addresses are validated; **only the first one receives the message**, and the answer names the others in `not_delivered`. Send one request per recipient to reach several.",
      examples: ["ada@example.com"],
    }),
    subject: z
      .string()
      .optional()
      .meta({ description: "Up to 998 octets; required unless the template supplies it.", maxLength: 998 }),
    html: z.string().optional().meta({ description: "HTML body, up to 5 MB." }),
    text: z.string().optional().meta({
      description:
        "Plain-text body, up to 5 MB. Missing: derived from `html`, unless that has more than 1,000,000 characters or 20,000 tags, or says nothing without its pictures; the message has html alone then. With both, the message is multipart/alternative.",
    }),
    template: z
      .string()
      .optional()
      .meta({
        description:
          "Name of a published template, which supplies `from`, `subject` and the bodies; `from` and `subject` given here override it, `html` and `text` may not stand beside it.",
        examples: ["welcome"],
      }),
    template_data: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          "The template's variables: up to 1 MB of JSON, 32 levels and 10,000 values. Without a template only `{}` is allowed, and means nothing.",
        examples: [{ name: "Ada" }],
      }),
    routing_policy: z
      .string()
      .optional()
      .meta({
        description: "Name of the routing policy for this message; missing: the account's default policy.",
        examples: ["sandbox"],
      }),
    reply_to: z
      .union([mailbox, z.array(mailbox).meta({ maxItems: 50 })])
      .optional()
      .meta({ description: "Where answers should go." }),
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
          "Up to 50 additional header fields: names of up to 76 characters, values of up to 8,192 octets with a space at least every 900 characters, 65,536 octets in all. Fields that Hermod writes itself (From, To, Date, Content-Type...) are refused.",
        maxProperties: 50,
        examples: [{ "X-Order": "4711" }],
      }),
    attachments: z
      .array(attachment)
      .optional()
      .meta({ description: "Files; the whole message may have 25 MB, encoded." }),
    tags: z
      .array(z.string())
      .optional()
      .meta({
        description: "Up to 20 labels of 1 to 64 characters, repeated in events.",
        examples: [["welcome"]],
      }),
    metadata: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description:
          "Up to 50 keys (1 to 40 characters) with values of up to 500 characters, repeated in events.",
        examples: [{ order_id: "4711" }],
      }),
    tracking: tracking.optional(),
    send_at: z.string().optional().meta({
      description: "Not to be delivered before this moment: RFC 3339 with an offset, up to 30 days ahead.",
      format: "date-time",
    }),
  })
  .meta({
    id: "SendEmailRequest",
    description: "A message to send. At least one of `html`, `text` and `template` is needed.",
  });

export const sendEmailAccepted = z
  .object({
    message_id: z.string().meta({
      description: "Names this message in logs and webhooks.",
      examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
    sx_trace_id: z.string().meta({
      description: "Names this submission in logs and webhooks.",
      examples: ["sx_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
    status: z.enum(["queued", "scheduled"]).meta({ description: "`scheduled` when `send_at` lies ahead." }),
    created_at: z.string().meta({ description: "When the message was stored.", format: "date-time" }),
    recipient: z
      .string()
      .meta({ description: "The one address that receives the message.", examples: ["ada@example.com"] }),
    not_delivered: z
      .array(z.string())
      .meta({ description: "The other addresses of `to`, which receive nothing." }),
    scheduled_at: z
      .string()
      .optional()
      .meta({ description: "`send_at`, when it lies ahead.", format: "date-time" }),
  })
  .meta({ id: "SendEmailAccepted", description: "The message is on disk and will be delivered." });

const send = {
  method: "POST",
  summary: "Send an e-mail",
  metadata: { permission: { key: "account", scope: "email.send" } satisfies Permission },
  headers: idempotencyHeaders("order-4711-confirmation", "sends nothing twice"),
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

/** The fields of the answer are what they are searched by. */
const emailQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "Messages of one page: 1 to 100 (50)." }),
  cursor: z
    .string()
    .optional()
    .meta({ description: "`next_cursor` of the page before; missing: the first page." }),
  status: state,
  sx_trace_id: z.string().optional().meta({ description: "The submission." }),
  ...sameFilter,
});

const readingScope = { key: "account", scope: "email.read" } as const satisfies Permission;

const OWN_ONLY =
  "With a `send_only` key, or one that is bound to senders, only what was sent with this very key is there.";

export const emails = c.router({
  sendEmail: {
    ...send,
    path: "/v1/email/send",
    description:
      "Stores one message for delivery and answers once it is safely on disk. Retry after a network failure with the same `Idempotency-Key`.",
  },
  sendEmailAlias: {
    ...send,
    path: "/v1/send",
    summary: "Send an e-mail (alias)",
    description: "The same operation as `POST /v1/email/send`, idempotency keys included.",
  },
  listEmails: {
    method: "GET",
    path: "/v1/emails",
    summary: "Search e-mails",
    description: `What is given must all be met; newest first. Capitals do not count in addresses and words. Where hardly a message meets the filter and it can be told only of each message by itself (\`queued\`, \`delivered\`, \`captured\`), a page may be short, or empty, and not the last. ${OWN_ONLY}`,
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
        description: "The `message_id`, or the `sx_trace_id`: then the first message of the submission.",
      }),
    }),
    summary: "See what became of an e-mail",
    description: `The message and all that happened to it, without its body. ${OWN_ONLY}`,
    metadata: { permission: readingScope, beyondInterface: true },
    query: z.strictObject({}),
    responses: { 200: emailWithTimeline, 404: problem, ...problemsOfReading },
    strictStatusCodes: true,
  },
  cancelEmail: {
    method: "POST",
    path: "/v1/emails/:message_id/cancel",
    pathParams: z.object({ message_id: z.string().meta({ description: "The `message_id`." }) }),
    summary: "Cancel an e-mail",
    description:
      "Withdraws a message that is not delivered yet, scheduled ones too. One that is cancelled already is answered in the same way. It may take ten seconds while an attempt is under way.",
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
