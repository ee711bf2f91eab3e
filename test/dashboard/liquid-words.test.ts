import { expect, it } from "vitest";
import { liquidFilters, liquidTags } from "../../src/dashboard/pages/templates/liquid-words.ts";
import { createTemplateEngine } from "../../src/message/template/template-engine.ts";

const engine = createTemplateEngine({ escapeHtml: true });

/** Tags within the block of another one, or at its end. */
const inner: Readonly<Record<string, string>> = {
  else: "{% if a %}{% else %}{% endif %}",
  elsif: "{% if a %}{% elsif b %}{% endif %}",
  when: "{% case a %}{% when 1 %}{% endcase %}",
};
/** Tags with arguments or an end. */
const whole: Readonly<Record<string, string>> = {
  assign: "{% assign a = 1 %}",
  capture: "{% capture a %}{% endcapture %}",
  case: "{% case a %}{% endcase %}",
  comment: "{% comment %}{% endcomment %}",
  cycle: "{% cycle 'a', 'b' %}",
  decrement: "{% decrement a %}",
  echo: "{% echo a %}",
  for: "{% for a in b %}{% endfor %}",
  if: "{% if a %}{% endif %}",
  increment: "{% increment a %}",
  liquid: "{% liquid echo a %}",
  raw: "{% raw %}{% endraw %}",
  tablerow: "{% tablerow a in b %}{% endtablerow %}",
  unless: "{% unless a %}{% endunless %}",
};

it.each(liquidTags.map((tag) => [tag] as const))("suggests the tag %s, which templates know", (tag) => {
  const source = inner[tag] ?? whole[tag.replace(/^end/, "")] ?? `{% ${tag} %}`;
  expect(source).toContain(`{% ${tag}`);
  expect(() => engine.parse(source)).not.toThrow();
});

it.each(liquidFilters.map((filter) => [filter] as const))(
  "suggests the filter %s, which templates know",
  (filter) => {
    expect(() => engine.parse(`{{ a | ${filter} }}`)).not.toThrow();
    expect(() => engine.parse(`{{ a | ${filter}_unknown }}`)).toThrow();
  },
);
