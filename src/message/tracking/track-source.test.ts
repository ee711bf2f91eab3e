import { simpleParser } from "mailparser";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import { describe, expect, it } from "vitest";
import { countTurns } from "../../../test/harness/count-turns.ts";
import { newsletter } from "../../../test/harness/newsletter.ts";
import { createTrackingTokens } from "./token.ts";
import { createTrackHtml } from "./track-html.ts";
import { trackSource } from "./track-source.ts";

const trackHtml = createTrackHtml("https://mail.example.com", createTrackingTokens(Buffer.alloc(32, 1)));
const messageId = "msg_01k9z4c3r8h2v6y0n5t7w1x3q9";
const tracked = { opens: true, clicks: true };
const LINK = '<p>Grüße, <a href="https://shop.example/?a=1&amp;b=2">Shop</a></p>';

const MULTIPART = ["Content-Type: multipart/mixed; boundary=b", ""];
const HTML_PART = ["--b", "Content-Type: text/html", ""];

const track = (source: Buffer | string, wanted = tracked) =>
  trackSource({ source: Buffer.from(source), messageId, tracked: wanted, trackHtml });

async function trackedSource(source: Buffer | string): Promise<Buffer> {
  const result = await track(source);
  if (!result.ok) throw new Error(result.reason);
  return result.source;
}

async function htmlOf(html: string, listUnsubscribe: readonly string[] = []): Promise<string> {
  const result = await trackHtml({ html, messageId, tracked, listUnsubscribe });
  return result.ok ? result.html : result.reason;
}

const lines = (...text: string[]) => `${text.join("\r\n")}\r\n`;
const compose = (mail: object): Promise<Buffer> =>
  new MailComposer({
    from: "a@example.com",
    to: "b@example.org",
    subject: "Grüße",
    newline: "\r\n",
    ...mail,
  } as never)
    .compile()
    .build();
/** In the form for readers: mail programs and servers use different line ends. */
const unix = (text: string | false | undefined) => (text || "").replaceAll("\r\n", "\n");

