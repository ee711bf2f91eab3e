import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fromContract } from "./validation-faults.ts";

function faultsOf(schema: z.ZodType, value: unknown) {
  const { error } = schema.safeParse(value);
  const { errors } = fromContract({ body: null, query: error, pathParams: null, headers: null } as never);
  return errors.map(({ pointer, code, message }) => [pointer, code, message]);
}

describe("reports a violation of a contract in Hermod's words", () => {
  const limit = z.object({ limit: z.coerce.number().int().min(1).max(100) });
  it.each([
    [limit, { limit: "0" }, "The value must be at least 1."],
    [limit, { limit: "101" }, "The value must be at most 100."],
    [limit, { limit: "x" }, "The value must be of the type number."],
    [limit, { limit: "1.5" }, "The value must be of the type int."],
    [z.object({ limit: z.string().min(1) }), { limit: "" }, "The value must have at least 1 character."],
    [z.object({ limit: z.string().max(2) }), { limit: "abc" }, "The value must have at most 2 characters."],
    [
      z.object({ limit: z.array(z.string()).max(2) }),
      { limit: ["a", "b", "c"] },
      "The value must have at most 2 entries.",
    ],
    [z.object({ limit: z.enum(["a", "b"]) }), { limit: "c" }, "The value must be one of `a`, `b`."],
    [z.object({ limit: z.number().multipleOf(5) }), { limit: 7 }, "The value must be a multiple of 5."],
    [
      z.object({ limit: z.string().regex(/^a/) }),
      { limit: "b" },
      "The value does not have the form that the OpenAPI document defines.",
    ],
    [z.object({ limit: z.string().min(3, "Give three letters.") }), { limit: "b" }, "Give three letters."],
  ])("%#: %j", (schema, value, message) => {
    expect(faultsOf(schema, value).map(([pointer, , text]) => [pointer, text])).toEqual([
      ["/limit", message],
    ]);
  });
});
