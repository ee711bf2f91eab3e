import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import { inspectTemplate, type TemplateSource } from "./template.ts";

const BASE: TemplateSource = { name: "welcome", subject: "Hello", text: "Hi", variables: [] };

describe("the inspection of a template", () => {
  const inspect = (part: Partial<TemplateSource>) => inspectTemplate({ ...BASE, ...part });

  it("tells what is used and not declared, and the other way round", () => {
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

  it("takes an object as a use of all that is declared in it", () => {
    const variables = [{ name: "plan.seats", type: "number" }] as const;
    expect(inspect({ text: "{{ plan }}", variables })).toMatchObject({ undeclared: [], unused: [] });
  });

  it("says what is wrong where, and looks at the other parts all the same", () => {
    const { faults, undeclared } = inspect({ subject: "{{ name }}", text: "one\n  {% nope %}" });
    expect(faults).toMatchObject([{ code: "template.syntax", pointer: "/text", line: 2, column: 3 }]);
    expect(undeclared).toEqual(["name"]);
  });

  it("names a hundred variables at most, and no long names", () => {
    const many = Array.from({ length: 300 }, (_, n) => `{{ v${n} }}`).join("");
    expect(inspect({ text: many }).undeclared).toHaveLength(100);
    const [long = ""] = inspect({ text: `{{ ${"a".repeat(100_000)} }}` }).undeclared;
    expect(long.length).toBe(500);
  });

  it("is soon done with a path of many levels", () => {
    const took = cpuSecondsOf(() => inspect({ text: `{{ a${".a".repeat(100_000)} }}` }));
    expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  });
});
