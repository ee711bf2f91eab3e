import fc from "fast-check";
import type { LiquidError } from "liquidjs";
import { expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import {
  createTemplateEngine,
  MAX_TAG_CHARACTERS,
  MAX_TAGS,
  MAX_TEMPLATE_LENGTH,
  TooManyTagsError,
} from "./template-engine.ts";

const engine = createTemplateEngine({ escapeHtml: true });
const rendered = (source: string, scope = {}) => engine.render(engine.parse(source), scope, 5_000_000);

it("parses the maximum of outputs of a part, and lists their variables, in linear time", () => {
  const sources = [
    "{{a}}".repeat(MAX_TAGS) + "x".repeat(MAX_TEMPLATE_LENGTH - 5 * MAX_TAGS),
    "x".repeat(MAX_TEMPLATE_LENGTH - 5 * MAX_TAGS) + "{{a}}".repeat(MAX_TAGS),
    `${"x\n".repeat(400_000)}${"{%if a%}{%endif%}".repeat(MAX_TAGS / 2)}`,
  ];
  for (const source of sources) {
    // A position that is counted from the start of the text for each variable takes minutes.
    const took = cpuSecondsOf(() => expect(engine.pathsIn(engine.parse(source))).toEqual([["a"]]));
    expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  }
});

it.each([
  ["too many outputs", "{{a}}".repeat(MAX_TAGS + 1)],
  ["too much in one tag", `{% if a${" or a".repeat(MAX_TAG_CHARACTERS / 5)} %}{% endif %}`],
])("refuses %s", (_, source) => {
  expect(() => engine.parse(source)).toThrow(TooManyTagsError);
});

it("names line and column like liquidjs", () => {
  const lines = fc.array(fc.constantFrom("", "a", "\r", "{{ ok }}", "é"), { maxLength: 6 });
  fc.assert(
    fc.property(lines, fc.constantFrom("", "ab", "{{ ok }} "), (before, indent) => {
      const source = `${[...before, indent].join("\n")}{{ x | nofilter }}`;
      const position = [before.length + 1, indent.length + 1];
      expect(positionOfFault(source)).toEqual(position);
      // The next text has other lines.
      expect(positionOfFault("{{ x | nofilter }}")).toEqual([1, 1]);
    }),
  );
});

function positionOfFault(source: string): number[] | undefined {
  try {
    engine.parse(source);
  } catch (error) {
    return (error as LiquidError).token.getPosition();
  }
  return undefined;
}

it("renders the parts of a template in order, within tags and between them", () => {
  const source =
    "a{% for i in (1..3) %}{{ i }}{% if i == 2 %}x{% else %}y{% endif %}{% endfor %}" +
    "{% case 1 %}{% when 1 %}q{% endcase %}{% raw %}{{ z }}{% endraw %}{% comment %}{{ k }}{% endcomment %}b{{ c }}";
  expect(rendered(source, { c: "d" })).toBe("a1y2x3yq{{ z }}bd");
});

/** A list that contains itself twice, thirty levels deep. */
const NESTED =
  "{% assign l = '' | split: ',' | push: 'a' %}{% for i in (1..30) %}{% assign l = l | push: l | push: l %}{% endfor %}";
const LONG = "a".repeat(300_000);
const HALF = "a".repeat(150_000);
/** The longest permitted pattern for such a text, with the slowest search. */
const SLOW = `${"a".repeat(1_600)}b${"a".repeat(1_600)}`;

it.each([
  ["a list in itself, as JSON", `${NESTED}{{ l | json }}`, "list limit exceeded"],
  ["a list in itself, as text", `${NESTED}{{ l }}`, "list limit exceeded"],
  ["a list in itself, compared", `${NESTED}{% if l == l %}{% endif %}`, "list limit exceeded"],
  [
    "one text many times in a list",
    "{% assign l = '' | split: ',' | push: s %}{% for i in (1..12) %}{% assign l = l | concat: l %}{% endfor %}{{ l | join }}",
    "list limit exceeded",
  ],
  ["a list of a million characters", "{{ s | split: '' | sort | size }}", "list limit exceeded"],
  [
    "a search that compares each character with each",
    "{% assign p = half | append: 'b' | append: half %}{% assign t = s | append: s %}{% if t contains p %}{% endif %}",
    "search limit exceeded",
  ],
  [
    "such a search by a filter",
    "{% assign p = half | append: 'b' | append: half %}{{ s | append: s | replace: p, '' }}",
    "search limit exceeded",
  ],
  ["a long chain of filters", `{{ s${" | url_encode | url_decode".repeat(7_000)} }}`, "limit exceeded"],
  ["a long condition", `{% if 1 == 2${" or s contains slow".repeat(1_000)} %}{% endif %}`, "limit exceeded"],
  [
    "a capture that doubles",
    "{% assign a = s %}{% for i in (1..9) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}",
    "too large",
  ],
])("limits %s", (_, source, reason) => {
  const took = cpuSecondsOf(() => {
    expect(() => rendered(source, { s: LONG, half: HALF, slow: SLOW })).toThrow(reason);
  });
  expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
});

it("supports legitimate use of lists, searches and captures", () => {
  const source =
    "{% capture list %}{% for i in items %}{{ i.name }},{% endfor %}{% endcapture %}{{ list | split: ',' | sort | join: '-' }}" +
    " {{ items | where: 'n', 2 | map: 'name' | first }} {% if list contains 'tea' and items.size > 1 %}yes{% endif %}" +
    " {{ items | where_exp: 'i', 'i.n > 1' | size }} {{ list | replace: 'tea', 'milk' }}";
  const items = [
    { name: "tea", n: 1 },
    { name: "cake", n: 2 },
  ];
  expect(rendered(source, { items })).toBe("cake-tea cake yes 1 milk,cake,");
});
