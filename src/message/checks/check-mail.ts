import type { ParsedMail } from "../preview/parse-mail.ts";
import { readHeaderFields } from "../preview/read-header-fields.ts";
import { checkDelivery, type SenderDomain } from "./check-delivery.ts";
import { checkHtml } from "./check-html.ts";
import { checkLinks } from "./check-links.ts";
import { checkSize } from "./check-size.ts";
import { scanHtml } from "./scan-html.ts";

/** Domain of a From field, in lower case; undefined: none readable. */
export function fromDomain(source: Buffer): string | undefined {
  const from = readHeaderFields(source).fields.find(({ name }) => name.toLowerCase() === "from")?.value ?? "";
  return /@([^\s<>@",;()]{1,255})>?\s*$/.exec(from)?.[1]?.toLowerCase();
}

/** The four checks of a mail. They load nothing. */
export async function checkMail(source: Buffer, mail: ParsedMail, domain: SenderDomain | undefined) {
  const { fields } = readHeaderFields(source);
  const subject = fields.find(({ name }) => name.toLowerCase() === "subject")?.value ?? "";
  const html = mail.html === null ? null : await scanHtml(mail.html);
  const htmlBytes = mail.html === null ? null : Buffer.byteLength(mail.html);
  return [
    checkSize({ sourceBytes: source.length, htmlBytes }),
    checkLinks(html, mail.text),
    checkHtml(html),
    checkDelivery({
      domain,
      subject,
      fields: new Set(fields.map(({ name }) => name.toLowerCase())),
      text: mail.text,
      html,
      filenames: mail.attachments.flatMap(({ filename }) => filename ?? []),
    }),
  ];
}
