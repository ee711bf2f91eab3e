import { readdirSync, readFileSync } from "node:fs";
import { type AddressObject, simpleParser } from "mailparser";
import { describe, expect, it } from "vitest";
import type { Attachment, MessageContent } from "../content.ts";
import { checkHeaderFields, checkSubject } from "../header/header-fields.ts";
import { checkAttachments } from "./attachments.ts";
import { type ComposeMimeInput, composeMime, headersNeedSmtpUtf8 } from "./compose-mime.ts";
import { encodedSizeUpperBoundBytes } from "./encoded-size.ts";

const FIXTURES = new URL("../../../test/fixtures/mime/", import.meta.url);
const FIXED = { messageId: "<id@example.com>", date: new Date("2026-03-01T12:34:56Z") };

interface Fixture {
  readonly messageId: string;
  readonly date: string;
  readonly content: Omit<MessageContent, "attachments"> & {
    readonly attachments: readonly (Omit<Attachment, "content"> & { readonly content: string })[];
  };
}

const BASE: MessageContent = {
  from: { address: "a@example.com", displayName: "Ann" },
  to: [{ address: "b@example.net", displayName: "Ben" }],
  replyTo: [{ address: "c@example.org", displayName: "Cy" }],
  subject: "Hello",
  text: "text",
  html: "<p>html</p>",
  headers: [{ name: "X-Ref", value: "1" }],
  attachments: [
    { filename: "a.txt", contentType: "text/plain", content: Buffer.from("a"), disposition: "attachment" },
    {
      filename: "b.png",
      contentType: "image/png",
      content: Buffer.from("b"),
      disposition: "inline",
      contentId: "b",
    },
  ],
};

function compose(content: Partial<MessageContent>, fixed: Omit<ComposeMimeInput, "content"> = FIXED): string {
  return composeMime({ content: { ...BASE, ...content }, ...fixed }).toString("latin1");
}

describe("the golden messages", () => {
  const cases = readdirSync(FIXTURES).filter((name) => name.endsWith(".json"));
  it.each(cases)("%s", (name) => {
    const { messageId, date, content } = JSON.parse(readFileSync(new URL(name, FIXTURES), "utf8")) as Fixture;
    const attachments = content.attachments.map((part) => ({
      ...part,
      content: Buffer.from(part.content, "base64"),
    }));
    const input = { content: { ...content, attachments }, messageId, date: new Date(date) };
    const expected = readFileSync(new URL(name.replace(/json$/, "eml"), FIXTURES));
    const bytes = composeMime(input);
    expect(bytes.toString()).toBe(expected.toString());
    expect(bytes.length).toBeLessThanOrEqual(encodedSizeUpperBoundBytes(input.content));
  });
});

describe("the structure", () => {
  const types = (content: Partial<MessageContent>) =>
    [...compose(content).matchAll(/^Content-Type: ([^;\r]+)/gm)].map(([, type]) => type);
  const { text, html, ...bare } = BASE;
  const [file, picture] = BASE.attachments as [Attachment, Attachment];

  it("has no unnecessary level", () => {
    expect(types({ attachments: [] })).toEqual(["multipart/alternative", "text/plain", "text/html"]);
    const only = (part: Partial<MessageContent>) =>
      composeMime({ content: { ...bare, attachments: [], ...part }, ...FIXED }).toString();
    expect(only({ text: "a" })).toContain("Content-Type: text/plain; charset=utf-8\r\n");
    expect(only({ html: "a" })).toContain("Content-Type: text/html; charset=utf-8\r\n");
    expect(only({ html: "a" })).not.toContain("multipart");
  });

  it("puts inline pictures beside the html and files beside both", () => {
    expect(types({})).toEqual([
      "multipart/mixed",
      "multipart/alternative",
      "text/plain",
      "multipart/related",
      "text/html",
      "image/png",
      "text/plain",
    ]);
  });

  it("attaches pictures if there is no html to show them", () => {
    const content = { ...bare, text: "a", attachments: [picture] };
    const message = composeMime({ content, ...FIXED }).toString();
    expect(message).toContain("multipart/mixed");
    expect(message).not.toContain("multipart/related");
    expect(types({ attachments: [file] })[0]).toBe("multipart/mixed");
  });
});

it("depends only on its input", () => {
  expect(compose({})).toBe(compose({}));
  expect(compose({})).not.toBe(compose({}, { ...FIXED, messageId: "<other@example.com>" }));
  const seeded = (messageId: string) =>
    compose({}, { ...FIXED, messageId, boundarySeed: "s" }).replace(/^Message-ID: .*$/m, "");
  expect(seeded("<a@example.com>")).toBe(seeded("<b@example.com>"));
});

it("names neither the composing program nor other recipients", () => {
  expect(compose({})).not.toMatch(/^(X-Mailer|User-Agent|Bcc|Cc):/im);
});

it("writes internationalized addresses unchanged, and reports that SMTPUTF8 is needed", async () => {
  const to = [{ address: "用户@xn--r8jz45g.jp", displayName: "用户" }, { address: "é@example.com" }];
  const bytes = composeMime({ content: { ...BASE, to }, ...FIXED });
  const mail = await simpleParser(bytes);
  const { value } = mail.to as AddressObject;
  expect(value.map(({ name, address }) => [name, address])).toEqual([
    ["用户", "用户@例え.jp"],
    ["", "é@example.com"],
  ]);
  expect(headersNeedSmtpUtf8({ ...BASE, to })).toBe(true);
  expect(headersNeedSmtpUtf8({ ...BASE, to: [{ address: "a@xn--r8jz45g.jp", displayName: "用户" }] })).toBe(
    false,
  );
});

