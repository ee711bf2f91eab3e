import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  alertFields,
  conditionText,
  kindOf,
  operatorsOf,
  severities,
  withOperator,
} from "./condition-values.ts";
import { readJson } from "./read-json.ts";

const plain = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
const fields = fc.constantFrom(...alertFields, "context.used");

describe("a condition with another field or operator", () => {
  it("keeps its value where that fits", () => {
    const disk = { field: "event_type", op: "eq", value: "disk.full" };
    expect(withOperator(disk, { op: "in" })).toEqual({ ...disk, op: "in", value: ["disk.full"] });
    expect(withOperator({ ...disk, op: "in", value: ["a", "b"] }, { op: "prefix" }).value).toBe("a");
    const used = { field: "context.used", op: "gte", value: 90 };
    expect(withOperator(used, { op: "lte" })).toEqual({ ...used, op: "lte" });
    expect(withOperator(used, { field: "message" }).value).toBe("90");
    expect(withOperator({ ...disk, op: "exists", value: true }, { op: "eq" }).value).toBe("");
  });

  it("asks a severity only what it can answer", () => {
    const disk = { field: "event_type", op: "glob", value: "disk.*" };
    expect(withOperator(disk, { field: "severity" })).toEqual({
      field: "severity",
      op: "eq",
      value: "critical",
    });
    const rising = { field: "severity", op: "gte", value: "warning" };
    expect(withOperator(rising, { op: "lte" })).toEqual({ ...rising, op: "lte" });
  });

  it("always has a value of the kind that its operator needs", () => {
    fc.assert(
      fc.property(fields, fields, fc.oneof(plain, fc.array(plain)), (field, next, value) => {
        for (const op of operatorsOf(field))
          for (const asked of operatorsOf(next)) {
            const changed = withOperator({ field, op, value }, { field: next, op: asked });
            expect(changed.op).toBe(asked);
            const kind = kindOf(changed);
            if (kind === "list") expect(Array.isArray(changed.value)).toBe(true);
            else
              expect(typeof changed.value).toBe({ text: "string", number: "number", flag: "boolean" }[kind]);
            if (next === "severity" && kind === "text") expect(severities).toContain(changed.value);
            expect(readJson(JSON.stringify({ match: [changed] }))).not.toHaveProperty("fault");
          }
      }),
    );
  });

  it("is one line", () => {
    expect(conditionText({ field: "context.used", op: "gte", value: 90 })).toBe("context.used gte 90");
    expect(conditionText({ field: "source", op: "in", value: ["a", "b"] })).toBe("source in a, b");
  });
});
