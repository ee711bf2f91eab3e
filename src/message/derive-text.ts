import { compile } from "html-to-text";

// The parser keeps its open elements in an array and searches it at every closing tag: quadratic in hostile input.
// At this many tags the worst case is a fraction of a second; mail that people read has a few thousand at most.
const MAX_TAGS = 20_000;
// Each level costs several stack frames. Nested layout tables reach about 50.
const MAX_DEPTH = 128;

const toText = compile({
  // No wrapping: a wrapped line cannot be told from a meant one, and clients wrap to their own window.
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, ellipsis: "…" },
  selectors: [
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
    { selector: "img", format: "imageAlt" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
  formatters: {
    // The address of a picture tells a reader of text nothing; its description may.
    imageAlt: (element, _walk, builder) => builder.addInline(element.attribs?.alt ?? "", { noWordTransform: true }),
  },
});

/**
 * The text shown where html cannot be: links as `text [url]`, images as their alt text, tables row by row.
 * `undefined` if there is nothing to say, or if the html has more than 20,000 tags: such a message is sent as
 * html alone. Elements nested deeper than 128 are replaced by an ellipsis.
 */
export function deriveText(html: string): string | undefined {
  if (hasTooManyTags(html)) return undefined;
  const text = toText(html).trim();
  return text === "" ? undefined : text;
}

function hasTooManyTags(html: string): boolean {
  let count = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at + 1)) {
    if (++count > MAX_TAGS) return true;
  }
  return false;
}
