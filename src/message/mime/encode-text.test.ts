import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64Lines, encodeText, isSevenBit, normaliseLines } from "./encode-text.ts";

describe("encodeText", () => {
  it.each([
    ["plain", "Hello,\r\nworld.\r\n", "7bit"],
    ["empty", "", "7bit"],
    ["a line of 78", "x".repeat(78), "7bit"],
    ["a tab within", "a\tb", "7bit"],
    ["an equals sign", "a=b", "7bit"],
    ["a dot within", "a.\r\nb", "7bit"],
    ["a line of 79", "x".repeat(79), "quoted-printable"],
    ["a space at a line's end", "a longer line \r\nb", "quoted-printable"],
    ["a space at the end", "a longer line ", "quoted-printable"],
    ["From at a line's start", "a\r\nFrom b", "quoted-printable"],
    ["a dot at a line's start", "a\r\n.\r\n", "quoted-printable"],
    ["a boundary's look", "a\r\n--=_b", "quoted-printable"],
    ["a control character", "a longer line\0", "quoted-printable"],
    ["some accents", "une phrase en français, déjà plus longue", "quoted-printable"],
    ["another script", "Здравствуйте", "base64"],
  ])("encodes %s well", (_, text, transferEncoding) => {
    expect(encodeText(text).transferEncoding).toBe(transferEncoding);
  });

  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(
      "\r\n",
      "\n",
      "\r",
      " ",
      "\t",
      ".",
      "From ",
      "=",
      "--=_",
      "é",
      "👩‍👩‍👧",
      "日",
      "\0",
      "x".repeat(75),
      "é".repeat(40),
    ),
  );
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

  it("is decoded to the same octets, except line ends", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(decode(text).toString("hex")).toBe(Buffer.from(normaliseLines(text)).toString("hex"));
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps its lines short and free of characters that are altered on the way", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { bytes, transferEncoding } = encodeText(text);
        const body = bytes.toString("latin1");
        expect(body).not.toMatch(/[\x80-\xff]|[^\r]\n|\r(?!\n)|[ \t](?:\r|$)|\0/);
        expect(body).not.toMatch(/^(?:From |\.|--=_)/m);
        const limit = transferEncoding === "7bit" ? 78 : 76;
        for (const row of body.split("\r\n")) expect(row.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 2_000 },
    );
  });

  it("never splits the octets of a character", () => {
    const { bytes } = encodeText(
      `${"plain words. ".repeat(60)}${"a word é 日 👩 and plain words too; ".repeat(20)}`,
    );
    for (const row of bytes.toString("latin1").split("\r\n")) {
      const octets = [...row.matchAll(/=([0-9A-F]{2})/g)].map(([, hex = ""]) => Number.parseInt(hex, 16));
      expect(new TextDecoder().decode(Buffer.from(octets))).not.toContain("\ufffd");
    }
  });

  function decode(text: string): Buffer {
    const { bytes, transferEncoding } = encodeText(text);
    if (transferEncoding === "7bit") return bytes;
    if (transferEncoding === "base64") return Buffer.from(bytes.toString("latin1"), "base64");
    const unwrapped = bytes.toString("latin1").replaceAll("=\r\n", "");
    const octets = unwrapped.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(octets, "latin1");
  }
});

it("wraps base64 at 76 and loses no octet", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(50), (content, offset) => {
      const part = content.subarray(offset);
      const lines = base64Lines(part).toString("latin1").split("\r\n");
      expect(Buffer.from(lines.join(""), "base64").equals(Buffer.from(part))).toBe(true);
      expect(lines.slice(0, -1).every(({ length }) => length === 76)).toBe(true);
      expect(lines.at(-1)?.length).toBeLessThanOrEqual(76);
    }),
  );
});

it.each([
  ["", true],
  ["a\r\nb", true],
  ["x".repeat(998), true],
  ["x".repeat(999), false],
  ["a\nb", false],
  ["a\rb", false],
  ["\n", false],
  ["\0", false],
  ["é", false],
  ["a\r\n--=_b", false],
])("detects whether octets can be sent unencoded: %j", (text, expected) => {
  expect(isSevenBit(Buffer.from(text))).toBe(expected);
});
