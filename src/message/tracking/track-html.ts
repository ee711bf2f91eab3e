import { escapeHtml } from "../../shared/escape-html.ts";
import { findTrackableParts, type Link, pixelTag, type Splice, spliceHtml } from "./splice-html.ts";
import { MAX_TARGET_LENGTH, type TrackingTokens } from "./token.ts";

/** Tracking settings of one message. */
export interface Tracked {
  readonly opens: boolean;
  readonly clicks: boolean;
}

export interface TrackHtmlInput {
  readonly html: string;
  readonly messageId: string;
  readonly tracked: Tracked;
  /** Alias of the base URL for links; missing: the base URL itself. */
  readonly base?: string | undefined;
  /** Values of the message's List-Unsubscribe fields: links to them stay unchanged. */
  readonly listUnsubscribe: readonly string[];
  /** Html of the earlier parts of the message: the limits apply to all of them together. Missing: none. */
  readonly before?: HtmlSize;
}

export interface HtmlSize {
  readonly characters: number;
  readonly links: number;
}

export const NO_HTML: HtmlSize = { characters: 0, links: 0 };

export type TrackHtmlResult =
  /** `size` includes the html of earlier parts. */
  | { readonly ok: true; readonly html: string; readonly size: HtmlSize }
  /** `reason` is the end of a sentence: why the document stays unchanged. */
  | { readonly ok: false; readonly reason: string; readonly cause: Untracked };

/** Cause of missing tracking, for translations. */
export type Untracked =
  | "no_base_url"
  | "long_html"
  | "many_links"
  | "signed"
  | "sealed_part"
  | "parts"
  | "encoding"
  | "charset"
  | "unreadable";

export type TrackHtml = (input: TrackHtmlInput) => Promise<TrackHtmlResult>;

/** The limit of derived plain text, and more than any mail program shows. */
const MAX_HTML_LENGTH = 1_000_000;
const MAX_LINKS = 1_000;
/** White space and control characters, which URLs lose at their ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the URL standard strips
const ENDS = /^[\u0000-\u0020]+|[\u0000-\u0020]+$/g;
const WEB = /^https?:\/\//i;
const ANGLE_URL = /<([^<>]*)>/g;

/**
 * Redirects links of `a` through Hermod, and adds a pixel. The rest of the document stays unchanged, character by character.
 * Not changed: links of other schemes, relative ones and fragments, links that opt out (`data-hermod-track="off"`), links in
 * List-Unsubscribe, links to Hermod itself, and URLs of more than 2,000 characters. A message with html of over 1,000,000
 * characters or 1,000 links is not tracked at all.
 *
 * @param baseUrl public address of the HTTP API, with or without a slash at its end
 */
export function createTrackHtml(baseUrl: string, tokens: TrackingTokens): TrackHtml {
  const ownBase = new URL(baseUrl).href.replace(/\/+$/, "");

  function targetOf({ href }: Link, base: string, unsubscribeTargets: ReadonlySet<string>) {
    const stripped = href.replace(ENDS, "");
    if (!WEB.test(stripped) || !URL.canParse(stripped)) return undefined;
    const target = new URL(stripped).href;
    const isOwn = [base, ownBase].some((own) => target.startsWith(`${own}/`));
    if (target.length > MAX_TARGET_LENGTH || isOwn) return undefined;
    return unsubscribeTargets.has(target) ? undefined : target;
  }

  return async ({ html, messageId, tracked, base = ownBase, listUnsubscribe, before = NO_HTML }) => {
    const characters = before.characters + html.length;
    if (characters > MAX_HTML_LENGTH) {
      return { ok: false, reason: `its html has over ${MAX_HTML_LENGTH} characters`, cause: "long_html" };
    }
    const { links, pixelAt } = await findTrackableParts(html);
    const size = { characters, links: before.links + links.length };
    if (tracked.clicks && size.links > MAX_LINKS) {
      return { ok: false, reason: `it has over ${MAX_LINKS} links`, cause: "many_links" };
    }
    const unsubscribeTargets = targetsOf(listUnsubscribe);
    const clicks = (tracked.clicks ? links : []).flatMap((link): Splice[] => {
      const target = targetOf(link, base, unsubscribeTargets);
      if (target === undefined) return [];
      const url = `${base}/t/c/${tokens.encode({ kind: "clicked", messageId, target })}`;
      return [{ from: link.from, to: link.to, by: escapeHtml(url) }];
    });
    const pixelUrl = `${base}/t/o/${tokens.encode({ kind: "opened", messageId })}`;
    const opens = tracked.opens ? [{ from: pixelAt, to: pixelAt, by: pixelTag(pixelUrl) }] : [];
    return { ok: true, html: spliceHtml(html, [...clicks, ...opens]), size };
  };
}

/** Web addresses in List-Unsubscribe fields (RFC 2369 section 2). */
function targetsOf(fields: readonly string[]): ReadonlySet<string> {
  const named = fields.flatMap((field) => [...field.matchAll(ANGLE_URL)].map(([, url = ""]) => url.trim()));
  return new Set(named.filter((url) => URL.canParse(url)).map((url) => new URL(url).href));
}
