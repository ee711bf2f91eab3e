import type { Severity } from "../alert.ts";
import { clipped } from "./clip.ts";
import type { ComposePost } from "./post.ts";
import { digestTexts, noticeTexts } from "./post-texts.ts";

/**
 * Maximum size of a message, in bytes of its JSON: 28 KB, less a reserve for what Teams adds.
 * https://learn.microsoft.com/microsoftteams/limits-specifications-teams#chat
 */
const MAX_BYTES = 27 * 1024;

/** Maximum numbers and lengths of the parts of a card. */
interface Capacity {
  readonly lines: number;
  readonly alerts: number;
  readonly context: number;
  readonly links: number;
  readonly length: number;
}

/** From the whole notice to a short form, which fits whatever the alert contains. */
const CAPACITIES: readonly [Capacity, ...Capacity[]] = [
  { lines: 60, alerts: 26, context: 41, links: 5, length: 1_000 },
  { lines: 30, alerts: 15, context: 20, links: 5, length: 500 },
  { lines: 10, alerts: 8, context: 8, links: 3, length: 300 },
  { lines: 4, alerts: 4, context: 3, links: 1, length: 150 },
  { lines: 2, alerts: 2, context: 0, links: 0, length: 120 },
];
const MAX_TITLE = 150;
const MAX_VALUE = 200;
const MAX_BUTTON = 60;
/** Longer addresses have no button. */
const MAX_HREF = 2_000;

type Color = "Attention" | "Warning" | "Accent" | "Good";
const COLORS: Readonly<Record<Severity, Color>> = {
  critical: "Attention",
  warning: "Warning",
  info: "Accent",
};

/**
 * Bodies for a workflow of Microsoft Teams that posts an adaptive card. Values of alerts are text runs: cards render
 * Markdown only in other elements.
 */
export const teams: ComposePost = {
  notice(view) {
    const { title, state, message, facts, alerts, context, links, link, footer } = noticeTexts(view);
    const { notice } = view;
    const color = notice.state === "resolved" ? "Good" : COLORS[notice.severity];
    return fitting((capacity) => ({
      body: [
        heading(title, color),
        ...paragraphs([state], capacity.length, 1),
        ...paragraphs(message, capacity.length, capacity.lines),
        ...facts.map(([name, value]) => fact(name, value)),
        ...paragraphs(alerts, capacity.length, capacity.alerts),
        ...paragraphs(context, capacity.length, capacity.context),
        footnote(footer),
      ],
      actions: [
        ...(link === undefined ? [] : [openUrl("Open the incident", link)]),
        ...links
          .filter(({ href }) => href.length <= MAX_HREF)
          .slice(0, capacity.links)
          .map(({ href, text }) => openUrl(text, href)),
      ],
    }));
  },

  digest(view) {
    const { title, summary, entries, footer } = digestTexts(view);
    return fitting((capacity) => ({
      body: [
        heading(title, "Accent"),
        ...paragraphs([summary], capacity.length, 1),
        ...paragraphs(entries, capacity.length, capacity.alerts),
        footnote(footer),
      ],
      actions: [],
    }));
  },
};

interface Content {
  readonly body: readonly object[];
  readonly actions: readonly object[];
}

/** The message with the most content that fits. */
function fitting(contentOf: (capacity: Capacity) => Content): unknown {
  const messages = CAPACITIES.map((capacity) => () => messageOf(contentOf(capacity)));
  for (const compose of messages) {
    const message = compose();
    if (Buffer.byteLength(JSON.stringify(message)) <= MAX_BYTES) return message;
  }
  return messages.at(-1)?.();
}

/** https://learn.microsoft.com/connectors/teams#microsoft-teams-webhook */
function messageOf({ body, actions }: Content) {
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body,
    ...(actions.length > 0 && { actions }),
  };
  const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content };
  return { type: "message", attachments: [attachment] };
}

function heading(text: string, color: Color) {
  return block({ text: clipped(text, MAX_TITLE), weight: "Bolder", size: "Large", color });
}

function paragraphs(lines: readonly string[], length: number, most: number) {
  const shown = lines.slice(0, most).map((line) => block({ text: clipped(line, length) }));
  const omitted = lines.length - shown.length;
  return omitted > 0 && most > 0 ? [...shown, block({ text: `… ${omitted} more lines` })] : shown;
}

function fact(name: string, value: string) {
  return block({ text: `${name}: `, weight: "Bolder" }, { text: clipped(value, MAX_VALUE) });
}

const footnote = (text: string) => block({ text: clipped(text, MAX_VALUE), isSubtle: true, size: "Small" });

/** A card with an empty text is invalid. */
function block(...runs: readonly { readonly text: string; readonly [style: string]: unknown }[]) {
  return {
    type: "RichTextBlock",
    inlines: runs.map(({ text, ...style }) => ({ type: "TextRun", text: text || " ", ...style })),
  };
}

const openUrl = (title: string, url: string) => ({
  type: "Action.OpenUrl",
  title: clipped(title, MAX_BUTTON) || "Link",
  url,
});
