import { isAscii } from "node:buffer";
import fc from "fast-check";
import { simpleParser } from "mailparser";
import { expect, it } from "vitest";
import { asciiField, NotAscii } from "./ascii-field.ts";

const field = (text: string) => {
  const bytes = Buffer.from(text);
  return { name: text.slice(0, text.indexOf(":")).toLowerCase(), bytes };
};
const write = (text: string) => asciiField(field(text)).bytes.toString("latin1");

it.each([
  ["Subject: Pläne", "Subject: =?UTF-8?B?UGzDpG5l?="],
  ["X-Note: ü", "X-Note: =?UTF-8?B?w7w=?="],
  ["From: Jörg <j@example.com>", "From: =?UTF-8?B?SsO2cmc=?= <j@example.com>"],
  [
    'To: "Jörg, A." <j@example.com>, plain@example.com',
    "To: =?UTF-8?B?SsO2cmcsIEEu?= <j@example.com>, plain@example.com",
  ],
  ["Cc: Ärzte: a@example.com;", "Cc: =?UTF-8?B?w4RyenRl?=: a@example.com;"],
  ["Reply-To: a@example.com (Jörg)", "Reply-To: a@example.com (=?UTF-8?B?SsO2cmc=?=)"],
  [
    'Content-Disposition: attachment; filename="ü.pdf"; size=3',
    "Content-Disposition: attachment;\r\n filename*0*=utf-8''%C3%BC.pdf; size=3",
  ],
])("writes %s in ASCII", (text, written) => {
  expect(write(text)).toBe(written);
});

it("leaves a field of ASCII unchanged, octet for octet", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (value) => {
      const one = field(`To: ${value}`);
      expect(asciiField(one)).toBe(one);
    }),
  );
});

it.each([
  "To: jörg@example.com",
  "To: J <jörg@example.com>",
  'To: "ö"@example.com',
  "Message-ID: <ö@example.com>",
  "References: <ö@example.com>",
  "List-Unsubscribe: <https://example.com/ö>",
])("refuses %s, which ASCII cannot represent", (text) => {
  expect(() => write(text)).toThrow(NotAscii);
});

it("refuses invalid UTF-8, and names the field", () => {
  const bytes = Buffer.from("Subject: \xe9", "latin1");
  expect(() => asciiField({ name: "subject", bytes })).toThrow(
    "a subject field that is neither ASCII nor UTF-8",
  );
});

it("ends quickly for any field", () => {
  const size = 250_000;
  // A pattern that restarts at each quote or space would take minutes here, beyond the timeout of a test.
  for (const piece of ['\\"', " ", "(", "<", '"a" ', ";a=", ', "']) {
    for (const name of ["To", "Subject", "Content-Type"]) {
      const text = `${name}: \u00fc"${piece.repeat(size / piece.length)}x`;
      expect(() => {
        try {
          write(text);
        } catch (error) {
          if (!(error instanceof NotAscii)) throw error;
        }
      }).not.toThrow();
    }
  }
});

const names = fc
  .string({
    unit: fc.constantFrom(
      "a",
      "B",
      "7",
      "é",
      "ß",
      "日",
      "😀",
      " ",
      ".",
      ",",
      '"',
      "\\",
      "(",
      ")",
      "@",
      "<",
      ">",
      ";",
    ),
    minLength: 1,
    maxLength: 30,
  })
  .map((name) => name.trim().replace(/ +/g, " "))
  .filter((name) => name !== "");

it("keeps the meaning to a reader, for any quoted display name and any subject", async () => {
  const property = fc.asyncProperty(names, names, async (name, subject) => {
    const quoted = `"${name.replace(/["\\]/g, "\\$&")}"`;
    const lines = [`From: ${quoted} <j@example.com>`, `Subject: ${subject}`];
    const read = async (header: string[]) => {
      const mail = await simpleParser([...header, "", ""].join("\r\n"));
      return [mail.from?.value, mail.subject];
    };
    const written = lines.map(write);
    expect(written.every((line) => isAscii(Buffer.from(line)))).toBe(true);
    expect(await read(written)).toEqual([[{ address: "j@example.com", name }], subject]);
  });
  await fc.assert(property, { numRuns: 300 });
});
