import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

describe("a body of more than anybody needs", () => {
  it.each([
    ["millions of objects", `{"template_data":{"a":[${"{},".repeat(3_000_000)}{}]}}`, "/template_data/a"],
    ["two million unknown keys", `{${Array.from({ length: 2_000_000 }, (_, n) => `"k${n}":1`)}}`, ""],
    ["a million recipients", `{"to":[${'"a@example.org",'.repeat(999_999)}"a@example.org"]}`, "/to"],
  ])("is refused before it is parsed, with one pointer: %s", async (_, body, pointer) => {
    const { status, problem } = await post(hermod, body);
    expect(status).toBe(422);
    expect(problem.errors).toMatchObject([{ pointer, code: "field.too_many" }]);
  });

  it("is refused with the place where it is nested too deeply", async () => {
    const deep = JSON.stringify(email({ metadata: { a: "#" } })).replace(
      '"#"',
      "[".repeat(80) + "]".repeat(80),
    );
    const { status, problem } = await post(hermod, deep);
    expect(status).toBe(422);
    expect(problem.errors).toMatchObject([
      { pointer: `/metadata/a${"/0".repeat(62)}`, code: "field.too_deep" },
    ]);
  });
});
