import { setImmediate as nextTurn } from "node:timers/promises";
import { Token, Tokenizer, TokenizerMode } from "parse5";

/** Parts of an HTML body that the checks read. */
export interface ScannedHtml {
  /** Addresses of links with their displayed text. */
  readonly links: readonly { readonly href: string; readonly text: string }[];
  readonly images: readonly { readonly src: string; readonly alt: string | null }[];
  /** Names of its elements. */
  readonly elements: ReadonlySet<string>;
  /** Contents of its `style` elements. */
  readonly sheets: string;
  /** Values of `style` attributes, each on a separate line. */
  readonly inlined: string;
  /** Visible text without blanks. */
  readonly shownLength: number;
}

/** More than any mail program shows, and more links than any reader follows. */
const MAX_LENGTH = 1_000_000;
const MAX_POSITIONS = 1_000;
const MAX_LINK_TEXT = 300;
/** Characters read in one turn of the event loop: see `findTrackablePlaces`. */
const CHARACTERS_PER_SLICE = 64 * 1024;

/**
 * Reads the first million characters of an HTML body as tokens: the time is proportional to the length for any document, and
 * other work continues between its slices.
 */
export async function scanHtml(html: string): Promise<ScannedHtml> {
  const links: { href: string; text: string }[] = [];
  const images: { src: string; alt: string | null }[] = [];
  const elements = new Set<string>();
  const sheets: string[] = [];
  const inlined: string[] = [];
  let shownLength = 0;
  let open: { href: string; text: string } | undefined;
  let hidden: "style" | "script" | "title" | undefined;

  function startTag(token: Token.TagToken): void {
    const { tagName } = token;
    elements.add(tagName);
    const style = Token.getTokenAttr(token, "style");
    if (style) inlined.push(style);
    if (tagName === "style" || tagName === "script" || tagName === "title") {
      hidden = tagName;
      tokenizer.state =
        tagName === "style"
          ? TokenizerMode.RAWTEXT
          : tagName === "title"
            ? TokenizerMode.RCDATA
            : TokenizerMode.SCRIPT_DATA;
    }
    const href = Token.getTokenAttr(token, "href");
    if ((tagName === "a" || tagName === "area") && href !== null && links.length < MAX_POSITIONS) {
      const link = { href, text: "" };
      links.push(link);
      if (tagName === "a") open = link;
    }
    if (tagName === "img" && images.length < MAX_POSITIONS) {
      images.push({ src: Token.getTokenAttr(token, "src") ?? "", alt: Token.getTokenAttr(token, "alt") });
    }
  }

  function endTag({ tagName }: Token.TagToken): void {
    if (tagName === hidden) hidden = undefined;
    if (tagName === "a") open = undefined;
  }

  function text({ chars }: Token.CharacterToken): void {
    if (hidden === "style") sheets.push(chars);
    if (hidden !== undefined) return;
    shownLength += chars.trim().length;
    if (open && open.text.length < MAX_LINK_TEXT) open.text = (open.text + chars).slice(0, MAX_LINK_TEXT);
  }

  const ignore = () => undefined;
  const tokenizer: Tokenizer = new Tokenizer(
    {},
    {
      onStartTag: startTag,
      onEndTag: endTag,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: text,
      onNullCharacter: ignore,
      onWhitespaceCharacter: text,
    },
  );
  const read = html.slice(0, MAX_LENGTH);
  for (let at = 0; at < read.length; at += CHARACTERS_PER_SLICE) {
    if (at > 0) await nextTurn();
    tokenizer.write(read.slice(at, at + CHARACTERS_PER_SLICE), false);
  }
  tokenizer.write("", true);
  return { links, images, elements, sheets: sheets.join(""), inlined: inlined.join("\n"), shownLength };
}
