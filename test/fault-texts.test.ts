import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { type FaultReason, faultTextOf, faultTexts } from "../contracts/common/fault-texts/fault-texts.ts";
import { type FieldFault, fault, validationFault } from "../src/shared/fault.ts";
import { say } from "../src/shared/fault-text.ts";

/** A code beside `say("reason")`: an argument, a property, or one of two of a condition. */
interface Said {
  readonly place: string;
  readonly codes: readonly string[];
  readonly reasons: readonly string[];
}

const CODE = /^[a-z_]+\.[a-z0-9_]+$/;
const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = faultTexts;

describe("the text of a fault", () => {
  it("is refused by the compiler unless it comes from the catalogue with its params", () => {
    const name = "bulk";
    // @ts-expect-error a text with a value that is no param
    void (() => fault("policy.not_found", { public: `There is no policy ${name}.` }));
    // @ts-expect-error a text that the catalogue does not have
    void (() => fault("policy.not_found", { public: "There is no such policy." }));
    // @ts-expect-error the same for a field
    const field: FieldFault = { pointer: "/name", code: "field.invalid", message: `No ${name}.` };
    // @ts-expect-error an object that looks like one
    void (() => fault("policy.not_found", { public: { text: `No ${name}.`, params: {} } }));
    // @ts-expect-error a reason without its params
    void (() => say("no_policy"));
    // @ts-expect-error a param of another type
    void (() => say("at_most_characters", { max: "many" }));
    // @ts-expect-error a param that the text does not have
    void (() => say("missing", { name }));
    // @ts-expect-error the same in a list of them
    void (() => validationFault([{ pointer: "/name", code: "field.invalid", message: `No ${name}.` }]));
    expect(String(field.message)).toBe("No bulk.");
  });

  it("is of the code that stands beside it", () => {
    const wrong = said.flatMap(({ place, codes, reasons }) =>
      reasons
        .filter((reason) => !codes.some((code) => texts[code]?.[reason] !== undefined))
        .map((reason) => `${place}: ${codes.join(" or ")} has no text ${reason}`),
    );
    expect(said.length).toBeGreaterThan(300);
    expect(wrong).toEqual([]);
  });

  it("is in use for each reason of the catalogue", () => {
    const sources = [...sourceTexts.values()].join("\n");
    // Reasons that a kind or a unit is put before.
    const suffixes = ["_used", "_used_by_more", "_at_least", "_at_most"];
    const unused = Object.values(texts)
      .flatMap((ofCode) => Object.keys(ofCode))
      .filter((reason) => !sources.includes(`"${reason}"`) && !suffixes.some((end) => reason.endsWith(end)));
    expect(unused).toEqual([]);
  });

  it("is taken from another process in the transport alone", () => {
    const users = [...sourceTexts].filter(([, text]) => text.includes("receivedText(")).map(([file]) => file);
    expect(users.sort()).toEqual(["src/rpc/status.ts", "src/shared/fault-text.ts", "src/shared/fault.ts"]);
  });

  it("has the values of its params", () => {
    for (const reason of Object.values(texts).flatMap((ofCode) => Object.keys(ofCode)) as FaultReason[]) {
      expect(faultTextOf(reason)).not.toBe("");
    }
    expect(String(say("no_policy", { name: "bulk" }))).toBe('The routing policy "bulk" does not exist.');
    expect(String(say("one_of", { allowed: ["a", "b"] }))).toBe("The value must be one of a, b.");
    expect(String(say("value_one_of", { allowed: ["a", "b"] }))).toBe("The value must be one of `a`, `b`.");
    expect(String(say("entries_at_most", { max: 1 }))).toBe("The value must have at most 1 entry.");
    expect(String(say("entries_at_least", { min: 2 }))).toBe("The value must have at least 2 entries.");
    expect(String(say("client_has", { name: 'a "b"', field: "name" }))).toBe(
      'The client "a \\"b\\"" already has this name. Nothing was changed.',
    );
    expect(say("key_kind", { expected: "smtp", kind: "account" }).text).toBe(
      "This operation requires an SMTP sending key (hm_smtp_…), not an account key (hm_live_…).",
    );
    expect(say("no_policy", { name: "{id}" }).text).toBe('The routing policy "{id}" does not exist.');
  });
});

describe("the params of a fault", () => {
  it("hold no control characters, no secrets and no more than their bounds", () => {
    const { params } = say("none_of", {
      given: `a\u001b[31m\u202eb\u2028hm_live_${"x".repeat(49)}`,
      allowed: Array.from({ length: 500 }, (_, index) => String(index)),
    });
    expect(params.given).toBe("a\ufffd[31m\ufffdb\ufffdhm_live_xxxxxxxx…");
    expect(params.allowed).toHaveLength(60);
    expect(say("no_policy", { name: "x".repeat(5_000) }).params.name).toMatch(/^x{199}…$/);
    const long = Array.from({ length: 60 }, () => "é".repeat(200));
    expect(say("one_of", { allowed: long }).params).toEqual({ reason: "one_of" });
    expect(say("no_policy", { name: "\ud83d" }).params.name).toBe("\ufffd");
  });
});

const sourceTexts = new Map(
  readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("dashboard/"))
    .map((file) => [`src/${file}`, readFileSync(`src/${file}`, "utf8")] as const),
);
const said = [...sourceTexts].flatMap(([file, text]) => saidIn(file, text));

function saidIn(file: string, text: string): Said[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Said[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === "say") {
      const reasons = stringsIn(node.arguments[0]);
      const codes = codesBeside(node);
      if (codes.length > 0) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push({ place: `${file}:${line + 1}`, codes, reasons });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Codes in the nearest call or object around the text; none: a helper adds the code. */
function codesBeside(node: ts.Node): string[] {
  for (let at = node.parent; !ts.isStatement(at); at = at.parent) {
    if (ts.isCallExpression(at)) {
      const codes = at.arguments.flatMap((argument) =>
        ts.isObjectLiteralExpression(argument) ? [] : stringsIn(argument),
      );
      const known = codes.filter((code) => CODE.test(code));
      if (known.length > 0) return known;
    }
    if (ts.isObjectLiteralExpression(at)) {
      const code = at.properties.find((property) => property.name?.getText() === "code");
      if (code && ts.isPropertyAssignment(code)) return stringsIn(code.initializer);
    }
  }
  return [];
}

/** The strings that an expression can be. */
function stringsIn(node: ts.Node | undefined): string[] {
  if (node === undefined) return [];
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...stringsIn(node.whenTrue), ...stringsIn(node.whenFalse)];
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return stringsIn(node.expression);
  return [];
}
