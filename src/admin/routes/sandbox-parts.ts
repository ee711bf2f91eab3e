import type { FastifyInstance, FastifyReply } from "fastify";
import { lockHtml } from "../../message/preview/lock-html.ts";
import { type MailAttachment, rasterType } from "../../message/preview/parse-mail.ts";
import { parseMailApart } from "../../message/preview/parse-mail-apart.ts";
import type { CoreClient } from "../../rpc/client.ts";
import { contentDisposition } from "../../shared/content-disposition.ts";
import { refusal } from "../refusal.ts";
import { MAIL_CSP } from "../security-headers.ts";
import { getCaptured, type MessageParams } from "./captured-message.ts";

type AttachmentParams = MessageParams & { readonly index: string };

/** GET /sandbox/messages/:id/source, /html and /attachments/:index: parts of a message, each harmless to open. */
export function sandboxParts(sandbox: CoreClient["sandbox"]) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Params: MessageParams; Querystring: { download?: string } }>(
      "/sandbox/messages/:id/source",
      async ({ params, query }, reply) => {
        const { message, source } = await getCaptured(sandbox, params.id);
        const kind = query.download === undefined || query.download === "0" ? "inline" : "attachment";
        return reply
          .header("content-type", "message/rfc822")
          .header("content-disposition", contentDisposition(kind, `${message.id}.eml`))
          .send(source);
      },
    );

    app.get<{ Params: MessageParams }>("/sandbox/messages/:id/html", async ({ params }, reply) => {
      const { source } = await getCaptured(sandbox, params.id);
      const { html, attachments } = await parseMailApart(source);
      if (html === null) throw refusal("admin.not_found", "This message has no HTML body.");
      return reply
        .header("content-security-policy", MAIL_CSP)
        .type("text/html; charset=utf-8")
        .send(lockHtml(html, attachments));
    });

    app.get<{ Params: AttachmentParams }>(
      "/sandbox/messages/:id/attachments/:index",
      async ({ params }, reply) => {
        const { source } = await getCaptured(sandbox, params.id);
        const { attachments } = await parseMailApart(source);
        const attachment = /^\d{1,4}$/.test(params.index) ? attachments[Number(params.index)] : undefined;
        if (!attachment) throw refusal("admin.not_found", "The message has no attachment with this index.");
        return sendAttachment(reply, attachment, Number(params.index));
      },
    );
  };
}

/** Only raster images are shown; other files are downloads with a generic type. */
function sendAttachment(reply: FastifyReply, attachment: MailAttachment, index: number): FastifyReply {
  const raster = rasterType(attachment);
  const name = attachment.filename ?? `attachment-${index + 1}`;
  return reply
    .header("content-type", raster ?? "application/octet-stream")
    .header("content-disposition", contentDisposition(raster ? "inline" : "attachment", name))
    .send(attachment.content);
}
