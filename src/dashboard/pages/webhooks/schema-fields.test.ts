import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type EventType, eventSchemas, eventTypes } from "../../../../contracts/events.ts";
import { fieldsOf } from "./schema-fields.ts";

const of = (type: EventType) =>
  fieldsOf(z.toJSONSchema(eventSchemas[type], { io: "output" }) as Readonly<Record<string, unknown>>);

describe("the fields of an event", () => {
  it("are those of its schema, with the path of each", () => {
    const fields = of("message.delivered");
    const paths = fields.map(({ path }) => path);
    expect(paths).toContain("id");
    expect(paths).toContain("data.message_id");
    expect(paths).toContain("data.reply.code");
    expect(fields.find(({ path }) => path === "data.reply.code")).toMatchObject({
      type: "integer",
      isRequired: false,
      description: "SMTP reply code.",
    });
    expect(fields.find(({ path }) => path === "data.tags")?.type).toBe("list of string");
  });

  it.each(eventTypes.map((type) => [type]))("have a type and a description: %s", (type) => {
    const fields = of(type);
    expect(fields.length).toBeGreaterThan(5);
    expect(new Set(fields.map(({ path }) => path)).size).toBe(fields.length);
    for (const { path, type: shown } of fields) expect([path, shown]).not.toEqual([path, "any value"]);
  });

  it("follow references, lists and choices, and end where a schema refers to itself", () => {
    const schema = {
      type: "object",
      required: ["list"],
      properties: {
        list: { type: "array", items: { $ref: "#/$defs/Node" }, description: "Nodes." },
        value: { anyOf: [{ type: "string" }, { type: "null" }] },
        kind: { enum: ["a", "b"], type: "string" },
      },
      $defs: {
        Node: {
          type: "object",
          properties: { name: { type: "string" }, next: { $ref: "#/$defs/Node" } },
        },
      },
    };
    const fields = fieldsOf(schema);
    expect(fields[0]).toEqual({
      path: "list",
      type: "list of object",
      isRequired: true,
      description: "Nodes.",
      values: [],
    });
    expect(fields.map(({ path }) => path)).toContain("list[].name");
    expect(fields.find(({ path }) => path === "value")?.type).toBe("string or null");
    expect(fields.find(({ path }) => path === "kind")?.values).toEqual(['"a"', '"b"']);
    expect(fields.length).toBeLessThan(30);
  });
});
