import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTurns } from "../../../test/harness/count-turns.ts";
import { newsletter } from "../../../test/harness/newsletter.ts";
import { findTrackableParts, pixelTag, spliceHtml } from "./splice-html.ts";
import { createTrackingTokens } from "./token.ts";
import { createTrackHtml } from "./track-html.ts";

const BASE = "https://mail.example.com/hermod";
const tokens = createTrackingTokens(Buffer.alloc(32, 1));
const trackHtml = createTrackHtml(`${BASE}/`, tokens);
const messageId = "msg_01k9z4c3r8h2v6y0n5t7w1x3q9";
const listUnsubscribe = ["<https://list.example/unsubscribe?u=1&l=2>, <mailto:off@list.example>"];
const both = { opens: true, clicks: true };
const pixel = pixelTag(`${BASE}/t/o/${tokens.encode({ kind: "opened", messageId })}`);

async function tracked(html: string, wanted = { opens: false, clicks: true }): Promise<string> {
  const result = await trackHtml({ html, messageId, tracked: wanted, listUnsubscribe });
  if (!result.ok) throw new Error(result.reason);
  return result.html;
}

function urlOf(target: string): string {
  return `${BASE}/t/c/${tokens.encode({ kind: "clicked", messageId, target })}`;
}

/** The html with its tracked links replaced by the originals. */
function undone(html: string, links: readonly string[]): string {
  let at = 0;
  return html.replace(
    /https:\/\/mail\.example\.com\/hermod\/t\/c\/[A-Za-z0-9_-]+/g,
    () => links[at++] ?? "?",
  );
}

describe("newsletters", () => {
  it.each(Array.from({ length: 200 }, (_, seed) => seed))(
    "keep everything but their links, character by character (%i)",
    async (seed) => {
      const { html, links, pixelAt } = newsletter(seed);
      const wanted = spliceHtml(html, [
        ...links.map(({ from, to, target }) => ({ from, to, by: urlOf(target) })),
        { from: pixelAt, to: pixelAt, by: pixel },
      ]);
      expect(await tracked(html, both)).toBe(wanted);
      expect(await tracked(html, { opens: false, clicks: false })).toBe(html);
    },
  );
});

describe("a link", () => {
  it.each([
    ['<a href="https://a.example/?x=1&amp;y=2">', "https://a.example/?x=1&y=2"],
    ["<a href='https://a.example/'>", "https://a.example/"],
    ["<a href=https://a.example/>", "https://a.example/"],
    ["<a href=https://a.example/ >", "https://a.example/"],
    ['<A HREF = "https://a.example/" >', "https://a.example/"],
    ['<a href=" https://a.example/ ">', "https://a.example/"],
    ['<a href="HTTP://A.example">', "http://a.example/"],
    ['<a href="https://b\u00fccher.example/\u00fc">', "https://xn--bcher-kva.example/%C3%BC"],
    ['<a href="https://a.example/" href="https://b.example/">', "https://a.example/"],
    ['<a title="a > b" href="https://a.example/"/>', "https://a.example/"],
    ['<svg><a href="https://a.example/"></svg>', "https://a.example/"],
  ])("of %s is tracked, in its quotes", async (html, target) => {
    const given = html.match(/https?:[^"'>\s]*|HTTP:[^"]*/i)?.[0] ?? "";
    const to = await tracked(html);
    expect(to).toContain(urlOf(target));
    const spaced = html.includes('" https') ? ` ${given} ` : given;
    expect(to.replace(urlOf(target), spaced)).toBe(html);
  });

  it.each([
    '<a href="mailto:a@b.example">',
    '<a href="javascript:alert(1)">',
    '<a href="ftp://a.example/">',
    '<a href="//a.example/">',
    '<a href="#x">',
    '<a href="https://">',
    '<a href="https://a b.example/">',
    `<a href="${BASE}/u/abc">`,
    '<a data-hermod-track=" Off " href="https://a.example/">',
    '<a href="https://list.example/unsubscribe?l=2&amp;u=1">'.replace("l=2&amp;u=1", "u=1&amp;l=2"),
    `<a href="https://a.example/${"a".repeat(2_000)}">`,
    '<a xlink:href="https://a.example/">',
    '<abbr href="https://a.example/">',
    '<link href="https://a.example/">',
    '<a href="https://a.example/',
    "<plaintext><a href='https://a.example/'>",
    "<iframe><a href='https://a.example/'></iframe>",
    "<svg><![CDATA[<a href='https://a.example/'>]]></svg>",
  ])("of %s stays unchanged", async (html) => {
    expect(await tracked(html)).toBe(html);
  });

  it("is tracked unless the opt-out is off", async () => {
    expect(await tracked('<a data-hermod-track="on" href="https://a.example/">')).toContain("/t/c/");
  });

  it("of a base URL with characters of html is escaped", async () => {
    const track = createTrackHtml("https://mail.example.com/a&b", tokens);
    const result = await track({
      html: "<a href='https://a.example/'>",
      messageId,
      tracked: both,
      listUnsubscribe,
    });
    expect(result.ok && result.html).toContain("<a href='https://mail.example.com/a&amp;b/t/c/");
  });
});

