import { describe, expect, it } from "vitest";
import { parseMail } from "../preview/parse-mail.ts";
import type { SenderDomain } from "./check-delivery.ts";
import { checkMail, fromDomain } from "./check-mail.ts";
import { htmlFeatures, mailPrograms } from "./html-support.ts";

const records = ["dkim", "spf", "dmarc"].map((purpose) => ({
  purpose,
  outcome: "right",
  name: `${purpose}.example.com`,
}));
const verified: SenderDomain = { name: "example.com", standing: { maySend: true, records } };

interface Mail {
  readonly html?: string;
  readonly text?: string;
  readonly fields?: readonly string[];
  readonly domain?: SenderDomain;
}

async function check({ html, text, fields = ["Subject: Your invoice"], domain = verified }: Mail) {
  const part = (type: string, body: string) =>
    `--b\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${body}\r\n`;
  const source = Buffer.from(
    [
      "From: Acme <Hello@Example.COM>",
      ...fields,
      'Content-Type: multipart/alternative; boundary="b"',
      "",
      (text === undefined ? "" : part("plain", text)) + (html === undefined ? "" : part("html", html)),
      "--b--",
      "",
    ].join("\r\n"),
  );
  const checks = await checkMail(source, await parseMail(source), domain);
  const of = (kind: string) => checks.find((one) => one.kind === kind);
  const codes = (kind: string) => of(kind)?.findings.map(({ code }) => code) ?? [];
  return { checks, of, codes };
}

const unsubscribe = [
  "Subject: Your invoice",
  "List-Unsubscribe: <https://example.com/u>",
  "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
];

