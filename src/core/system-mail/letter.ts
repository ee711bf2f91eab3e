import { hasBidiControl } from "../../message/characters.ts";
import type { Mailbox, MessageContent } from "../../message/content.ts";
import { escapeHtml } from "../../shared/escape-html.ts";

/** A mail that Hermod itself writes: plain sentences, and at most one link. */
export interface Letter {
  readonly subject: string;
  /** Text before the link. */
  readonly paragraphs: readonly string[];
  readonly link?: {
    /** Action of the link, as on a button. */
    readonly label: string;
    readonly url: string;
  };
  /** Text after the link: its validity, and advice for a recipient who did not expect the mail. */
  readonly closing: readonly string[];
}

/** Automatic responders do not answer such mail (RFC 3834 section 5). */
const AUTOMATIC = [{ name: "Auto-Submitted", value: "auto-generated" }] as const;

/** A letter as text and as html with the same content; it loads nothing from other servers. */
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
/** Text that a mail program would turn into a link, or that a reader could mistake for an address. */
const LINK_LIKE = /[/\\@<>]|\S[.:]\S/;

/**
 * A user-supplied name in a form that is safe in mail to others: mail in the operator's name must not contain
 * advertising of other people.
 * @returns undefined: it is omitted
 */
export function nameInMail(name: string): string | undefined {
  const text = name.replace(/\s+/g, " ").trim();
  if (text === "" || text.length > MAX_NAME_LENGTH || LINK_LIKE.test(text) || hasBidiControl(text))
    return undefined;
  return text;
}
