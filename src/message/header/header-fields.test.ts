import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkHeaderField, checkHeaderFields, checkSubject } from "./header-fields.ts";

describe("checkHeaderField", () => {
  it.each([
    ["List-Unsubscribe", "<https://example.com/u/1>, <mailto:u@example.com>"],
    ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
    ["In-Reply-To", "<a@b.c>"],
    ["References", "<a@b.c> <d@e.f>"],
    ["Auto-Submitted", "auto-generated"],
    ["Precedence", "bulk"],
    ["Feedback-ID", "1:2:3:shop"],
    ["List-Id", "News <news.example.com>"],
    ["X-Entity-Ref-ID", "überraschend\tgut"],
    ["X".repeat(76), "y"],
  ])("allows %s", (name, value) => {
    expect(checkHeaderField({ name, value })).toBeUndefined();
  });

  it.each(
    (
      "From To Cc Bcc Sender Subject Date Message-ID Reply-To Return-Path Received MIME-Version Content-Type " +
      "content-transfer-encoding DKIM-Signature ARC-Seal Authentication-Results X-Service-Policy X-Idempotency-Key " +
      "Resent-From bCC"
    ).split(" "),
  )("reserves %s for Hermod", (name) => {
    expect(checkHeaderField({ name, value: "x" })?.code).toBe("header.reserved");
  });

  it.each(["", "X Y", "X:Y", "X\r\nBcc", "X-\u00e9", "X\0", "X\u007f", " X", "X "])(
    "refuses the name %j",
    (name) => {
      expect(checkHeaderField({ name, value: "x" })?.code).toBe("header.name_invalid");
    },
  );

  it.each([
    ["", "header.value_empty"],
    [" \t", "header.value_empty"],
    ["a\r\nBcc: x@y.z", "header.value_invalid"],
    ["a\nb", "header.value_invalid"],
    ["a\rb", "header.value_invalid"],
    ["a\0b", "header.value_invalid"],
    ["a\u007fb", "header.value_invalid"],
    ["a\u0085b", "header.value_invalid"],
    ["a\u2028b", "header.value_invalid"],
    ["a".repeat(901), "header.value_too_long"],
    ["a ".repeat(5_000), "header.value_too_long"],
  ])("refuses the value %j", (value, code) => {
    expect(checkHeaderField({ name: "X-A", value })?.code).toBe(code);
  });

  it("refuses text beyond ASCII in fields that no reader would decode", () => {
    expect(checkHeaderField({ name: "List-Unsubscribe", value: "<https://exämple.com>" })?.code).toBe(
      "header.value_not_ascii",
    );
  });

  it("accepts nothing that could end the field or begin another", () => {
    const piece = fc.constantFrom(
      "X",
      "-",
      "a",
      ":",
      " ",
      "\t",
      "\r",
      "\n",
      "\0",
      "\u007f",
      "\u2028",
      "é",
      "\r\nBcc: x",
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, (name, value) => {
        if (checkHeaderField({ name, value }) !== undefined) return;
        expect(name).toMatch(/^[!-9;-~]+$/);
        expect(value.replaceAll("\t", "")).not.toMatch(/\p{Cc}|\u2028/u);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("checkHeaderFields", () => {
  it("reports every fault with its position", () => {
    const faults = checkHeaderFields([
      { name: "X-A", value: "1" },
      { name: "Bcc", value: "x@y.z" },
      { name: "x-a", value: "2" },
      { name: "X-B", value: "a\nb" },
    ]);
    expect(faults.map(({ index, name, code }) => [index, name, code])).toEqual([
      [1, "Bcc", "header.reserved"],
      [2, "x-a", "header.duplicate"],
      [3, "X-B", "header.value_invalid"],
    ]);
  });

  it("limits their number and their total size", () => {
    const fields = (count: number, value: string) =>
      Array.from({ length: count }, (_, i) => ({ name: `X-${i}`, value }));
    expect(checkHeaderFields(fields(50, "a"))).toEqual([]);
    expect(checkHeaderFields(fields(51, "a"))[0]?.code).toBe("header.too_many");
    expect(checkHeaderFields(fields(20, "a ".repeat(2_000)))[0]?.code).toBe("header.too_large");
  });
});

describe("checkSubject", () => {
  it.each(["", "Hello", "Zażółć 👋", "é".repeat(499)])("accepts %j", (subject) => {
    expect(checkSubject(subject)).toBeUndefined();
  });

  it.each(["a\r\nBcc: x@y.z", "a\nb", "a\rb", "a\0", "a\u007f", "a\u2028b", "a\tb"])(
    "refuses %j",
    (subject) => {
      expect(checkSubject(subject)?.code).toBe("subject.control_character");
    },
  );

  it("counts octets, not characters", () => {
    expect(checkSubject("é".repeat(500))?.code).toBe("subject.too_long");
  });
});
