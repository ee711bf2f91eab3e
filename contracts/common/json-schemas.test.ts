import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createJsonSchemas } from "./json-schemas.ts";

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("JSON schemas", () => {
  it("refers to a named schema by $ref at any depth", () => {
    const inner = z.object({ a: z.string() }).meta({ id: "TestInner" });
    const outer = z.object({ list: z.array(inner) }).meta({ id: "TestOuter" });
    const schemas = createJsonSchemas();
    expect(schemas.write(outer, "output")).toEqual(reference("TestOuter"));
    expect(schemas.write(z.array(inner), "output")).toEqual({ type: "array", items: reference("TestInner") });
    expect(Object.keys(schemas.components())).toEqual(["TestInner", "TestOuter"]);
  });

  it("allows additional fields in responses but not in requests", () => {
    const schemas = createJsonSchemas();
    expect(schemas.write(z.object({}), "output")).not.toHaveProperty("additionalProperties");
    expect(schemas.write(z.strictObject({}), "input")).toMatchObject({ additionalProperties: false });
  });

  it("writes a nullable schema as two types", () => {
    const written = createJsonSchemas().write(z.string().nullable(), "output");
    expect(written).toEqual({ type: ["string", "null"] });
  });

  it("puts the description of a union before those of its members", () => {
    const member = z.string().meta({ description: "A word." });
    const union = z.union([member, z.number()]).meta({ description: "A word or a number." });
    expect(createJsonSchemas().write(union, "input")).toEqual({
      description: "A word or a number.\n\nA word.",
      anyOf: [{ type: "string" }, { type: "number" }],
    });
  });

  it("writes a string or a list of such strings as two types, which every generator supports", () => {
    const member = z
      .string()
      .max(9)
      .meta({ description: "A word.", examples: ["a"] });
    const union = z.union([member, z.array(member).meta({ maxItems: 3 })]).meta({ description: "Words." });
    expect(createJsonSchemas().write(union, "input")).toEqual({
      description: "Words.\n\nA word.",
      type: ["array", "string"],
      maxLength: 9,
      items: { type: "string", maxLength: 9, examples: ["a"] },
      maxItems: 3,
    });
  });

  it("keeps a union if the items of its list differ from its string", () => {
    const union = z.union([z.string(), z.array(z.string().max(9))]);
    expect(createJsonSchemas().write(union, "input")).toHaveProperty("anyOf");
  });

  it("rejects one name for two schemas", () => {
    const twoFaced = z.object({ port: z.string().default("25") }).meta({ id: "TestTwoFaced" });
    const schemas = createJsonSchemas();
    schemas.write(twoFaced, "input");
    expect(() => schemas.write(twoFaced, "output")).toThrow(
      /"TestTwoFaced" stands for two different schemas/,
    );
  });

  it("rejects a recursive schema without a name, except JSON itself", () => {
    const tree: z.ZodType = z.lazy(() => z.object({ children: z.array(tree) }));
    const schemas = createJsonSchemas();
    expect(() => schemas.write(z.object({ tree }), "input")).toThrow(/needs a name/);
    expect(schemas.write(z.object({ any: z.json() }), "input")).toMatchObject({
      properties: { any: reference("JsonValue") },
    });
  });
});
