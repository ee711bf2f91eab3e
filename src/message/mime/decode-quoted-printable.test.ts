import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeEscapes, withoutSoftBreaks } from "./decode-quoted-printable.ts";
import { toQuotedPrintable } from "./encode-text.ts";

const octets = fc
  .array(fc.constantFrom(..."= \t\r\n4fAzG\xe9", "\r\n", "=\r\n", "=3D", "=e9"), { maxLength: 40 })
  .map((pieces) => Buffer.from(pieces.join(""), "latin1"));

/** The rules as patterns, which take seconds for 25 MB. */
function joined(body: Buffer): string {
  const lines = body.toString("latin1").split("\r\n");
  const trimmed = lines.map((line, at) => (at < lines.length - 1 ? line.replace(/[ \t]+$/, "") : line));
  return trimmed.join("\r\n").replace(/=\r\n/g, "");
}

function unescaped(text: Buffer): string {
  return text
    .toString("latin1")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

describe("quoted-printable", () => {
  it("is joined and decoded by its rules for any content", () => {
    fc.assert(
      fc.property(octets, (body) => {
        expect(withoutSoftBreaks(body).toString("latin1")).toBe(joined(body));
        expect(decodeEscapes(body).toString("latin1")).toBe(unescaped(body));
      }),
      { numRuns: 2_000 },
    );
  });

  it("decodes its own encoding, octet for octet", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = Buffer.from(Buffer.from(bytes).toString("latin1").replace(/\r|\n/g, "\r\n"), "latin1");
        expect(decodeEscapes(withoutSoftBreaks(toQuotedPrintable(text).bytes))).toEqual(text);
      }),
    );
  });
});
