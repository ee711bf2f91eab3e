import { type BlockTextBuilder, compile, type Element, type Walk } from "html-to-text";

// The converter is quadratic in some hostile input: it searches its open elements at every closing tag, and re-indents every
// line at each level of a list. Within these bounds the worst known input takes a third of a second.
const MAX_TAGS_AND_LINES = 20_000;
const MAX_DEPTH = 64;
const MAX_LENGTH = 1_000_000;

/** Links that a reader of text can open; others (`#top`, `javascript:`, `cid:`) work only in html. */
const FOLLOWABLE = /^(?:https?:\/\/|mailto:|tel:)/i;

const toText = compile({
  // No wrapping: wrapped lines are indistinguishable from intended ones, and clients wrap to their own window.
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, ellipsis: "…" },
  selectors: [
    { selector: "a", format: "link" },
    { selector: "img", format: "imageAlt" },
    { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: "td", format: "cell" },
    { selector: "th", format: "cell" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    ...["head", "script", "style", "title"].map((selector) => ({ selector, format: "skip" })),
  ],
  formatters: { link, imageAlt, cell },
});

/**
 * The text alternative of html: links as `text [url]`, images as their alt text, tables row by row. `undefined` if it is empty,
 * if html or text has over 1,000,000 characters, or the html over 20,000 tags and preformatted lines: such a message is sent as
 * html only. Elements nested deeper than 64 become an ellipsis.
 */
export function deriveText(html: string): string | undefined {
  if (html.length > MAX_LENGTH) return undefined;
  const lines = /<pre/i.test(html) ? count(html, "\n") : 0;
  if (count(html, "<") + lines > MAX_TAGS_AND_LINES) return undefined;
  const text = convert(html).trim();
  return text === "" || text.length > MAX_LENGTH ? undefined : text;
}

function convert(html: string): string {
  try {
    return toText(html);
  } catch {
    // It throws for some valid html, such as a list in Roman numbers that starts at a billion.
    return "";
  }
}

function count(text: string, char: string): number {
  let occurrences = 0;
  for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) occurrences++;
  return occurrences;
}

// Instead of the converter's own function, which collects the text within every link repeatedly if links are nested.
function link(element: Element, walk: Walk, builder: BlockTextBuilder): void {
  walk(element.children, builder);
  const href = element.attribs?.href?.trim() ?? "";
  const target = href.replace(/^mailto:/i, "");
  const [only, ...others] = element.children;
  const isItsOwnText = others.length === 0 && only?.data?.trim() === target;
  if (FOLLOWABLE.test(href) && !isItsOwnText) builder.addInline(` [${target}]`, { noWordTransform: true });
}

/** The address of a picture does not help a reader of text; its description may. */
function imageAlt(element: Element, _walk: Walk, builder: BlockTextBuilder): void {
  builder.addInline(element.attribs?.alt ?? "", { noWordTransform: true });
}

function cell(element: Element, walk: Walk, builder: BlockTextBuilder): void {
  builder.addInline(" ");
  walk(element.children, builder);
  builder.addInline(" ");
}