it("cannot be ended early by a text that contains the boundary", async () => {
  const boundary = /boundary="([^"]+)"/.exec(compose({}))?.[1] ?? "";
  const text = `before\r\n--${boundary}\r\nContent-Type: text/html\r\n\r\nevil\r\n--${boundary}--\r\nafter`;
  const attached = {
    ...(BASE.attachments[0] as Attachment),
    contentType: "message/rfc822",
    content: Buffer.from(text),
  };
  const mail = await simpleParser(compose({ text, html: text, attachments: [attached] }));
  expect(mail.text).toBe(text.replaceAll("\r\n", "\n"));
  expect(mail.attachments.map(({ content }) => content.toString())).toEqual([text]);
});

it.each([
  ["an address with a line break", { from: { address: "a@b.c\r\nBcc: x@y.z" } }],
  ["two addresses in one", { to: [{ address: "a@b.c, d@e.f" }] }],
  ["an address with a bracket", { replyTo: [{ address: "a@b.c>" }] }],
  ["a field of its own", { headers: [{ name: "Bcc", value: "x@y.z" }] }],
  ["a name with a line break", { headers: [{ name: "X\r\nBcc", value: "x@y.z" }] }],
])("throws rather than send %s", (_, content) => {
  expect(() => compose(content)).toThrow(TypeError);
});

it.each(["", "a b", "a@b>\r\nX: y", "é@b", "<a", "a\0"])(
  "throws rather than send the message id %j",
  (messageId) => {
    expect(() => compose({}, { ...FIXED, messageId })).toThrow(TypeError);
  },
);

const HOSTILE = [
  "\r\nBcc: x@y.z",
  "\nBcc: x",
  "\rBcc: x",
  "\r\n\r\n<p>",
  "\0",
  "\u007f",
  "\u2028Bcc: x",
  "\r\n.\r\n",
];

describe("no header field or part can become two", () => {
  const [file] = BASE.attachments as [Attachment];
  const attach = (change: Partial<Attachment>) => ({ attachments: [{ ...file, ...change }] });
  const fields: Record<string, (text: string) => Partial<MessageContent>> = {
    "the sender's name": (displayName) => ({ from: { address: "a@b.c", displayName } }),
    "a recipient's name": (displayName) => ({ to: [{ address: "a@b.c", displayName }] }),
    "the subject": (subject) => ({ subject }),
    "a custom header": (value) => ({ headers: [{ name: "X-A", value }] }),
    "a header of tokens": (value) => ({ headers: [{ name: "List-Id", value }] }),
    "a file name": (filename) => attach({ filename }),
    "a content type": (text) => attach({ contentType: `text/plain; x=${text}` }),
    "a content id": (contentId) => attach({ contentId }),
  };
  const cases = Object.entries(fields).flatMap(([name, make]) =>
    HOSTILE.map((text) => ({ name, make, text })),
  );

  it.each(cases)("$name: $text", async ({ name, make, text }) => {
    const content = { ...BASE, ...make(`before${text}after`) };
    // parseMailbox refuses such a name; here it bypasses that.
    if (!/'s name$/.test(name)) expect(refusals(content)).not.toBe(0);
    const composed = composeMime({ content, ...FIXED }).toString("latin1");
    expect(composed).not.toMatch(/^(?:Bcc|after)/m);
    expect(composed.replaceAll("\r\n", "")).not.toMatch(/[\r\n]|\0|\u007f/);
    const harmless = composeMime({ content: { ...BASE, ...make("beforeafter") }, ...FIXED }).toString(
      "latin1",
    );
    expect(skeleton(composed)).toEqual(skeleton(harmless));
    const mail = await simpleParser(composed);
    expect(mail.headers.has("bcc")).toBe(false);
    expect(mail.attachments).toHaveLength(content.attachments.length);
  });

  function refusals({ subject, headers, attachments }: MessageContent): number {
    return (
      (checkSubject(subject) ? 1 : 0) +
      checkHeaderFields(headers).length +
      checkAttachments(attachments).length
    );
  }

  /** The names of all fields and the delimiters; a refused content id is omitted. */
  function skeleton(message: string) {
    return message.match(/^(?:[A-Za-z-]+:|--=_\S+)/gm)?.filter((row) => row !== "Content-ID:");
  }
});

it.each(HOSTILE)("a body can contain %j and stays a body", async (text) => {
  const body = `before${text}after`;
  const mail = await simpleParser(compose({ text: body, html: body }));
  const expected = body.replaceAll(/\r\n|\r|\n/g, "\n");
  expect(mail.text).toBe(expected);
  expect(mail.html).toBe(expected);
  expect(mail.headers.has("bcc")).toBe(false);
  expect(mail.attachments).toHaveLength(2);
});

it.each([
  "text/plain",
  "TEXT/Plain;charset=x-unknown; format=flowed",
  'text/csv; header=present; charset="utf-16"',
  'application/pdf; name="another name.pdf"',
  "application/vnd.api+json; version=1",
  "message/global",
  "message/delivery-status",
])("the type %s of an attachment stays unchanged, octet for octet", (contentType) => {
  const attachment = {
    filename: "a.txt",
    contentType,
    content: Buffer.from("Hi.\r\n"),
    disposition: "attachment" as const,
  };
  const source = compose({ attachments: [attachment] });
  expect(source).toContain(`\r\nContent-Type: ${contentType}\r\n`);
});
