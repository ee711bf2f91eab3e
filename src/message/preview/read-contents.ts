import { firstCharacters } from "../../shared/first-characters.ts";
import type { MailAttachment } from "./parse-mail.ts";
import { parseMailApart } from "./parse-mail-apart.ts";
import { readHeaderFields } from "./read-header-fields.ts";

/** Characters of a body that are shown beside other things. */
const MAX_BODY_LENGTH = 1_000_000;
/** Characters of what an attachment says of itself. */
const MAX_NAME_LENGTH = 1_000;

/** All that a mail says, of a size that an answer can have whatever the mail is. @throws never: see `parseError` */
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
