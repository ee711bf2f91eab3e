import { describe, expect, it } from "vitest";
import { lockHtml } from "../../src/message/preview/lock-html.ts";
import { type MailAttachment, parseMail } from "../../src/message/preview/parse-mail.ts";
import { contentDisposition } from "../../src/shared/content-disposition.ts";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../harness/cpu-seconds.ts";
import { adminServer, createFakeSandbox } from "./fake-sandbox.ts";

function part(contentType: string, filename: string, body: string): string {
  return `Content-Type: ${contentType}\nContent-Disposition: attachment; filename="${filename}"\n\n${body}`;
}

function withParts(...parts: string[]): string {
  const joined = parts.map((text) => `--b\n${text}\n`).join("");
  return `Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n${joined}--b--\n`;
}

function picture(
  contentId: string,
  contentType = "image/png",
  content = Buffer.from("picture"),
): MailAttachment {
  return { filename: null, contentType, contentId, disposition: "inline", content };
}

async function get(source: string, path: string) {
  const sandbox = createFakeSandbox();
  const id = sandbox.capture(source);
  return adminServer({ sandbox: sandbox.client }).inject(`/sandbox/messages/${id}${path}`);
}

describe("the html of a mail", () => {
  it("gets its own origin, no scripts, no forms and no external resources", async () => {
    const answer = await get("Content-Type: text/html\n\n<script>alert(1)</script>", "/html");
    const policy = String(answer.headers["content-security-policy"]);
    const directives = policy.split("; ");
    expect(directives).toContain("default-src 'none'");
    expect(directives).toContain("img-src data:");
    expect(directives).toContain("form-action 'none'");
    expect(directives).toContain("base-uri 'none'");
    expect(directives).toContain("frame-ancestors 'self'");
    expect(directives[0]).toMatch(/^sandbox\b/);
    expect(policy).not.toMatch(
      /allow-(scripts|same-origin|forms|top-navigation)|script-src|https?:|'self' data/,
    );
    expect(answer.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-dns-prefetch-control": "off",
    });
  });

  it("opens no connection before its policy is checked", () => {
    const html = lockHtml(
      "<LINK rel=preconnect href=//t><iframe\nsrc=//t></iframe><object data=//t><embed/src=//t>",
      [],
    );
    expect(html).not.toMatch(/<(link|iframe|object|embed)\b/i);
    expect(lockHtml("<linker><p>link</p>", [])).toContain("<linker><p>link</p>");
  });

  it("shows its inline pictures without loading anything", () => {
    const html =
      '<img src="cid:a@x"><td background=\'cid:a%40x\' style="background:url( cid:b )"><img src=cid:c&amp;d>';
    const url = `data:image/png;base64,${Buffer.from("picture").toString("base64")}`;
    const locked = lockHtml(html, [picture("a@x"), picture("b"), picture("c&d")]);
    expect(locked.split(url)).toHaveLength(5);
    expect(locked).not.toContain("cid:");
  });

  it("makes no picture of types that can contain scripts, and none of words in the text", () => {
    const html = '<img src="cid:svg"><img src="cid:html"><p>see cid:a</p><img src="cid:unknown">';
    const attachments = [picture("svg", "image/svg+xml"), picture("html", "text/html"), picture("a")];
    expect(lockHtml(html, attachments)).toBe(`<base target="_blank">${html}`);
  });

  it("stays bounded when it names one picture repeatedly", () => {
    const big = picture("a", "image/png", Buffer.alloc(1024 * 1024));
    const html = '<img src="cid:a">'.repeat(10_000);
    expect(lockHtml(html, [big]).length).toBeLessThan(25 * 1024 * 1024);
  });

  it("takes linear time for blanks and half-open tags", () => {
    const took = cpuSecondsOf(() => {
      for (const text of ["src= ", "<link", "<!doctype ", "cid:", "url( "])
        lockHtml(text.repeat(400_000), [picture("a")]);
      lockHtml(`<img src=${" ".repeat(4_000_000)}`, [picture("a")]);
    });
    expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  });

  it("keeps its doctype first, and opens its links in a new tab", () => {
    expect(lockHtml("<!DOCTYPE html>\n<p>x", [])).toBe('<!DOCTYPE html><base target="_blank">\n<p>x');
  });

  it("is 404 if there is none", async () => {
    expect((await get("Subject: x\n\ny", "/html")).statusCode).toBe(404);
  });
});

