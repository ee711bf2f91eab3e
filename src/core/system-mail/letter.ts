import { hasBidiControl } from "../../message/characters.ts";
import type { Mailbox, MessageContent } from "../../message/content.ts";
import { escapeHtml } from "../../shared/escape-html.ts";

/** What Hermod itself writes to somebody: plain sentences, and at most one link to follow. */
export interface Letter {
  readonly subject: string;
  /** Before the link. */
  readonly paragraphs: readonly string[];
  readonly link?: {
    /** What following it does, as on a button. */
    readonly label: string;
    readonly url: string;
  };
  /** After the link: how long it holds, and what to do if one knows nothing of it. */
  readonly closing: readonly string[];
}

/** Programs that answer mail by themselves leave it alone (RFC 3834 section 5). */
const AUTOMATIC = [{ name: "Auto-Submitted", value: "auto-generated" }] as const;

/** A letter as text and as html that says the same; nothing in it is fetched from anywhere. */
export function composeLetter(letter: Letter, from: Mailbox, to: Mailbox): MessageContent {
  return {
    from,
    to: [to],
    replyTo: [],
    subject: letter.subject,
    text: textOf(letter),
    html: htmlOf(letter),
    headers: AUTOMATIC,
    attachments: [],
  };
}

function textOf({ paragraphs, link, closing }: Letter): string {
  const middle = link ? [`${link.label}:\n${link.url}`] : [];
  return `${[...paragraphs, ...middle, ...closing].join("\n\n")}\n`;
}

function htmlOf({ subject, paragraphs, link, closing }: Letter): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const url = escapeHtml(link?.url ?? "");
  const middle = link
    ? [
        `<p><a href="${url}" style="${BUTTON}">${escapeHtml(link.label)}</a></p>`,
        `<p style="font-size:13px;color:#52606d;word-break:break-all">${url}</p>`,
      ]
    : [];
  const body = [...paragraphs.map(paragraph), ...middle, ...closing.map(paragraph)].join("\n");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1f2933;max-width:36em;margin:2em auto">
${body}
</body></html>
`;
}

const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4e8c;color:#ffffff;text-decoration:none";

const MAX_NAME_LENGTH = 60;
/** What a mail program would make a link of, or a reader take for an address. */
const LINK_LIKE = /[/\\@<>]|\S[.:]\S/;

/**
 * A name that users give, as it may stand in mail to others: mail that leaves in the operator's name must not carry a
 * stranger's advertisement.
 * @returns undefined: it is left out
 */
export function nameInMail(name: string): string | undefined {
  const text = name.replace(/\s+/g, " ").trim();
  if (text === "" || text.length > MAX_NAME_LENGTH || LINK_LIKE.test(text) || hasBidiControl(text))
    return undefined;
  return text;
}
