import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import { MAX_POLICY_BYTES, parsePolicy } from "./policy.ts";

const read = (text: string) => parsePolicy(Buffer.from(text));
const lines = (...all: string[]) => all.map((line) => `${line}\r\n`).join("");
const valid = ["version: STSv1", "mode: enforce", "mx: mail.example.com", "max_age: 86400"];
/** A valid policy with one line replaced. */
const withLine = (line: string) => {
  const name = line.slice(0, line.indexOf(":"));
  return lines(...valid.map((one) => (one.startsWith(`${name}:`) ? line : one)));
};

describe("a policy", () => {
  it("is parsed as in the example of RFC 8461", () => {
    const text = "version: STSv1\nmode: enforce\nmx: mail.example.com\nmx: *.example.net\n";
    expect(read(`${text}mx: backupmx.example.com\nmax_age: 604800\n`)).toEqual({
      mode: "enforce",
      mx: ["mail.example.com", "*.example.net", "backupmx.example.com"],
      maxAgeSeconds: 604_800,
    });
  });

  it.each([
    ["LF", valid.join("\n")],
    ["CRLF", valid.join("\r\n")],
    ["a line end at the end", lines(...valid)],
    ["empty lines at the end", `${lines(...valid)}\r\n\n`],
    [
      "blanks after the colon and at the ends",
      valid.map((line) => `${line.replace(": ", ": \t ")} \t`).join("\n"),
    ],
    ["no blank after the colon", valid.map((line) => line.replace(": ", ":")).join("\n")],
    ["another order", [...valid].reverse().join("\n")],
    ["unknown fields", lines("x-1.a_b: ünknown value: 1", ...valid, "extra: ~")],
    ["capitals in a name", withLine("mx: MAIL.Example.COM")],
  ])("may have %s", (_, text) => {
    expect(read(text)).toEqual({ mode: "enforce", mx: ["mail.example.com"], maxAgeSeconds: 86_400 });
  });

  it("uses the first of repeated fields, and every mx", () => {
    const again = ["version: STSv9", "mode: none", "mx: *.b.example", "max_age: 1"];
    expect(read(lines(...valid, ...again))).toEqual({
      mode: "enforce",
      mx: ["mail.example.com", "*.b.example"],
      maxAgeSeconds: 86_400,
    });
  });

  it.each(["testing", "none"])("may have the mode %s", (mode) => {
    expect(read(withLine(`mode: ${mode}`)).mode).toBe(mode);
  });

  it("needs no mx when its mode is none", () => {
    expect(read("version: STSv1\nmode: none\nmax_age: 0")).toEqual({
      mode: "none",
      mx: [],
      maxAgeSeconds: 0,
    });
  });

  it("is valid for at most a year", () => {
    expect(read(withLine("max_age: 31557600")).maxAgeSeconds).toBe(31_557_600);
    expect(() => read(withLine("max_age: 31557601"))).toThrow("max_age");
  });

  it.each([
    ["nothing", ""],
    ["no version", lines(...valid.slice(1))],
    ["another version", withLine("version: STSv2")],
    ["a version in other letters", withLine("version: stsv1")],
    ["no mode", lines(...valid.filter((line) => !line.startsWith("mode")))],
    ["an unknown mode", withLine("mode: report")],
    ["a mode in capitals", withLine("mode: Enforce")],
    ["no mx", lines(...valid.filter((line) => !line.startsWith("mx")))],
    ["no max_age", lines(...valid.slice(0, 3))],
    ["a negative max_age", withLine("max_age: -1")],
    ["a fraction", withLine("max_age: 1.5")],
    ["a number that is none", withLine("max_age: 0x10")],
    ["too many digits", withLine("max_age: 00000086400")],
    ["an address as mx", withLine("mx: 192.0.2.1")],
    ["a wildcard alone", withLine("mx: *")],
    ["a wildcard before nothing", withLine("mx: *.")],
    ["a wildcard inside", withLine("mx: mail.*.example.com")],
    ["a part of a label as wildcard", withLine("mx: m*.example.com")],
    ["two wildcards", withLine("mx: *.*.example.com")],
    ["a dot before", withLine("mx: .example.com")],
    ["a dot behind", withLine("mx: mail.example.com.")],
    ["U-labels", withLine("mx: mail.müller.example")],
    ["a label that is too long", withLine(`mx: ${"a".repeat(64)}.example`)],
    ["two names in one mx", withLine("mx: a.example b.example")],
    ["an empty value", withLine("mx: ")],
    ["an empty line inside", lines("version: STSv1", "", ...valid.slice(1))],
    ["a line without a colon", lines(...valid, "hello")],
    ["a line without a name", lines(...valid, ": x")],
    ["a blank before the colon", lines("version : STSv1", ...valid.slice(1))],
    ["a blank before the name", lines(" version: STSv1", ...valid.slice(1))],
    ["a name that is too long", lines(...valid, `${"a".repeat(33)}: x`)],
    ["a bare CR as line end", valid.join("\r")],
    ["NUL", lines(...valid, "extra: a\0b")],
    ["a byte order mark", `\ufeff${lines(...valid)}`],
    ["HTML", "<!doctype html>\n<title>Not found</title>\n"],
  ])("is refused with %s", (_, text) => {
    expect(() => read(text)).toThrow(/^the policy/);
  });

  it("is refused when it is not UTF-8 or too long", () => {
    expect(() =>
      parsePolicy(Buffer.concat([Buffer.from(lines(...valid)), Buffer.from("a: \xff", "latin1")])),
    ).toThrow("UTF-8");
    const filler = (length: number) => lines(...valid, `a: ${"x".repeat(length)}`);
    expect(read(filler(MAX_POLICY_BYTES - filler(0).length)).mode).toBe("enforce");
    expect(() => read(filler(MAX_POLICY_BYTES - filler(0).length + 1))).toThrow("longer");
  });

  it("is parsed or refused quickly for any input", () => {
    const word = fc.constantFrom(
      ...valid,
      "mx: *.a",
      ":",
      " ",
      "\t",
      "\n",
      "\r",
      "\0",
      "é",
      "mode:",
      "x".repeat(500),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string())), (parts) => {
        try {
          const { mode, mx } = read(parts.join("\n"));
          expect(mode === "none" || mx.length > 0).toBe(true);
        } catch (error) {
          expect(String(error)).toContain("the policy");
        }
      }),
    );
    const took = cpuSecondsOf(() => {
      for (const hostile of [" ", "\t", "a", "a:", "é ", ". "]) {
        const text = `version:${hostile.repeat(30_000)}`.slice(0, 30_000);
        expect(() => read(`${text}\x01`)).toThrow();
      }
    });
    expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  });
});
