import { firstCharacters } from "../../shared/first-characters.ts";
import type { MailAttachment } from "./parse-mail.ts";
import { parseMailApart } from "./parse-mail-apart.ts";
import { readHeaderFields } from "./read-header-fields.ts";

/** Characters of a body that are shown beside other data. */
const MAX_BODY_LENGTH = 1_000_000;
/** Characters of the metadata of an attachment. */
const MAX_NAME_LENGTH = 1_000;

/** Content of a mail, limited to a size for a response. @throws never: see `parseError` */
export async function readContents(source: Buffer) {
  const { html, text, attachments, parseError } = await parseMailApart(source);
  const { fields: headers, isWhole } = readHeaderFields(source);
  const isLong = [html, text].some((body) => (body?.length ?? 0) > MAX_BODY_LENGTH);
  return {
    headers,
    text: shortened(text, MAX_BODY_LENGTH),
    html: shortened(html, MAX_BODY_LENGTH),
    is_shortened: isLong || !isWhole,
    attachments: attachments.map(summaryOf),
    parse_error: parseError,
  };
}

function summaryOf({ filename, contentType, content, contentId, disposition }: MailAttachment) {
  return {
    filename: shortened(filename, MAX_NAME_LENGTH),
    content_type: contentType.slice(0, MAX_NAME_LENGTH),
    size_bytes: content.length,
    content_id: shortened(contentId, MAX_NAME_LENGTH),
    disposition,
  };
}

/** Half a surrogate pair at its end becomes U+FFFD. */
function shortened(text: string | null, maxLength: number): string | null {
  return text === null ? null : firstCharacters(text, maxLength);
}