describe("a pixel", () => {
  const opened = (html: string) => tracked(html, { opens: true, clicks: false });

  it.each([
    ["<body>x|</body></html>"],
    ["<BODY>x|</BODY >\r\n</HTML>"],
    ["<p>x|</html>\n"],
    ["x|"],
    ["<body>a</body><p>b|</body>"],
    ["<style></body></style><!-- </body> -->x|"],
    ["<template></body></template>x|</body>"],
  ])("is at | in %s", async (html) => {
    expect(await opened(html.replace("|", ""))).toBe(html.replace("|", pixel));
  });
});

describe("any document", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ..."<>\"'=/ \t\n\r\f&;!-[]\0",
      "<a ",
      "</a>",
      "href",
      "HREF=",
      'href="https://a.example/"',
      "href=https://a.example/?a=1&amp;b=2",
      "https://a.example/",
      "\r\n",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<style>",
      "</style>",
      "<script>",
      "<!--<script",
      "</script>",
      "<textarea>",
      "</textarea>",
      "<template>",
      "</template>",
      "</body>",
      "\ud83d\ude00",
      "\ud83d",
      "\ufeff",
      "&amp;",
      "&#0;",
    ),
    fc.string({ unit: "binary", maxLength: 3 }),
  );

  it("differs only in the values of links and in the pixel", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const html = pieces.join("");
        const to = await tracked(html, both);
        const [before = "", after = "", ...more] = to.split(pixel);
        expect(more).toEqual([]);
        const withoutPixel = before + after;
        const found = [...withoutPixel.matchAll(/\/t\/c\/([A-Za-z0-9_-]+)/g)];
        // The text before and after identifies the former content.
        const around = withoutPixel.split(/https:\/\/mail\.example\.com\/hermod\/t\/c\/[A-Za-z0-9_-]+/);
        expect(around).toHaveLength(found.length + 1);
        let at = 0;
        for (const [index, part] of around.entries()) {
          const next = html.indexOf(part, at);
          expect(next).toBeGreaterThanOrEqual(at);
          if (index > 0) {
            const value = html.slice(at, next);
            expect(value.trim().slice(0, 4).toLowerCase()).toBe("http");
          } else expect(next).toBe(0);
          at = next + part.length;
        }
        expect(html.endsWith(around.at(-1) ?? "")).toBe(true);
      }),
      { numRuns: Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 500) },
    );
  });

  it("has the same links wherever it is split between turns", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (pieces, size) => {
          const html = pieces.join("");
          expect(await findTrackableParts(html, size)).toEqual(await findTrackableParts(html));
        },
      ),
      { numRuns: Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 500) },
    );
  });

  it("equals the original when its links are restored", async () => {
    const values = ["https://a.example/?x=1&amp;y=\u00fc", "http://b.example/\ud83d\ude00"];
    const html = `\r\n<p>\ud83d\ude00<a href="${values[0]}">\r\n<a href='${values[1]}'>\r`;
    expect(undone(await tracked(html), values)).toBe(html);
  });
});

describe("the work is limited", () => {
  const refusal = (html: string) => trackHtml({ html, messageId, tracked: both, listUnsubscribe });

  it.each([
    ["one tag of attributes", `<a ${Array.from({ length: 200_000 }, (_, at) => at.toString(36)).join(" ")}>`],
    ["links", '<a href="">'.repeat(90_000)],
    ["comments", "<!---->".repeat(140_000)],
    ["text", "x".repeat(1_000_000)],
  ])("lets other work run after every 64 K characters (%s)", async (_, html) => {
    const slices = Math.floor(html.length / 65_536);
    expect(await countTurns(() => tracked(html, { opens: true, clicks: false }))).toBeGreaterThanOrEqual(
      slices,
    );
  });

  it("no tracking beyond the limit of links or characters", async () => {
    expect(await refusal('<a href="https://a.example/">'.repeat(1_001))).toEqual({
      ok: false,
      reason: "it has over 1000 links",
      cause: "many_links",
    });
    expect(await refusal('<a href="https://a.example/">'.repeat(1_000))).toMatchObject({ ok: true });
    expect(await refusal("x".repeat(1_000_001))).toEqual({
      ok: false,
      reason: "its html has over 1000000 characters",
      cause: "long_html",
    });
  });
});

it("links use another host instead of the base URL, and links to either are not tracked", async () => {
  const base = "https://hm-track.example.com";
  const html = `<a href="https://shop.example/">x</a><a href="${base}/u/1">y</a><a href="${BASE}/u/2">z</a>`;
  const result = await trackHtml({ html, messageId, tracked: both, base, listUnsubscribe });
  const own = tokens.encode({ kind: "clicked", messageId, target: "https://shop.example/" });
  expect(result).toMatchObject({ ok: true });
  const written = result.ok ? result.html : "";
  expect(written).toContain(
    `<a href="${base}/t/c/${own}">x</a><a href="${base}/u/1">y</a><a href="${BASE}/u/2">z</a>`,
  );
  expect(written).toContain(`${base}/t/o/`);
});
