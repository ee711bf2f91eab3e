import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import { inspectTemplate, type TemplateSource } from "./template.ts";

const BASE: TemplateSource = { name: "welcome", subject: "Hello", text: "Hi", variables: [] };

describe("the inspection of a template", () => {
  const inspect = (part: Partial<TemplateSource>) => inspectTemplate({ ...BASE, ...part });

  it("reports undeclared and unused variables", () => {
    const variables = [
      { name: "user", type: "object" },
      { name: "plan.seats", type: "number" },
      { name: "plan.name", type: "string" },
      { name: "gone", type: "string" },
    ] as const;
    const text = "{{ user.name }} {{ plan.seats }} {{ items[0].price }} {% if vip %}!{% endif %}";
    expect(inspect({ text, variables })).toEqual({
      faults: [],
      undeclared: ["items.0.price", "vip"],
      unused: ["plan.name", "gone"],
    });
  });

  it("counts the use of an object as a use of everything declared in it", () => {
    const variables = [{ name: "plan.seats", type: "number" }] as const;
    expect(inspect({ text: "{{ plan }}", variables })).toMatchObject({ undeclared: [], unused: [] });
  });

  it("reports the position of a fault, and still checks the other parts", () => {
    const { faults, undeclared } = inspect({ subject: "{{ name }}", text: "one\n  {% nope %}" });
    expect(faults).toMatchObject([{ code: "template.syntax", pointer: "/text", line: 2, column: 3 }]);
    expect(undeclared).toEqual(["name"]);
  });

  it("names at most a hundred variables, and no long names", () => {
    const many = Array.from({ length: 300 }, (_, n) => `{{ v${n} }}`).join("");
    expect(inspect({ text: many }).undeclared).toHaveLength(100);
    const [long = ""] = inspect({ text: `{{ ${"a".repeat(100_000)} }}` }).undeclared;
    expect(long.length).toBe(500);
  });

  it("is quick for a path of many levels", () => {
    const took = cpuSecondsOf(() => inspect({ text: `{{ a${".a".repeat(100_000)} }}` }));
    expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  });
});
