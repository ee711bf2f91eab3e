// Html is changed by splicing at token positions. A parser that writes the document again repairs it, and some mail only
// works unrepaired. A tree is quadratic for hostile nesting.

import { setImmediate as nextTurn } from "node:timers/promises";
import { Token, Tokenizer, TokenizerMode } from "parse5";
import { escapeHtml } from "../../shared/escape-html.ts";

/** A replacement of a piece of a document; `from` and `to` are indexes of UTF-16 units. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** An `a` with an `href` that may be replaced. */
export interface Link {
  /** The attribute's value, decoded. */
  readonly href: string;
  /** Position of the value, without its quotes. */
  readonly from: number;
  readonly to: number;
}

/** Trackable parts of a document. */
export interface TrackableParts {
  readonly links: readonly Link[];
  /** Position of a pixel: before the last `</body>` or `</html>`, or at the end. */
  readonly pixelAt: number;
}

/** Attribute of an `a` that opts out. */
const OPT_OUT_ATTRIBUTE = "data-hermod-track";

/** Elements with content that is always text (HTML, section 13.2.6.4.4 and 13.2.6.4.7). */
const TEXT_MODES: ReadonlyMap<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> = new Map([
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
  ["style", TokenizerMode.RAWTEXT],
  ["xmp", TokenizerMode.RAWTEXT],
  ["iframe", TokenizerMode.RAWTEXT],
  ["noembed", TokenizerMode.RAWTEXT],
  ["noframes", TokenizerMode.RAWTEXT],
  ["script", TokenizerMode.SCRIPT_DATA],
  ["plaintext", TokenizerMode.PLAINTEXT],
]);

/** Characters read in one turn of the event loop: a tag of only attributes takes about 40 ms. */
const CHARACTERS_PER_SLICE = 64 * 1024;

/** `href = "`, up to the beginning of its value. */
const BEFORE_VALUE = /^href[\t\n\f\r ]*=[\t\n\f\r ]*(["']?)/i;

/**
 * Finds the links of a document and the position of a pixel. Text in comments, also conditional ones, in `template`s and in
 * text elements contains no links. It scans tokens without building a tree: the time is proportional to the length for any
 * document. Other work of the thread continues between slices of the document.
 */
export async function findTrackableParts(
  html: string,
  charactersPerSlice = CHARACTERS_PER_SLICE,
): Promise<TrackableParts> {
  const links: Link[] = [];
  let templates = 0;
  let bodyEnd: number | undefined;
  let htmlEnd: number | undefined;

  function startTag(token: Token.TagToken): void {
    const { tagName } = token;
    const mode = TEXT_MODES.get(tagName);
    if (mode !== undefined) tokenizer.state = mode;
    if (tagName === "template") templates++;
    if (tagName !== "a" || templates > 0) return;
    const link = linkOf(html, token);
    if (link) links.push(link);
  }

  function endTag({ tagName, location }: Token.TagToken): void {
    if (tagName === "template" && templates > 0) templates--;
    if (templates > 0) return;
    if (tagName === "body") bodyEnd = location?.startOffset;
    if (tagName === "html") htmlEnd = location?.startOffset;
  }

  const ignore = () => undefined;
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: startTag,
      onEndTag: endTag,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  );
  for (let at = 0; at < html.length; at += charactersPerSlice) {
    if (at > 0) await nextTurn();
    tokenizer.write(html.slice(at, at + charactersPerSlice), false);
  }
  tokenizer.write("", true);
  return { links, pixelAt: bodyEnd ?? htmlEnd ?? html.length };
}

function linkOf(html: string, token: Token.TagToken): Link | undefined {
  const href = Token.getTokenAttr(token, "href");
  const position = token.location?.attrs?.href;
  if (href === null || !position) return undefined;
  if (Token.getTokenAttr(token, OPT_OUT_ATTRIBUTE)?.trim().toLowerCase() === "off") return undefined;
  const attribute = html.slice(position.startOffset, position.endOffset);
  const [before, quote] = BEFORE_VALUE.exec(attribute) ?? [];
  if (before === undefined) return undefined;
  const isQuoted = quote !== "";
  if (isQuoted && !attribute.endsWith(quote ?? "")) return undefined;
  const from = position.startOffset + before.length;
  const to = isQuoted ? position.endOffset - 1 : position.endOffset;
  return from < to ? { href, from, to } : undefined;
}

/** Applies the replacements to the document; the rest stays unchanged. */
export function spliceHtml(html: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, by } of [...splices].sort((a, b) => a.from - b.from)) {
    pieces.push(html.slice(at, from), by);
    at = to;
  }
  pieces.push(html.slice(at));
  return pieces.join("");
}

/** An invisible picture of one pixel. */
export function pixelTag(url: string): string {
  return `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px">`;
}
