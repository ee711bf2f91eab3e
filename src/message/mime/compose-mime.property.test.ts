import fc from "fast-check";
import { type AddressObject, type ParsedMail, simpleParser } from "mailparser";
import { expect, it } from "vitest";
import type { Attachment, HeaderField, Mailbox, MessageContent } from "../content.ts";
import { composeMime } from "./compose-mime.ts";
import { normaliseLines } from "./encode-text.ts";
import { encodedSizeUpperBoundBytes } from "./encoded-size.ts";

const DATE = new Date("2026-03-01T12:34:56Z");
const MESSAGE_ID = "<0191e0a3-7c5b@mail.example.com>";

/** Characters that break encoders: of every UTF-8 length, joined emoji, imitations of encoded words, specials. */
const chunk = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom(
    "=?utf-8?Q?a?=",
    "?=",
    "=?",
    "é",
    "日本語",
    "👩‍👩‍👧",
    '"',
    "\\",
    ",",
    "; ",
    "%41",
    "'",
    "  ",
    "a".repeat(90),
  ),
);
const visible = (text: string) => text.replace(/[\p{C}\u2028\u2029]/gu, "").replace(/\s/gu, " ");
const line = fc
  .array(chunk, { maxLength: 12 })
  .map((chunks) => visible(chunks.join("")).trim())
  .filter((text) => Buffer.byteLength(text) < 900);
const bodyText = fc
  .array(
    fc.oneof(
      line,
      fc.constantFrom(
        "\r\n",
        "\n",
        "\r",
        " \r\n",
        "\t\n",
        "\n.\n",
        "\nFrom me\n",
        "\n--=_a\n",
        "=",
        "x".repeat(2_000),
      ),
    ),
    {
      maxLength: 30,
    },
  )
  .map((pieces) => pieces.join(""));

const address = fc.constantFrom(
  "a@example.com",
  '"a b@c,d"@example.com',
  "user+tag@xn--bcher-kva.example",
  "o'neil@mail.example.org",
);
const mailbox: fc.Arbitrary<Mailbox> = fc.record(
  { address, displayName: line.filter((text) => text !== "") },
  { requiredKeys: ["address"] },
);
const attachment: fc.Arbitrary<Attachment> = fc.record({
  filename: line
    .filter((text) => text !== "")
    .map((text) => text.replaceAll(/[/\\]|=\?/g, "_"))
    .map((text) => [...text].slice(0, 60).join(""))
    .map((text) => text.trim() || "f"),
  contentType: fc.constantFrom(
    "application/pdf",
    "image/png",
    "text/csv; charset=utf-8",
    "application/x-zip",
  ),
  content: fc.uint8Array({ maxLength: 300 }),
  disposition: fc.constant("attachment" as const),
});
const inline = fc
  .tuple(attachment, fc.uuid())
  .map(([part, id]) => ({ ...part, disposition: "inline" as const, contentId: `${id}@h` }));
const header: fc.Arbitrary<HeaderField> = fc.record({
  name: fc.stringMatching(/^X-[A-Za-z0-9_]{1,40}$/),
  value: line.filter((text) => text !== ""),
});
const contentArbitrary: fc.Arbitrary<MessageContent> = fc
  .record({
    from: mailbox,
    to: fc.array(mailbox, { minLength: 1, maxLength: 4 }),
    replyTo: fc.array(mailbox, { maxLength: 2 }),
    subject: line,
    bodies: fc.oneof(
      fc.record({ text: bodyText }),
      fc.record({ html: bodyText }),
      fc.record({ text: bodyText, html: bodyText }),
    ),
    headers: fc.uniqueArray(header, { maxLength: 3, selector: ({ name }) => name.toLowerCase() }),
    attachments: fc.array(fc.oneof(attachment, inline), { maxLength: 4 }),
  })
  .map(({ bodies, ...rest }) => ({ ...bodies, ...rest }));

