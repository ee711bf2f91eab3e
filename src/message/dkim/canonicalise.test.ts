import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { relaxedBody, relaxedHeader } from "./canonicalise.ts";

function body(text: string): string {
  return Buffer.concat([...relaxedBody(Buffer.from(text, "latin1"))]).toString("latin1");
}

function header(text: string): string {
  return relaxedHeader(Buffer.from(text, "latin1")).toString("latin1");
}

describe("a relaxed header field", () => {
  it.each([
    ["A: X ", "a:X"],
    ["B : Y\t\r\n\tZ  ", "b:Y Z"],
    ["SUBJect\t :\r\n one \r\n\t two: A  b\r\n \r\n\t", "subject:one two: A b"],
    ["Reply-To:", "reply-to:"],
    ["Reply-To: \t\r\n ", "reply-to:"],
    ["X-8bit: \xe9\xa0\xff É", "x-8bit:\xe9\xa0\xff É"],
    ["X: :\t: ", "x:: :"],
  ])("%j becomes %j", (field, canonical) => {
    expect(header(field)).toBe(canonical);
  });
});

describe("a relaxed body", () => {
  it.each([
    [" C \r\nD \t E\r\n\r\n\r\n", " C\r\nD E\r\n"],
    ["", ""],
    ["\r\n", ""],
    ["\r\n\r\n\r\n", ""],
    [" \t", ""],
    [" \t\r\n \r\n\t", ""],
    ["a", "a\r\n"],
    ["a \t", "a\r\n"],
    ["a\r\n", "a\r\n"],
    ["a\r\n \r\n\t\r\n", "a\r\n"],
    ["\r\n \r\na", "\r\n\r\na\r\n"],
    ["a\r\n\r\n\tb", "a\r\n\r\n b\r\n"],
    ["a\v\f \xa0 b\0", "a\v\f \xa0 b\0\r\n"],
  ])("%j becomes %j", (given, canonical) => {
    expect(body(given)).toBe(canonical);
  });

  it("has the hash of no octets when empty (RFC 6376 section 3.4.4)", () => {
    expect(createHash("sha256").update(body("\r\n")).digest("base64")).toBe(
      "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    );
  });

  it.each(["a\nb", "\na", "\n", "a\rb", "\r", "a\r", "a\r\r\n", "a\n\r\n", "\r\n\n"])(
    "refuses %j",
    (given) => {
      expect(() => body(given)).toThrow(TypeError);
    },
  );
});

const soup = (...pieces: string[]) => fc.array(fc.constantFrom(...pieces)).map((chosen) => chosen.join(""));

/** The rules of the RFC, step by step over the whole text. */
function bodyByTheRules(text: string): string {
  const lines = text.split("\r\n").map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
  while (lines.at(-1) === "") lines.pop();
  return lines.map((line) => `${line}\r\n`).join("");
}

function headerByTheRules(field: string): string {
  const [name = "", ...rest] = field.replace(/\r\n/g, "").split(":");
  const value = rest.join(":").replace(/[ \t]+/g, " ");
  return `${name.toLowerCase().replace(/[ \t]+$/, "")}:${value.replace(/^ | $/g, "")}`;
}

describe("any text", () => {
  it("is canonicalized by the rules for a body, and then stays canonical", () => {
    fc.assert(
      fc.property(soup("a", "É", ".", " ", "\t", "  ", "\r\n", "\r\n\r\n", " \r\n"), (text) => {
        expect(body(text)).toBe(bodyByTheRules(text));
        expect(body(body(text))).toBe(body(text));
      }),
    );
  });

  it("is canonicalized by the rules for a header value, and then stays canonical", () => {
    fc.assert(
      fc.property(soup("a", "B", "É", ":", " ", "\t", "  ", "\r\n ", "\r\n\t", " \r\n  "), (value) => {
        const canonical = header(`X-Ref:${value}`);
        expect(canonical).toBe(headerByTheRules(`X-Ref:${value}`));
        expect(header(canonical)).toBe(canonical);
      }),
    );
  });

  // Beyond 64 KiB a body is processed in slices, which may end anywhere between a CR, an LF and white space.
  it.each([65_533, 65_534, 65_535, 65_536, 65_537])(
    "is canonicalized equally across the end of a slice at %d",
    (at) => {
      for (const edge of ["\r\n", " \t\r\n\r\n", "a \t b", "\r\n\r\n \t"]) {
        const text = `${"x".repeat(at)}${edge}${"y".repeat(70_000)}${"\r\n".repeat(70_000)}z\r\n\r\n`;
        expect(body(text) === bodyByTheRules(text)).toBe(true);
      }
    },
  );
});
