import { expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import { createTemplateEngine, MAX_TEMPLATE_LENGTH } from "./template-engine.ts";

const engine = createTemplateEngine({ escapeHtml: true });
const rendered = (source: string, scope = {}) => engine.render(engine.parse(source), scope, 5_000_000);

it("parses the largest template of nothing but outputs in linear time", () => {
  const source = "{{a}}".repeat(MAX_TEMPLATE_LENGTH / 5);
  // A parser that moves all remaining tokens for each one takes most of a minute.
  expect(cpuSecondsOf(() => engine.parse(source))).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  expect(engine.parse(source)).toHaveLength(MAX_TEMPLATE_LENGTH / 5);
});

it("renders the parts of a template in their order, within tags and between them", () => {
  const source =
    "a{% for i in (1..3) %}{{ i }}{% if i == 2 %}x{% else %}y{% endif %}{% endfor %}" +
    "{% case 1 %}{% when 1 %}q{% endcase %}{% raw %}{{ z }}{% endraw %}{% comment %}{{ k }}{% endcomment %}b{{ c }}";
  expect(rendered(source, { c: "d" })).toBe("a1y2x3yq{{ z }}bd");
});