describe("an attachment", () => {
  it.each([
    ["text/html", "page.html"],
    ["image/svg+xml", "x.svg"],
    ["application/xhtml+xml", "x.xhtml"],
    ["application/pdf", "x.pdf"],
    ["text/javascript", "x.js"],
    ["image/png+xml", "x.png"],
  ])("of type %s is never displayed, only downloaded", async (type, name) => {
    const answer = await get(withParts(part(type, name, "<script>alert(1)</script>")), "/attachments/0");
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/octet-stream");
    expect(answer.headers["content-disposition"]).toBe(`attachment; filename="${name}"`);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.headers["content-security-policy"]).toMatch(/^sandbox; default-src 'none'/);
    expect(answer.body).toBe("<script>alert(1)</script>");
  });

  it.each(["image/png", "IMAGE/JPEG", "image/gif", "image/webp"])(
    "of type %s may be displayed, without sniffing",
    async (type) => {
      const answer = await get(withParts(part(type, "x", "bytes")), "/attachments/0");
      expect(answer.headers["content-type"]).toBe(type.toLowerCase());
      expect(answer.headers["content-disposition"]).toMatch(/^inline/);
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    },
  );

  it.each(["1", "-1", "x", "0x0", "99999999999", "__proto__"])(
    "%s that does not exist is 404",
    async (index) => {
      expect((await get(withParts(part("image/png", "x", "y")), `/attachments/${index}`)).statusCode).toBe(
        404,
      );
    },
  );

  it.each([
    ['a"; filename="b.exe', 'attachment; filename="a_; filename=_b.exe"'],
    ["a\r\nSet-Cookie: x=1", 'attachment; filename="a__Set-Cookie_ x=1"'],
    ["../../etc/passwd", 'attachment; filename="__.._etc_passwd"'],
    ["photo\u202egnp.exe", 'attachment; filename="photo_gnp.exe"'],
    [
      "grüße 日本.pdf",
      "attachment; filename=\"gr__e __.pdf\"; filename*=UTF-8''gr%C3%BC%C3%9Fe%20%E6%97%A5%E6%9C%AC.pdf",
    ],
    ["half \ud83d", "attachment; filename=\"half _\"; filename*=UTF-8''half%20%EF%BF%BD"],
  ])("named %j stays within its header field", (name, expected) => {
    expect(contentDisposition("attachment", name)).toBe(expected);
  });
});

describe("a malformed message", () => {
  it.each([
    ["empty", ""],
    ["only line breaks", "\n\n\n"],
    ["no header at all", "just words"],
    ["an unknown charset", "Content-Type: text/plain; charset=x-nothing\n\nbody"],
    [
      "an unclosed multipart",
      "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<b>x",
    ],
    ["no boundary", "Content-Type: multipart/mixed\n\n--b\n\nx"],
    ["broken base64", "Content-Transfer-Encoding: base64\n\n!!!!"],
    ["a header without a colon", "nonsense\nSubject: x\n\ny"],
    ["a prototype's name", "__proto__: x\nconstructor: y\n\nz"],
    ["broken encoded words", "Subject: =?utf-8?B?????= =?x-no?Q?a=ZZ?= =?utf-8?Q?=C3?=\n\nz"],
  ])("(%s) is still shown", async (_name, source) => {
    for (const path of ["", "/source"]) expect((await get(source, path)).statusCode).toBe(200);
  });

  it("nested a thousand levels deep does not end the process", async () => {
    const depth = 1000;
    const open = Array.from(
      { length: depth },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    );
    const mail = await parseMail(Buffer.from(`${open.join("")}\r\nx`));
    expect(mail).toHaveProperty("parseError");
  });
});