describe("the html of a finished message is tracked", () => {
  it.each(["quoted-printable", "base64"])("in 60 newsletters with attachments, as %s", async (encoding) => {
    for (let seed = 0; seed < 60; seed++) {
      const { html } = newsletter(seed);
      const attachments = [
        { filename: "a.html", content: LINK, contentType: "text/html" },
        { filename: "a.bin", content: Buffer.from([0, 13, 10, 255]) },
      ];
      const textEncoding = encoding === "base64" ? "base64" : "quoted-printable";
      const source = await compose({
        html,
        text: `See https://shop.example/ ${seed}`,
        attachments,
        textEncoding,
      });
      const [before, after] = [await simpleParser(source), await simpleParser(await trackedSource(source))];
      expect(unix(after.html)).toBe(await htmlOf(unix(before.html)));
      expect([after.text, after.subject, after.headerLines]).toEqual([
        before.text,
        before.subject,
        before.headerLines,
      ]);
      expect(after.attachments.map(({ content }) => content)).toEqual(
        before.attachments.map(({ content }) => content),
      );
    }
  });

  it("if it is the whole message, and nothing else changes", async () => {
    const head = lines("Subject: =?utf-8?q?x?=", "X-Odd:   a\tb ", "Content-Type: text/html; charset=utf-8");
    const source = `${head}Content-Transfer-Encoding: 8bit\r\n\r\n${LINK}\r\n`;
    const after = (await trackedSource(source)).toString();
    expect(after).toBe(`${head}Content-Transfer-Encoding: 8bit\r\n\r\n${await htmlOf(`${LINK}\r\n`)}`);
  });

  it("octet for octet around the part, with any content there", async () => {
    const before = lines(
      "From: a@example.com",
      'Content-Type: multipart/alternative; boundary="b"',
      "",
      "preamble \xe9",
      "--b",
      "Content-Type: text/plain",
      "",
      "text https://shop.example/ \xe9 ",
      "--b ",
      "Content-Type: text/html; charset=iso-8859-1",
      "Content-Transfer-Encoding: 8bit",
      "",
    );
    const after = lines("", "--b--", "epilogue \xff");
    const html = LINK.replace("ü", "\xfc").replace("ß", "\xdf");
    const result = await trackedSource(Buffer.from(before + html + after, "latin1"));
    expect(result.toString("latin1")).toBe(before + (await htmlOf(html)) + after);
  });

  it("in all displayed parts, with one pixel", async () => {
    const part = lines("--b", "Content-Type: text/html", "", LINK.replace(/[^ -~]/g, ""));
    const source = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${part}${part}--b--\r\n`;
    const result = (await trackedSource(source)).toString();
    expect(result.match(/\/t\/c\//g)).toHaveLength(2);
    expect(result.match(/\/t\/o\//g)).toHaveLength(1);
  });

  it("re-encoded if a link exceeds the maximum line length", async () => {
    const long = `https://shop.example/${"x".repeat(900)}`;
    const source = lines("Content-Type: text/html", "", `<a href="${long}">x</a>`);
    const result = (await trackedSource(source)).toString();
    expect(result).toMatch(/^Content-Transfer-Encoding: (?:quoted-printable|base64)\r$/m);
    expect(Math.max(...result.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(unix((await simpleParser(result)).html)).toBe(
      (await htmlOf(`<a href="${long}">x</a>\n`)).trimEnd(),
    );
  });

  it("except links in its List-Unsubscribe", async () => {
    const url = "https://shop.example/leave";
    const source = lines(
      `List-Unsubscribe: <${url}>`,
      "Content-Type: text/html",
      "",
      `<a href="${url}">x</a>`,
    );
    expect((await trackedSource(source)).toString()).toContain(`href="${url}"`);
  });
});

describe("a finished message stays unchanged", () => {
  it.each([
    ["plain text", lines("Content-Type: text/plain", "", LINK)],
    ["no type", lines("From: a@example.com", "", LINK)],
    ["an attachment of html", lines("Content-Type: text/html", "Content-Disposition: attachment", "", LINK)],
    ["a message within it", lines("Content-Type: message/rfc822", "", "Content-Type: text/html", "", LINK)],
  ])("that is %s, without a reason", async (_what, source) => {
    expect(await track(source)).toEqual({ ok: true, source: Buffer.from(source) });
  });

  it.each([
    ["signature that would break", lines("DKIM-Signature: v=1", "Content-Type: text/html", "", LINK)],
    ["signed or encrypted", lines("Content-Type: multipart/signed; boundary=b", "", "--b--")],
    [
      "signed or encrypted",
      lines(
        "Content-Type: multipart/mixed; boundary=b",
        "",
        "--b",
        "Content-Type: application/pkcs7-mime",
        "",
        "x",
        "--b--",
      ),
    ],
    ["charset", lines("Content-Type: text/html; charset=utf-16", "", LINK)],
    ["charset", Buffer.from(lines("Content-Type: text/html; charset=utf-8", "", "\xfc"), "latin1")],
    ["encoding", lines("Content-Type: text/html", "Content-Transfer-Encoding: x-uuencode", "", LINK)],
    ["cannot be found", lines("Content-Type: multipart/mixed; boundary=b", "", "no parts")],
    ["cannot be found", lines("Content-Type: multipart/mixed", "", "--b--")],
    [
      "whose header has more than 262144 octets",
      lines(...MULTIPART, "--b", ...Array<string>(40_000).fill("X-A: b"), "", "x", "--b--"),
    ],
    [
      "over 1000 links",
      lines(...MULTIPART, ...HTML_PART, LINK.repeat(500), ...HTML_PART, LINK.repeat(501), "--b--"),
    ],
    [
      "over 1000000 characters",
      lines(...MULTIPART, ...HTML_PART, "x".repeat(600_000), ...HTML_PART, "x".repeat(400_001), "--b--"),
    ],
    ["several content-type fields", lines("Content-Type: text/html", "Content-Type: text/plain", "", LINK)],
    [
      "cannot be found",
      Array.from({ length: 12 }, (_, n) =>
        lines(`Content-Type: multipart/mixed; boundary=b${n}`, "", `--b${n}`),
      ).join(""),
    ],
  ])("with the reason: %s", async (reason, source) => {
    const result = await track(source);
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  it("except 1,000 links in all of its parts", async () => {
    const source = lines(
      ...MULTIPART,
      ...HTML_PART,
      LINK.repeat(500),
      ...HTML_PART,
      LINK.repeat(500),
      "--b--",
    );
    expect(await track(source)).toMatchObject({ ok: true });
  });

  it("if nothing in it can be tracked", async () => {
    const source = Buffer.from(lines("Content-Type: text/html", "", "<p>no link</p>"));
    expect(await track(source, { opens: false, clicks: true })).toEqual({ ok: true, source });
  });
});

describe("the html in quoted-printable", () => {
  const headers = [
    "MIME-Version: 1.0",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
  ];

  it("loses only spaces before line breaks, as its encoding requires", async () => {
    const source = lines(
      ...headers,
      "",
      '<a href=3D"https://shop.example/"> \t ',
      "\tShop \t=  ",
      " now </a>",
    );
    const { html } = await simpleParser(await trackedSource(source));
    expect(html || "").toMatch(/>\n\tShop \t now <\/a>/);
  });

  it("lets other work run after every part", async () => {
    const source = lines(
      ...MULTIPART,
      ...Array<string[]>(900)
        .fill([...HTML_PART, "<p>x</p>"])
        .flat(),
      "--b--",
    );
    expect(await countTurns(() => track(source))).toBeGreaterThanOrEqual(900);
  });

  it("is read in linear time: a million tabs in one line are each read once", async () => {
    // A regular expression that restarts at each tab takes half an hour.
    const source = lines(...headers, "", `<p>${"\t".repeat(1_000_000)}</p>`);
    expect((await track(source)).ok).toBe(false);
  });
});
