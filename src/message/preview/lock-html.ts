import { type MailAttachment, rasterType } from "./parse-mail.ts";

/**
 * `<link rel=preconnect>` ignores every policy, and a browser connects to the host of a frame before it checks the frame's
 * policy.
 */
const CONNECTING = /<(link|iframe|frame|object|embed|portal|fencedframe)(?=[\s/>])/gi;

/** A short mail may name one picture a million times: beyond this many characters references stay unchanged. */
const INLINED_MAX_LENGTH = 20 * 1024 * 1024;

const CID = /\bcid:([^"'\s<>)]{1,256})/gi;
/** `=` of an attribute or `(` of a css url, then perhaps blanks and a quote. */
const BEFORE_URL = /[=(][ \t\r\n]{0,4}["']?[ \t\r\n]{0,4}$/;

/**
 * Prepares the html of a mail for a response under MAIL_CSP, which makes it harmless. This adds the parts that a policy cannot
 * do: inline pictures become `data:` URLs (so that nothing is loaded), links open a new tab, and elements for which browsers
 * connect before they check the policy are disabled.
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

/** RFC 2392: a cid URL is the percent-encoded Content-ID; html may also escape its `&` and `@`. */
function readContentId(id: string): string {
  const plain = id.replace(/&(?:#64|#x40|commat);/gi, "@").replace(/&amp;/gi, "&");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** Inserted after the doctype, because the doctype decides the layout mode. */
function openLinksInNewTab(html: string): string {
  const doctype = /^\s{0,100}<!doctype[^>]{0,500}>/i.exec(html)?.[0] ?? "";
  return `${doctype}<base target="_blank">${html.slice(doctype.length)}`;
}
