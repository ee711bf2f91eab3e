import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { sandbox as contract, sandboxMessage } from "../../../contracts/dashboard/sandbox.ts";
import { SandboxMessageSchema } from "../../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { lockHtml } from "../../message/preview/lock-html.ts";
import { type ParsedMail, parseMail } from "../../message/preview/parse-mail.ts";
import { readHeaderFields } from "../../message/preview/read-header-fields.ts";
import { contentDisposition } from "../../shared/content-disposition.ts";
import { fault } from "../../shared/fault.ts";
import { createSlots } from "../../shared/slots.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardCall,
  type DashboardParts,
  pageBody,
  pageRequest,
} from "./call.ts";
import { checkPreviewOrigin, setFileHeaders, setPreviewHeaders } from "./html-preview.ts";

type Message = z.output<typeof sandboxMessage>;

/** Mails that are read at once: each may have 25 MB, and more while it is read. */
const READ_AT_ONCE = 2;

/** What answers the routes of `dashboard.sandbox`. */
export function sandbox(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  const slots = createSlots(READ_AT_ONCE);

  /** @throws Fault message.unknown */
  async function captured(request: DashboardCall["request"], id: string) {
    const { message, source } = await coreFor(request).sandbox.getSandboxMessage({ id });
    return { message, source: Buffer.from(source.buffer, source.byteOffset, source.byteLength) };
  }

  function parsed<T>(
    request: DashboardCall["request"],
    id: string,
    read: (mail: ParsedMail) => T,
  ): Promise<T> {
    return slots(async () => read(await parseMail((await captured(request, id)).source)));
  }

  return {
    listSandboxMessages: async ({ request, query }) => {
      const found = await coreFor(request).sandbox.listSandboxMessages(pageRequest(query));
      const data = found.messages.map((one) => bodyOf<Message>(SandboxMessageSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    clearSandboxMessages: async ({ request }) => {
      const { deleted } = await coreFor(request).sandbox.clearSandboxMessages({});
      return { status: 200, body: { deleted } };
    },
    getSandboxMessage: async ({ request, params }) =>
      slots(async () => {
        const { message, source } = await captured(request, params.message_id);
        const { attachments, parseError, ...bodies } = await parseMail(source);
        const body = {
          message: bodyOf<Message>(SandboxMessageSchema, message),
          headers: readHeaderFields(source),
          ...bodies,
          attachments: attachments.map(({ filename, contentType, content, contentId, disposition }) => ({
            filename,
            content_type: contentType,
            size_bytes: content.length,
            content_id: contentId,
            disposition,
          })),
          parse_error: parseError,
        };
        return { status: 200, body } as const;
      }),
    removeSandboxMessage: async ({ request, params }) => {
      await coreFor(request).sandbox.removeSandboxMessage({ id: params.message_id });
      return { status: 200, body: { deleted: 1 } };
    },
    getSandboxMessageSource: async ({ request, reply, params }) => {
      checkPreviewOrigin(request);
      const { source } = await captured(request, params.message_id);
      setFileHeaders(reply, contentDisposition("attachment", `${params.message_id}.eml`));
      return { status: 200, body: source };
    },
    getSandboxMessageHtml: async ({ request, reply, params }) => {
      checkPreviewOrigin(request);
      const html = await parsed(request, params.message_id, ({ html, attachments }) =>
        html === null ? null : lockHtml(html, attachments),
      );
      if (html === null) throw missing("HTML body");
      setPreviewHeaders(reply);
      return { status: 200, body: html };
    },
    getSandboxMessageAttachment: async ({ request, reply, params }) => {
      checkPreviewOrigin(request);
      const index = /^\d{1,4}$/.test(params.index) ? Number(params.index) : -1;
      const attachment = await parsed(request, params.message_id, ({ attachments }) => attachments[index]);
      if (!attachment) throw missing("such attachment");
      setFileHeaders(
        reply,
        contentDisposition("attachment", attachment.filename ?? `attachment-${index + 1}`),
      );
      return { status: 200, body: attachment.content };
    },
  };
}

const missing = (what: string) =>
  fault("message.unknown", { public: `The captured message has no ${what}.` });
