import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { sendEmailAccepted, sendEmailBody } from "../../contracts/emails.ts";
import type { SendEmailResponse } from "../../gen/hermod/email/v1/email_service_pb.ts";
import { decodeBase64 } from "../message/mime/attachments.ts";
import { readFreeJson } from "../message/template/free-json.ts";
import type { CoreClient, SendEmailInit } from "../rpc/client.ts";
import { type AcceptanceLog, clientTraceId } from "../shared/acceptance-log.ts";
import { Fault, type FieldFault, validationFault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { parseMoment } from "../shared/parse-moment.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { Admission } from "./admit.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { type HeaderSink, setRateLimitHeaders } from "./problem-reply.ts";
import { readEmails } from "./read-emails.ts";

type Body = z.output<typeof sendEmailBody>;
type Accepted = z.output<typeof sendEmailAccepted>;

export interface SendEmailInput {
  readonly body: Body;
  readonly request: Pick<FastifyRequest, "id" | "raw" | "caller" | "held" | "waitedMs" | "submitted">;
  readonly reply: HeaderSink;
}

export interface EmailParts {
  readonly core: Pick<CoreClient, "sendEmail" | "emails">;
  readonly holding: Admission<unknown>["holding"];
  readonly onAccepted: AcceptanceLog;
}

/** Handlers of the routes of `api.emails`. */
export function emails({ core, holding, onAccepted }: EmailParts) {
  const sendEmail = holding(createSendEmail({ core, onAccepted }));
  return { sendEmail, sendEmailAlias: sendEmail, ...readEmails({ core }) };
}

/** POST /v1/email/send and its alias: JSON in, the core's answer out. */
function createSendEmail({ core, onAccepted }: Pick<EmailParts, "core" | "onAccepted">) {
  return async ({ body, request, reply }: SendEmailInput): Promise<{ status: 202; body: Accepted }> => {
    const submission: SendEmailInit = {
      apiKey: request.caller?.apiKey ?? "",
      idempotencyKey: idempotencyKeyOf(request),
      traceId: request.id,
      clientAddress: request.caller?.clientAddress ?? "",
      email: toEmail(body),
    };
    forgetContents(body, request);
    const accepted = await core.sendEmail(submission, request.waitedMs).catch((refused) => {
      throw withJsonPointers(Fault.from(refused), body);
    });
    request.submitted = accepted;
    const { traceId, messageId, accountId, replayed } = accepted;
    const clientTrace = clientTraceId(request.raw.headers);
    onAccepted({ traceId, messageIds: [messageId], accountId, replayed, clientTraceId: clientTrace });
    if (accepted.replayed) reply.header("idempotent-replayed", "true");
    setRateLimitHeaders(reply, accepted.rateLimits);
    return { status: 202, body: toAccepted(accepted) };
  };
}

/** The attachments are decoded, so their base64 need not stay in memory until the response. */
function forgetContents(body: Body, request: SendEmailInput["request"]): void {
  (request as { body?: unknown }).body = undefined;
  for (const attachment of body.attachments ?? []) attachment.content = "";
}

/** @throws Fault request.validation_failed */
function toEmail(body: Body): NonNullable<SendEmailInit["email"]> {
  const faults: FieldFault[] = [];
  const attachments = (body.attachments ?? []).map(
    ({ filename, content, content_type, content_id }, index) => {
      const decoded = decodeBase64(content);
      if (!decoded.ok) {
        faults.push({
          pointer: `/attachments/${index}/content`,
          code: decoded.code,
          message: decoded.message,
        });
      }
      return {
        filename,
        content: decoded.ok ? decoded.content : new Uint8Array(),
        ...withoutUndefined({ contentType: content_type, contentId: content_id }),
      };
    },
  );
  const sendAt = readSendAt(body.send_at, faults);
  const templateDataJson = readTemplateData(body.template_data, faults);
  if (faults.length > 0) throw validationFault(faults);
  const { from, subject, html, text, template, routing_policy: routingPolicy } = body;
  const tracking = body.tracking && withoutUndefined(body.tracking);
  return {
    to: [body.to].flat(),
    replyTo: [body.reply_to ?? []].flat(),
    headers: Object.entries(body.headers ?? {}).map(([name, value]) => ({ name, value })),
    attachments,
    tags: body.tags ?? [],
    metadata: body.metadata ?? {},
    ...withoutUndefined({ from, subject, html, text, template, templateDataJson, routingPolicy, sendAt }),
    ...withoutUndefined({ tracking }),
  };
}

/** The template's data in the form in which it travels. */
function readTemplateData(data: Body["template_data"], faults: FieldFault[]): string | undefined {
  if (data === undefined) return undefined;
  const text = JSON.stringify(data);
  const result = readFreeJson(text);
  if (!result.ok) faults.push({ ...result.fault, pointer: `/template_data${result.fault.pointer}` });
  return text;
}

function readSendAt(text: string | undefined, faults: FieldFault[]): Timestamp | undefined {
  if (text === undefined) return undefined;
  const at = parseMoment(text);
  if (at) return timestampFromDate(at);
  const message = say("moment_rfc_3339_offset_2030_01");
  faults.push({ pointer: "/send_at", code: "field.invalid", message });
  return undefined;
}

/** The core knows lists where the body may have a single string: its pointers lead to that string. */
function withJsonPointers(failed: Fault, body: Body): Fault {
  const single = (["to", "reply_to"] as const).filter((field) => typeof body[field] === "string");
  if (single.length === 0 || failed.errors.length === 0) return failed;
  const errors = failed.errors.map((error) => {
    const field = single.find((name) => error.pointer === `/${name}/0`);
    return field ? { ...error, pointer: `/${field}` } : error;
  });
  const { code, text, retryAfterSeconds, rateLimits, omittedErrors, message: internal } = failed;
  return new Fault(code, {
    public: text,
    internal,
    errors,
    omittedErrors,
    rateLimits,
    cause: failed,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function toAccepted(accepted: SendEmailResponse): Accepted {
  const { messageId, traceId, status, createdAt, recipient, notDelivered, scheduledAt } = accepted;
  return {
    message_id: messageId,
    sx_trace_id: traceId,
    status: status === "scheduled" ? "scheduled" : "queued",
    created_at: (createdAt ? timestampDate(createdAt) : new Date()).toISOString(),
    recipient,
    not_delivered: notDelivered,
    ...(scheduledAt && { scheduled_at: timestampDate(scheduledAt).toISOString() }),
  };
}
