import { type MailAttachment, rasterType } from "./parse-mail.ts";

/** `<link rel=preconnect>` heeds no policy, and a frame's host is connected to before its policy is looked at. */
const CONNECTING = /<(link|iframe|frame|object|embed|portal|fencedframe)(?=[\s/>])/gi;

/** A short mail may name one picture a million times: beyond this many characters references stay as they are. */
const INLINED_MAX_LENGTH = 20 * 1024 * 1024;

const CID = /\bcid:([^"'\s<>)]{1,256})/gi;
/** `=` of an attribute or `(` of a css url, then perhaps blanks and a quote. */
const BEFORE_URL = /[=(][ \t\r\n]{0,4}["']?[ \t\r\n]{0,4}$/;

/**
 * The html of a mail for an answer under MAIL_CSP, which is what makes it harmless. This adds what a policy
 * cannot do: pictures of the mail itself become `data:` (so that nothing has to be loaded), links open a new
 * tab, and elements for which browsers open a connection before they look at the policy are disabled.
 */
export function lockHtml(html: string, attachments: readonly MailAttachment[]): string {
  return openLinksInNewTab(inlinePictures(html.replace(CONNECTING, "<disabled-$1"), attachments));
}

function inlinePictures(html: string, attachments: readonly MailAttachment[]): string {
  const pictures = new Map<string, string>();
  for (const attachment of attachments) {
    const type = rasterType(attachment);
    if (!type || attachment.contentId === null || pictures.has(attachment.contentId)) continue;
    pictures.set(attachment.contentId, `data:${type};base64,${attachment.content.toString("base64")}`);
  }
  if (pictures.size === 0) return html;

  let left = INLINED_MAX_LENGTH;
  return html.replace(CID, (reference: string, id: string, offset: number) => {
    const picture = pictures.get(readContentId(id));
    if (picture === undefined || picture.length > left) return reference;
    if (!BEFORE_URL.test(html.slice(Math.max(0, offset - 10), offset))) return reference;
    left -= picture.length;
    return picture;
  });
}

/** RFC 2392: a cid URL is the Content-ID percent-encoded; html may escape its `&` and `@` besides. */
function readContentId(id: string): string {
  const plain = id.replace(/&(?:#64|#x40|commat);/gi, "@").replace(/&amp;/gi, "&");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** Put behind the doctype, whose absence or presence decides how the page is laid out. */
function openLinksInNewTab(html: string): string {
  const doctype = /^\s{0,100}<!doctype[^>]{0,500}>/i.exec(html)?.[0] ?? "";
  return `${doctype}<base target="_blank">${html.slice(doctype.length)}`;
}
