import { describe, expect, it } from "vitest";
import { bodyOf, differingFields, isSame, textOf, withVariable } from "./draft-text.ts";

const content = {
  subject: "Hi {{ name }}",
  html: "<p>{{ name }}</p>",
  variables: [
    { name: "name", type: "string", fallback: "you" },
    { name: "items", type: "list", fallback: [1] },
    { name: "plan", type: "string" },
  ],
};

describe("the edited text of a template", () => {
  it("becomes the stored text again, without parts that the template does not have", () => {
    expect(bodyOf(textOf(content))).toEqual(content);
  });

  it("has fallbacks as text, and of other types as JSON", () => {
    expect(textOf(content).variables.map(({ isRequired, fallback }) => [isRequired, fallback])).toEqual([
      [false, "you"],
      [false, "[1]"],
      [true, ""],
    ]);
  });

  it("keeps a fallback that is no JSON, so that the server can report it", () => {
    const text = textOf({ subject: "", variables: [{ name: "a", type: "number", fallback: 1 }] });
    const [row] = text.variables;
    if (!row) throw new Error("The text has no variable.");
    const changed = { ...text, variables: [{ ...row, fallback: "one" }] };
    expect(bodyOf(changed).variables).toEqual([{ name: "a", type: "number", fallback: "one" }]);
  });

  it("gets rows with new keys", () => {
    const rows = withVariable(withVariable(textOf(content).variables, "a").slice(1), "b");
    expect(rows.map(({ key }) => key)).toEqual([1, 2, 3, 4]);
  });

  it("differs in the fields that were changed", () => {
    const text = textOf(content);
    const changed = { ...text, html: "", variables: text.variables.slice(0, 1) };
    expect(isSame(text, textOf(content))).toBe(true);
    expect(isSame(text, changed)).toBe(false);
    expect(differingFields(text, changed)).toEqual([
      { field: "html", theirs: content.html, yours: "" },
      {
        field: "variables",
        theirs: [
          '{"name":"name","type":"string","fallback":"you"}',
          '{"name":"items","type":"list","fallback":[1]}',
          '{"name":"plan","type":"string"}',
        ].join("\n"),
        yours: '{"name":"name","type":"string","fallback":"you"}',
      },
    ]);
  });
});
