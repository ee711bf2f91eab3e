import { clipped, packed } from "./clip.ts";
import type { ComposePost } from "./post.ts";
import { digestTexts, noticeTexts } from "./post-texts.ts";

/** Published limits of messages, in characters: https://docs.slack.dev/reference/block-kit/blocks. */
const MAX_HEADER = 150;
const MAX_SECTION = 3_000;
const MAX_FIELD = 2_000;
const MAX_BUTTON = 75;
/** Length of the notification text before it is escaped. Slack clips longer ones. */
const MAX_TEXT = 500;
/** Maximum number of sections for one list, so that a message has fewer than 50 blocks. */
const MAX_SECTIONS = 8;

/**
 * Bodies for an incoming webhook of Slack, or of a service with the same format. Values of alerts are plain text, in which
 * Slack finds neither markup nor mentions. Only the notification text and the links are mrkdwn, and are escaped.
 */
export const slack: ComposePost = {
  notice(view) {
    const { title, state, message, facts, alerts, context, links, link, footer } = noticeTexts(view);
    return messageOf(`${title}\n${state}`, [
      header(title),
      ...sections([state]),
      ...sections(message),
      { type: "section", fields: facts.map(([name, value]) => plain(`${name}\n${value}`, MAX_FIELD)) },
      ...sections(alerts),
      ...sections(context),
      ...packed(links.map(linkText), MAX_SECTION)
        .slice(0, MAX_SECTIONS)
        .map((text) => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } })),
      ...(link === undefined ? [] : [button("Open the incident", link)]),
      footnote(footer),
    ]);
  },

  digest(view) {
    const { title, summary, entries, footer } = digestTexts(view);
    return messageOf(`${title}\n${summary}`, [
      header(title),
      ...sections([summary]),
      ...sections(entries),
      footnote(footer),
    ]);
  },
};

function messageOf(text: string, blocks: readonly object[]) {
  return { text: escapeMrkdwn(clipped(text, MAX_TEXT)), blocks, unfurl_links: false, unfurl_media: false };
}

/** Slack rejects an empty text. */
function plain(text: string, most: number) {
  return { type: "plain_text", text: clipped(text, most) || "-", emoji: false };
}

const header = (title: string) => ({ type: "header", text: plain(title, MAX_HEADER) });

const footnote = (text: string) => ({ type: "context", elements: [plain(text, MAX_FIELD)] });

function sections(lines: readonly string[]) {
  return packed(lines, MAX_SECTION)
    .slice(0, MAX_SECTIONS)
    .map((text) => ({ type: "section", text: plain(text, MAX_SECTION) }));
}

const button = (text: string, url: string) => ({
  type: "actions",
  elements: [{ type: "button", text: plain(text, MAX_BUTTON), url }],
});

/** A link that does not fit into a section is only its text: a clipped one leads elsewhere. */
function linkText({ href, text }: { readonly href: string; readonly text: string }): string {
  const address = escapeMrkdwn(href.replace(/[<>|\s]/g, encodeURIComponent));
  const label = escapeMrkdwn(text.replaceAll("|", "/")) || "Link";
  const link = `<${address}|${label}>`;
  return link.length <= MAX_SECTION ? link : label;
}

/** Escapes the control characters of mrkdwn: https://docs.slack.dev/messaging/formatting-message-text#escaping. */
function escapeMrkdwn(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