it("returns the input to every reader", async () => {
  await fc.assert(
    fc.asyncProperty(contentArbitrary, async (content) => {
      const bytes = composeMime({ content, messageId: MESSAGE_ID, date: DATE });
      const mail = await simpleParser(bytes, {
        skipHtmlToText: true,
        skipTextToHtml: true,
        skipImageLinks: true,
        skipTextLinks: true,
      });
      expect(mail.subject ?? "").toBe(content.subject);
      expect(mailboxes(mail.from)).toEqual([content.from].map(plain));
      expect(mailboxes(mail.to)).toEqual(content.to.map(plain));
      expect(mailboxes(mail.replyTo)).toEqual(content.replyTo.map(plain));
      expect(mail.messageId).toBe(MESSAGE_ID);
      expect(mail.date).toEqual(DATE);
      for (const { name, value } of content.headers) {
        expect(await decoded(mail.headers.get(name.toLowerCase()))).toBe(value);
      }
      expectBody(mail.text, content.text, content);
      expectBody(mail.html || undefined, content.html, content);
      expect(mail.attachments.map(comparable)).toEqual(inOrder(content).map(comparable));
    }),
    { numRuns: 300 },
  );
});

it("keeps the line lengths and line ends of RFC 5322", () => {
  fc.assert(
    fc.property(contentArbitrary, (content) => {
      const text = composeMime({ content, messageId: MESSAGE_ID, date: DATE }).toString("latin1");
      expect(text).not.toMatch(/[^\r]\n|\r(?!\n)|\0/);
      expect(text.endsWith("\r\n")).toBe(true);
      for (const row of text.split("\r\n")) expect(row.length).toBeLessThanOrEqual(998);
      const [head = ""] = text.split("\r\n\r\n", 1);
      for (const row of head.split("\r\n")) expect(row).toMatch(/^\S+:|^[ \t]\s*\S/);
      expect(text).not.toMatch(/[\x80-\xff]/);
    }),
  );
});

it("composes the same bytes for the same input", () => {
  fc.assert(
    fc.property(contentArbitrary, (content) => {
      const input = { content, messageId: MESSAGE_ID, date: DATE };
      expect(composeMime(input).equals(composeMime(structuredClone(input)))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it("never exceeds the bound that is computed before composing", () => {
  fc.assert(
    fc.property(contentArbitrary, (content) => {
      const { length } = composeMime({ content, messageId: MESSAGE_ID, date: DATE });
      expect(encodedSizeUpperBoundBytes(content)).toBeGreaterThanOrEqual(length);
    }),
  );
});

/** mailparser leaves encoded words unchanged only in fields that it does not know, not in a subject. */
async function decoded(value: unknown) {
  return (await simpleParser(`Subject: ${String(value)}\r\n\r\n`)).subject;
}

function mailboxes(field: AddressObject | AddressObject[] | undefined) {
  const objects = field === undefined ? [] : Array.isArray(field) ? field : [field];
  return objects.flatMap(({ value }) =>
    value.map(({ name, address: at }) => ({ name, address: at?.replaceAll('"', "") })),
  );
}

/** In the form of mailparser: a domain in Unicode, and most quoted local parts without their quotes. */
function plain({ address: at, displayName = "" }: Mailbox) {
  return { name: displayName, address: at.replaceAll('"', "").replace("xn--bcher-kva", "bücher") };
}

function expectBody(actual: string | undefined, given: string | undefined, content: MessageContent) {
  const lf = (text = "") => normaliseLines(text).replaceAll("\r\n", "\n");
  // A message of one part ends with its own line end, which mailparser counts as text; the same applies to the line end before
  // a boundary without any text.
  const isOnly =
    given === "" ||
    ((content.text === undefined || content.html === undefined) && content.attachments.length === 0);
  const normal = lf(given);
  expect([normal, isOnly && !normal.endsWith("\n") ? `${normal}\n` : normal]).toContain(lf(actual));
}

/** Order in the message: inline parts of the html first. */
function inOrder({ html, attachments }: MessageContent): Attachment[] {
  const isInline = (part: Attachment) => html !== undefined && part.disposition === "inline";
  return [...attachments.filter(isInline), ...attachments.filter((part) => !isInline(part))];
}

function comparable(part: ParsedMail["attachments"][number] | Attachment) {
  return {
    filename: part.filename,
    type: part.contentType.split(";")[0],
    cid:
      ("cid" in part ? part.cid : "contentId" in part ? part.contentId?.replace(/^<|>$/g, "") : undefined) ??
      undefined,
    bytes: Buffer.from(part.content).toString("hex"),
  };
}
