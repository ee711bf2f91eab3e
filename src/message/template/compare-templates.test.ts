import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import { compareTemplates } from "./compare-templates.ts";
import type { TemplateSource } from "./template.ts";

const BASE: TemplateSource = { name: "welcome", subject: "Hi", text: "one\ntwo\nthree\n", variables: [] };

const compare = (before: Partial<TemplateSource>, after: Partial<TemplateSource>) =>
  compareTemplates({ ...BASE, ...before }, { ...BASE, ...after });

const linesOf = (found: ReturnType<typeof compareTemplates>) =>
  found.flatMap(({ hunks }) =>
    hunks.flatMap(({ lines }) => lines.map(({ kind, text }) => `${kind} ${text}`)),
  );

describe("two versions of a template", () => {
  it("have no differences", () => {
    expect(compare({}, {})).toEqual([]);
  });

  it("differ in some fields, line by line", () => {
    const found = compare({}, { subject: "Hello", text: "one\n2\nthree\n" });
    expect(found.map(({ field }) => field)).toEqual(["subject", "text"]);
    expect(linesOf(found)).toEqual([
      "removed Hi",
      "added Hello",
      "same one",
      "removed two",
      "added 2",
      "same three",
    ]);
    expect(found[1]?.hunks[0]).toMatchObject({ beforeLine: 1, afterLine: 1 });
  });

  it("show three lines around a difference, and no others", () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
    const changed = lines.with(10, "ten").with(80, "eighty");
    const [found] = compare({ text: lines.join("\n") }, { text: changed.join("\n") });
    expect(found?.hunks.map(({ beforeLine, lines }) => [beforeLine, lines.length])).toEqual([
      [8, 8],
      [78, 8],
    ]);
  });

  it("differ when one has no line break at its end", () => {
    const [found] = compare({ text: "one" }, { text: "one\n" });
    expect(found?.hunks[0]?.lines).toEqual([
      { kind: "removed", text: "one", unterminated: true },
      { kind: "added", text: "one", unterminated: false },
    ]);
  });

  it("differ in a field that only one of them has", () => {
    expect(linesOf(compare({}, { html: "<p>\n" }))).toEqual(["added <p>"]);
    expect(linesOf(compare({ from: "a@example.com" }, {}))).toEqual(["removed a@example.com"]);
  });

  it("differ in variables, each on one line", () => {
    const name = { name: "name", type: "string" } as const;
    const found = compare({ variables: [name] }, { variables: [{ ...name, fallback: "you" }] });
    expect(linesOf(found)).toEqual([
      'removed {"name":"name","type":"string"}',
      'added {"name":"name","type":"string","fallback":"you"}',
    ]);
  });

  it("separate lines that begin like those of a patch", () => {
    expect(linesOf(compare({ text: "-a\n\\b\n" }, { text: "-a\n\\c\n" }))).toEqual([
      "same -a",
      "removed \\b",
      "added \\c",
    ]);
  });

  it("are too different to be listed", () => {
    const lines = (word: string) => Array.from({ length: 2_000 }, (_, n) => `${word} ${n}`).join("\n");
    expect(compare({ text: lines("a") }, { text: lines("b") })).toEqual([
      { field: "text", tooDifferent: true, hunks: [] },
    ]);
  });

  it("are too long to be compared, even with a single difference: 50,000 lines in total", () => {
    const text = "a\n".repeat(25_000);
    expect(compare({ text }, { text: `${text}b` })).toEqual([
      { field: "text", tooDifferent: true, hunks: [] },
    ]);
    const shorter = "a\n".repeat(24_000);
    expect(linesOf(compare({ text: shorter }, { text: `${shorter}b\n` })).at(-1)).toBe("added b");
  });

  it.each([
    ["line breaks alone", "\n".repeat(1_000_000), "x\n".repeat(500_000)],
    ["lines that repeat", `${"a\n".repeat(99)}b\n`.repeat(5_000), `${"a\n".repeat(98)}b\n`.repeat(5_000)],
    ["one long line", "a".repeat(1_000_000), "b".repeat(1_000_000)],
  ])("are compared quickly: %s", (_, before, after) => {
    expect(cpuSecondsOf(() => compare({ text: before }, { text: after }))).toBeLessThan(
      HOSTILE_INPUT_CPU_SECONDS,
    );
  });
});
