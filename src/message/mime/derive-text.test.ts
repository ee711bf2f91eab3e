import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import { deriveText } from "./derive-text.ts";

describe("deriveText", () => {
  it.each([
    ["<p>One</p><p>Two<br>lines</p>", "One\n\nTwo\nlines"],
    ['<a href="https://x.example/a?b=c">Confirm</a>', "Confirm [https://x.example/a?b=c]"],
    ['<a href="https://x.example">https://x.example</a>', "https://x.example"],
    ['<a href="mailto:a@b.c">a@b.c</a>', "a@b.c"],
    ['<a href="#top">Top</a> <a href="javascript:x()">Do</a>', "Top Do"],
    ['<a href="https://x.example"><img src="cid:logo" alt="Logo"></a>', "Logo [https://x.example]"],
    ['<p>Hi<img src="https://t.example/open.gif"></p>', "Hi"],
    ["<ul><li>one</li><li>two</li></ul>", "* one\n * two"],
    [
      "<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>2 €</td></tr></table>",
      "Item Price\nTea 2 €",
    ],
    ["<style>p{}</style><title>T</title><script>x()</script><h1>Big</h1>news", "Big\n\nnews"],
    ["a&nbsp;&lt;b&gt; &amp; &eacute;", "a\u00a0<b> & é"],
  ])("%s", (html, text) => {
    expect(deriveText(html)).toBe(text);
  });

  it("does not wrap lines", () => {
    const sentence = "word ".repeat(100).trim();
    expect(deriveText(`<p>${sentence}</p>`)).toBe(sentence);
  });

  it.each(["", "   ", "<img src=x>", "<!-- a -->"])("returns nothing for an empty document: %j", (html) => {
    expect(deriveText(html)).toBeUndefined();
  });

  it("gives up on input for which the converter throws", () => {
    expect(deriveText("<ol type=i start=1e9><li>x</ol>")).toBeUndefined();
  });

  it.each([
    ["unclosed elements", "<div>".repeat(100_000)],
    ["unclosed elements in 5 MB", "<div>".repeat(1_000_000)],
    ["as many as are read", "<div>".repeat(10_000) + "</x>".repeat(9_900)],
    ["nested links", '<a href="https://x">'.repeat(10_000) + "y ".repeat(200_000)],
    ["nested quotes", "<blockquote>".repeat(60) + "x<br>".repeat(19_000)],
    ["nested lists", "<ul><li>".repeat(30) + "x<br>".repeat(19_000)],
    ["preformatted lines in lists", `${"<ul><li>".repeat(30)}<pre>${"a\n".repeat(400_000)}`],
    ["words", "word ".repeat(199_999)],
    ["spaces", `a${" ".repeat(900_000)}b`],
    ["entities", "&amp;".repeat(190_000)],
    ["comments", "<!--".repeat(9_999)],
    ["attributes", `<a ${"b=c ".repeat(200_000)}>`],
  ])("ends in bounded time for hostile html: %s", (_, html) => {
    expect(cpuSecondsOf(() => deriveText(html))).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  });
});
