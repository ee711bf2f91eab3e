import fc from "fast-check";
import { expect, it } from "vitest";
import {
  encodeMailboxes,
  encodeParameter,
  encodeStructured,
  encodeUnstructured,
  headerLine,
} from "./encode-header.ts";

it.each([
  ["Hello world", "Hello world"],
  ["", ""],
  ["Grüße", "=?UTF-8?B?R3LDvMOfZQ==?="],
  ["two  spaces", "=?UTF-8?Q?two__spaces?="],
  [" edge", "=?UTF-8?Q?_edge?="],
  ["a =?utf-8?Q?b?= c", "=?UTF-8?B?YSA9P3V0Zi04P1E/Yj89IGM=?="],
  ["a\r\nBcc: b", "a Bcc: b"],
])("writes free text so that it is read back: %j", (text, encoded) => {
  expect(encodeUnstructured(text)).toBe(encoded);
});

it("leaves the value of a field of tokens unchanged", () => {
  const value = "<https://example.com/?a==?utf-8?Q?b?=>,  <mailto:a@b.c>";
  expect(encodeStructured(value)).toBe(value);
});

it.each([
  [{ address: "a@b.c" }, "a@b.c"],
  [{ address: "a@b.c", displayName: "Ann O'Neil" }, "Ann O'Neil <a@b.c>"],
  [{ address: "a@b.c", displayName: "Ann, Inc." }, '"Ann, Inc." <a@b.c>'],
  [{ address: "a@b.c", displayName: 'a "b" \\' }, '"a \\"b\\" \\\\" <a@b.c>'],
  [{ address: "a@b.c", displayName: "José" }, "=?UTF-8?B?Sm9zw6k=?= <a@b.c>"],
  [{ address: "a@b.c", displayName: "=?x?Q?y?=" }, "=?UTF-8?B?PT94P1E/eT89?= <a@b.c>"],
])("writes the mailbox %j", (mailbox, encoded) => {
  expect(encodeMailboxes([mailbox])).toBe(encoded);
});

it.each([
  ["a.txt", ';\r\n filename="a.txt"'],
  ["a;  b.txt", ';\r\n filename="a;  b.txt"'],
  ["a\\b", ';\r\n filename="a\\\\b"'],
  ['a".txt', ";\r\n filename*0*=utf-8''a%22.txt"],
  ["é.txt", ";\r\n filename*0*=utf-8''%C3%A9.txt"],
  ["=?a?Q?b?=", ";\r\n filename*0*=utf-8''%3D%3Fa%3FQ%3Fb%3F%3D"],
  ["a".repeat(61), `;\r\n filename*0="${"a".repeat(60)}";\r\n filename*1="a"`],
  ["a\r\nX: y.txt", ';\r\n filename="a X: y.txt"'],
])("writes the parameter %j", (value, encoded) => {
  expect(encodeParameter("filename", value)).toBe(encoded);
});

it("folds without changing a character, and leaves no blank line", () => {
  const word = fc.oneof(fc.stringMatching(/^[!-~]{1,12}$/), fc.constantFrom("x".repeat(80), " ", "\t", "  "));
  const values = fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => words.join(" ").trim());
  fc.assert(
    fc.property(values, (value) => {
      fc.pre(value !== "");
      const field = headerLine("X-Name", value);
      expect(field.replaceAll(/\r\n(?=[ \t])/g, "")).toBe(`X-Name: ${value}\r\n`);
      const rows = field.slice(0, -2).split("\r\n");
      for (const row of rows) {
        expect(row.trim()).not.toBe("");
        if (row.length > 78) expect(row.replace("X-Name: ", "").trim()).not.toMatch(/\S[ \t]\S/);
      }
    }),
    { numRuns: 1_000 },
  );
});