describe("the checks of a mail", () => {
  it("find nothing in a plain mail of a verified domain", async () => {
    const html = '<p>Your invoice is <a href="https://example.com/i/1">ready</a>.</p>';
    const { checks } = await check({ html, text: "Your invoice is ready.", fields: unsubscribe });
    expect(checks.map(({ kind, severity }) => [kind, severity])).toEqual([
      ["size", "ok"],
      ["links", "ok"],
      ["html", "ok"],
      ["delivery", "ok"],
    ]);
  });

  it("read the domain of the From field", () => {
    const of = (from: string) => fromDomain(Buffer.from(`From: ${from}\r\n\r\n`));
    expect(["a@b.example", "A <a@B.example>", '"x@y.example" <a@b.example>'].map(of)).toEqual(
      Array(3).fill("b.example"),
    );
    expect(["nobody", "a@b.example, c@d.example;"].map(of)).toEqual([undefined, undefined]);
  });

  it.each([
    [101 * 1024, "warning", ["size.near_clipping"]],
    [103 * 1024, "problem", ["size.clipped"]],
    [80 * 1024, "ok", []],
  ])("compare %i bytes of HTML with the limit of Gmail", async (bytes, severity, codes) => {
    const { of } = await check({ html: "ü".repeat(bytes / 2) });
    expect(of("size")).toMatchObject({ severity, findings: codes.map((code) => ({ code })) });
  });

  it.each([
    ['<a href="">x</a>', "link.empty"],
    ['<a href="/path">x</a>', "link.relative"],
    ['<a href="http://example.com">x</a>', "link.insecure"],
    ['<a href="https://localhost/x">x</a>', "link.private"],
    ['<a href="https://192.168.1.1/x">x</a>', "link.private"],
    ['<a href="https://0x7f.1/x">x</a>', "link.private"],
    ['<a href="https://intranet/x">x</a>', "link.private"],
    ['<a href="https://8.8.8.8/x">x</a>', "link.ip_address"],
    ['<a href="https://u:p@example.com">x</a>', "link.credentials"],
    ['<a href="https://bit.ly/x">x</a>', "link.shortener"],
    ['<a href="javascript:alert(1)">x</a>', "link.scheme"],
    ['<a href="https://example.com/{{ id }}">x</a>', "link.placeholder"],
    ['<a href="https://exa mple.com">x</a>', "link.invalid"],
    ['<a href="https://evil.example/login">https://bank.example/login</a>', "link.mismatch"],
    ['<img src="https://example.com/a.png">', "picture.no_alt"],
    ['<img src="a.png" alt="">', "picture.relative"],
    ['<img src="http://example.com/a.png" alt="">', "picture.insecure"],
    ['<img src="http://10.0.0.1/a.png" alt="">', "picture.private"],
  ])("find the problem in %s", async (html, code) => {
    expect((await check({ html })).codes("links")).toEqual([code]);
  });

  it("include links of the text, and accept correct ones", async () => {
    const right = [
      '<a href="#top">x</a><a href="mailto:a@b.example">x</a><a href="https://www.bank.example">bank.example</a>',
      '<img src="cid:dot" alt="">',
    ].join("");
    expect((await check({ html: right, text: "See https://example.com/a." })).codes("links")).toEqual([]);
    expect((await check({ text: "See http://example.com/a." })).codes("links")).toEqual(["link.insecure"]);
  });

  const examples: Readonly<Record<string, string>> = {
    "html.script": "<script>1</script>",
    "html.embedded": "<iframe></iframe>",
    "html.link": "<link rel=stylesheet href=a.css>",
    "html.svg": "<svg></svg>",
    "html.media": "<video></video>",
    "html.picture": "<picture></picture>",
    "html.form": "<form></form>",
    "image.webp": '<img src="https://a.example/a.webp?x=1">',
    "image.svg": '<img src="https://a.example/a.svg">',
    "image.data": '<img src="data:image/png;base64,AA==">',
    "css.position": '<p style="position: absolute">x</p>',
    "css.flex": "<style>p{display:flex}</style>",
    "css.grid": "<style>p{display : inline-grid}</style>",
    "css.float": "<style>p{float:left}</style>",
    "css.media": "<style>@media (max-width: 9px) {p{color:red}}</style>",
    "css.import": "<style>@import url(a.css)</style>",
    "css.font_face": "<style>@font-face{font-family:x}</style>",
    "css.variables": '<p style="color: var(--a)">x</p>',
    "css.background_image": '<p style="background: red url(a.png)">x</p>',
    "css.gradient": '<p style="background:linear-gradient(red, blue)">x</p>',
    "css.border_radius": '<p style="color:red;border-radius:4px">x</p>',
    "css.box_shadow": '<p style="box-shadow:0 0 1px red">x</p>',
    "css.opacity": '<p style="opacity:0.5">x</p>',
    "css.motion": "<style>p{transform:none}</style>",
    "css.filter": '<p style="filter:blur(1px)">x</p>',
    "css.object_fit": '<img alt="" style="object-fit:cover">',
    "css.rem": '<p style="font-size:1.5rem">x</p>',
  };

  it.each(htmlFeatures.map(({ code }) => code))(
    "find %s, and name the programs that drop it",
    async (code) => {
      const { of } = await check({ html: examples[code] ?? "" });
      const [finding] = of("html")?.findings.filter((one) => one.code === code) ?? [];
      const { droppedBy = [] } = htmlFeatures.find((one) => one.code === code) ?? {};
      expect(droppedBy.length).toBeGreaterThan(0);
      for (const program of droppedBy) expect(finding?.message).toContain(mailPrograms[program]);
    },
  );

  it("find a style sheet that Gmail drops, and no feature that a mail only mentions in its text", async () => {
    const large = `<style>${"p{color:red}".repeat(1_500)}</style>`;
    expect((await check({ html: large })).codes("html")).toEqual(["css.too_large"]);
    expect((await check({ html: "<p>position: absolute; @media</p>" })).codes("html")).toEqual([]);
  });

  it.each([
    [{ domain: { name: "example.com" } }, "domain.unknown"],
    [{ domain: { name: "example.com", standing: { maySend: false, records } } }, "domain.unverified"],
    [{ html: "<p>Some HTML</p>" }, "content.no_text"],
    [{ html: '<img src="https://a.example/a.png">', text: "x" }, "content.only_pictures"],
    [{}, "content.empty"],
    [{ text: "Dear {{name}}" }, "content.placeholder"],
    [{ text: "x", fields: ["Subject: x", "List-Unsubscribe: <mailto:a@b.example>"] }, "content.no_one_click"],
    [{ text: "x" }, "content.no_unsubscribe"],
    [{ text: "x", fields: ["Subject:"] }, "subject.empty"],
    [{ text: "x", fields: ["Subject: GREAT OFFER"] }, "subject.capitals"],
    [{ text: "x", fields: ["Subject: Great!!"] }, "subject.marks"],
    [{ text: "x", fields: ["Subject: Re: hello"] }, "subject.false_reply"],
    [{ text: "x", fields: ["Subject: Dear {{ name }}"] }, "subject.placeholder"],
    [{ text: "x", fields: [`Subject: ${"long ".repeat(20)}`] }, "subject.long"],
  ] satisfies [Mail, string][])("find %j to endanger its delivery", async (mail, code) => {
    expect((await check(mail)).codes("delivery")).toContain(code);
  });

  it.each(["dkim", "spf", "dmarc"])("name a %s record that is missing", async (purpose) => {
    const missing = records.map((one) => (one.purpose === purpose ? { ...one, outcome: "missing" } : one));
    const domain = { name: "example.com", standing: { maySend: true, records: missing } };
    const { of } = await check({ text: "x", domain });
    expect(of("delivery")?.findings[0]).toMatchObject({ code: `authentication.${purpose}` });
  });

  it("stay bounded and linear for hostile HTML", async () => {
    const parts = ["<a href=x>", "<", "<style>", ":", "background:", "<img src=", "position:"];
    for (const part of parts) {
      const { checks } = await check({ html: part.repeat(60_000), text: "http://a ".repeat(5_000) });
      for (const { findings } of checks) expect(findings.length).toBeLessThanOrEqual(100);
    }
    const many = Array.from({ length: 300 }, (_, n) => `<a href="http://h${n}.example">x</a>`).join("");
    const { of } = await check({ html: many });
    expect(of("links")).toMatchObject({ findings_count: 300 });
    expect(of("links")?.findings).toHaveLength(100);
  });
});
