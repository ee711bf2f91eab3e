import { describe, expect, it } from "vitest";
import { pathsIn, suggestLiquid } from "./suggest-liquid.ts";

const variables = ["name", "user.name"];
const suggested = (before: string) => {
  const found = suggestLiquid(before, variables);
  return found && [found.length, found.words[0]?.kind, found.words.map(({ label }) => label)];
};

describe("suggestions in a template", () => {
  it("are variables in an output, and replace the path before the cursor", () => {
    expect(suggested("<p>{{ ")).toEqual([0, "variable", variables]);
    expect(suggested("{{ a }} {{ user.na")).toEqual([7, "variable", variables]);
    expect(suggested("{% if us")).toEqual([2, "variable", variables]);
  });

  it("are tags at the beginning of a tag", () => {
    expect(suggestLiquid("{% if a %}{%- e", variables)).toMatchObject({ length: 1 });
    expect(suggestLiquid("{% ", variables)?.words).toContainEqual({ label: "for", kind: "keyword" });
  });

  it("are filters after a bar", () => {
    expect(suggestLiquid("{{ name | up", variables)?.words).toContainEqual({
      label: "upcase",
      kind: "function",
    });
  });

  it.each(["", "name", "{{ name }} ", "{% if a %}", '{{ name | append: "na', "{ name"])(
    "are missing in %j",
    (before) => {
      expect(suggestLiquid(before, variables)).toBeUndefined();
    },
  );
});

describe("the paths in data", () => {
  it("name the values of nested objects, but not the entries of lists", () => {
    expect(pathsIn({ user: { name: "Ada", address: { city: "Bern" } }, items: [{ price: 1 }] })).toEqual([
      "user",
      "user.name",
      "user.address",
      "user.address.city",
      "items",
    ]);
  });

  it("leave out names that Liquid cannot read with a dot", () => {
    expect(pathsIn({ "first name": 1, last: 2 })).toEqual(["last"]);
  });

  it("end at 300", () => {
    const data = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`v${n}`, n]));
    expect(pathsIn(data)).toHaveLength(300);
  });
});
