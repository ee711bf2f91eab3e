import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import { say } from "../../shared/fault-text.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import { compileTemplate, renderTemplate, type TemplateSource } from "./template.ts";
import type { TemplateData } from "./template-variables.ts";

const BASE: TemplateSource = { name: "welcome", subject: "Hello", text: "Hi", variables: [] };

function compiled(source: Partial<TemplateSource>) {
  const result = compileTemplate({ ...BASE, ...source });
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.template;
}

function render(source: Partial<TemplateSource>, data: TemplateData = {}) {
  return renderTemplate(compiled(source), data);
}

function compileFaults(source: Partial<TemplateSource>) {
  const result = compileTemplate({ ...BASE, ...source });
  return result.ok ? [] : result.faults;
}

function renderFaults(source: Partial<TemplateSource>, data: TemplateData = {}) {
  const result = render(source, data);
  return result.ok ? [] : result.faults;
}

describe("renderTemplate", () => {
  it("fills in every part, escaping only in html", () => {
    const source = {
      from: "Shop <s@x.y>",
      subject: "{{ name }}",
      html: "<p>{{ name }}{{ name | raw }}</p>",
      text: "{{ name }}",
    };
    expect(render(source, { name: "<b>&\"'" })).toEqual({
      ok: true,
      rendered: {
        from: { address: "s@x.y", displayName: "Shop" },
        subject: "<b>&\"'",
        html: "<p>&lt;b&gt;&amp;&#34;&#39;<b>&\"'</p>",
        text: "<b>&\"'",
      },
    });
  });

  it.each([
    "{% cycle name, name %}",
    "{% echo name %}",
    "{% liquid echo name %}",
    "{{ 'x' | append: name }}",
  ])("escapes what %s writes to html", (html) => {
    expect(render({ html }, { name: "<b>" })).toMatchObject({
      rendered: { html: expect.not.stringContaining("<b>") },
    });
  });

  it("reaches into objects and lists", () => {
    const text =
      "{% for item in order.items %}{{ item.name }}:{{ item.n | plus: 1 }};{% endfor %}{{ order.items.size }}{{ order.items[0].name }}";
    const order = {
      items: [
        { name: "tea", n: 1 },
        { name: "cake", n: 2 },
      ],
    };
    expect(render({ text }, { order })).toMatchObject({ rendered: { text: "tea:2;cake:3;2tea" } });
  });

  it("uses the fallback for an absent or null variable, and leaves the data unchanged", () => {
    const variables = [
      { name: "user.name", type: "string", fallback: "you" },
      { name: "count", type: "number", fallback: 0 },
    ] as const;
    const data = Object.freeze({ user: Object.freeze({ id: 1 }), count: null });
    expect(render({ text: "{{ user.name }} {{ user.id }} {{ count }}", variables }, data)).toMatchObject({
      rendered: { text: "you 1 0" },
    });
    expect(render({ text: "{{ user.name }}", variables })).toMatchObject({ rendered: { text: "you" } });
  });

  it("reports every declared variable that is missing or of another type", () => {
    const variables = [
      { name: "user.name", type: "string" },
      { name: "total", type: "number" },
      { name: "items", type: "list" },
      { name: "paid", type: "boolean" },
      { name: "address", type: "object" },
    ] as const;
    const faults = renderFaults({ variables }, { user: {}, total: "12", items: {}, paid: 1, address: [] });
    expect(faults).toEqual([
      {
        code: "template.variable_missing",
        variable: "user.name",
        pointer: "/template_data/user/name",
        message: say("template_needs_variable_not_given", { variable: "user.name" }),
      },
      expect.objectContaining({
        code: "template.variable_type",
        variable: "total",
        pointer: "/template_data/total",
      }),
      expect.objectContaining({ code: "template.variable_type", variable: "items" }),
      expect.objectContaining({ code: "template.variable_type", variable: "paid" }),
      expect.objectContaining({ code: "template.variable_type", variable: "address" }),
    ]);
  });

  it("uses no fallback if the data has another value on the path", () => {
    const variables = [{ name: "user.name", type: "string", fallback: "you" }] as const;
    expect(renderFaults({ variables }, { user: "Ann" })).toMatchObject([
      { code: "template.variable_missing" },
    ]);
  });

  it("reports all undeclared variables that the template uses and the data lacks", () => {
    const source = { subject: "{{ a }}", html: "{{ b.c }} {{ b['d/e'] }} {{ a }}", text: "{{ given }}" };
    expect(
      renderFaults(source, { given: 1, b: {} }).map(({ variable, pointer }) => [variable, pointer]),
    ).toEqual([
      ["a", "/template_data/a"],
      ["b.c", "/template_data/b/c"],
      ["b.d/e", "/template_data/b/d~1e"],
    ]);
  });

  it("names a variable of a loop as in the template", () => {
    expect(
      renderFaults({ text: "{% for i in items %}{{ i.x }}{% endfor %}" }, { items: [{}] }),
    ).toMatchObject([
      { code: "template.variable_missing", variable: "i.x", pointer: "/template_data", part: "text" },
    ]);
  });

  it("supports optional variables by if and default", () => {
    const text = "{% if nick %}{{ nick }}{% else %}-{% endif %}{{ name | default: 'you' }}";
    expect(render({ text })).toMatchObject({ rendered: { text: "-you" } });
  });

  it("accesses no prototype", () => {
    const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "prototype", "valueOf"];
    const data = {
      o: {},
      s: "x",
      n: 1,
      l: [{}],
      f: new (class Secret {
        inherited() {
          return "secret";
        }
      })(),
    };
    for (const name of names) {
      for (const path of [
        name,
        `o.${name}`,
        `s.${name}`,
        `n.${name}`,
        `l.${name}`,
        `l[0].${name}`,
        `o['${name}']`,
        "f.inherited",
      ]) {
        expect(renderFaults({ text: `{{ ${path} }}` }, data)).toMatchObject([
          { code: "template.variable_missing" },
        ]);
      }
      expect(compileFaults({ variables: [{ name: `a.${name}`, type: "string" }] }).length).toBe(
        ["constructor", "__proto__", "prototype"].includes(name) ? 1 : 0,
      );
      const mapped = render({ text: `{{ l | map: '${name}' | join }}` }, data);
      expect(mapped.ok ? mapped.rendered.text : "").toBe("");
    }
    const parsed = JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":{"x":1}}}');
    expect(renderFaults({ text: "{{ admin }}" }, parsed)).toHaveLength(1);
    expect(renderFaults({ text: "{{ a.x }}" }, parsed)).toHaveLength(1);
    expect(Object.hasOwn(Object.prototype, "admin")).toBe(false);
  });

  it.each(["a\r\nBcc: x@y.z", "a\nb", "a\rb", "a\0", "a\u2028"])(
    "refuses a subject that renders as %j",
    (name) => {
      expect(renderFaults({ subject: "Hi {{ name }}" }, { name })).toMatchObject([
        { code: "template.subject_invalid" },
      ]);
    },
  );

  it.each([
    ["a loop in a loop", "{% for i in (1..9999) %}{% for j in (1..9999) %}{{ s }}{% endfor %}{% endfor %}"],
    ["an endless range", "{% for i in (1..1000000000) %}x{% endfor %}"],
    [
      "doubling",
      `{% assign a = s %}${"{% capture a %}{{ a }}{{ a }}{% endcapture %}".repeat(40)}{{ a | upcase }}`,
    ],
    ["appending", `{% assign a = s %}${"{% assign a = a | append: a %}".repeat(60)}{{ a }}`],
    [
      "silent work",
      "{% for i in (1..9999) %}{% for j in (1..9999) %}{% assign q = j %}{% endfor %}{% endfor %}",
    ],
    ["wide dates", "{{ 'now' | date: '%999999999Y' }}"],
    [
      "splitting",
      "{% assign a = s | split: '' %}{% for i in (1..9999) %}{% assign a = a | concat: a %}{% endfor %}",
    ],
  ])("limits %s", (_, text) => {
    const took = cpuSecondsOf(() => {
      const faults = renderFaults({ text }, { s: "x".repeat(1_000) });
      expect(faults[0]?.code).toMatch(/^template\.(output_too_large|limit_exceeded|render_failed)$/);
    });
    expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  });

  it("limits each part to the given size", () => {
    const template = compiled({ text: "{{ s }}" });
    const s = "é".repeat(50);
    expect(renderTemplate(template, { s }, { maxOutputBytes: 100 }).ok).toBe(true);
    expect(renderTemplate(template, { s }, { maxOutputBytes: 99 })).toMatchObject({
      faults: [{ code: "template.output_too_large", part: "text" }],
    });
  });

  it("never lets a value leave its quotes in html, and never throws, for any data", () => {
    const template = compiled({ html: '<a title="{{ v }}">{{ v }}</a>' });
    fc.assert(
      fc.property(fc.anything(), (v) => {
        const result = renderTemplate(template, { v });
        if (result.ok) expect(result.rendered.html?.match(/[<>"]/g)).toHaveLength(6);
      }),
      { numRuns: 500 },
    );
  });
});

describe("compileTemplate", () => {
  it("reports the position of a fault", () => {
    expect(compileFaults({ html: "<p>\n  {{ x", text: "{% if a %}" })).toEqual([
      expect.objectContaining({ code: "template.syntax", pointer: "/html", line: 2, column: 3 }),
      expect.objectContaining({ code: "template.syntax", pointer: "/text", line: 1, column: 1 }),
    ]);
  });

  it.each([
    "{{ x | nofilter }}",
    "{% notag %}",
    "{% endif %}",
    "{% constructor %}",
    "{{ x | constructor }}",
    "{{ x | toString }}",
  ])("refuses %s", (text) => {
    expect(compileFaults({ text })).toMatchObject([{ code: "template.syntax", pointer: "/text", line: 1 }]);
  });

  it.each([
    "{% include 'a' %}",
    "{% render 'a' %}",
    "{% layout 'a' %}",
    "{% block a %}{% endblock %}",
    "{% liquid include 'a' %}",
  ])("refuses %s, which would read another template", (text) => {
    expect(compileFaults({ text })).toMatchObject([{ code: "template.tag_not_allowed" }]);
  });

  it("reports every fault at once", () => {
    const variables = [
      { name: "a b", type: "string" },
      { name: "n", type: "number", fallback: "x" },
      { name: "n", type: "number" },
    ] as const;
    const faults = compileFaults({
      name: "No!",
      from: "nobody",
      subject: "{{",
      html: "",
      text: "",
      variables,
    });
    expect(faults.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "template.variable_name_invalid /variables/0/name",
      "template.fallback_type /variables/1/fallback",
      "template.variable_duplicate /variables/2/name",
      "template.name_invalid /name",
      "template.from_invalid /from",
      "template.body_missing /html",
      "template.syntax /subject",
    ]);
  });

  it("lists the variables that the template uses", () => {
    const text =
      "{{ user.name }}{% for i in items %}{{ i.x }}{% endfor %}{{ prices[currency] }}{% assign q = 1 %}{{ q }}";
    expect(compiled({ text }).usedVariables).toEqual(["user.name", "items", "prices", "currency"]);
  });

  it.each([
    ["a long source", "x".repeat(1_000_001)],
    ["deep nesting", "{% if a %}".repeat(20_000) + "{% endif %}".repeat(20_000)],
    ["unclosed outputs", "{{ ".repeat(300_000)],
    ["unclosed tags", "{% ".repeat(300_000)],
    ["one long filter chain", `{{ a ${"| upcase ".repeat(20_000)} }}`],
  ])("limits %s", (_, text) => {
    const took = cpuSecondsOf(() => {
      const result = compileTemplate({ ...BASE, text });
      if (result.ok) renderTemplate(result.template, { a: "x" });
    });
    expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  });
});

it("accepts names that are safe in a path and in a log", () => {
  for (const name of ["a", "welcome", "order-shipped.v2", "a".repeat(100)])
    expect(isResourceName(name)).toBe(true);
  for (const name of ["", "A", "-a", ".a", "a.", "a b", "a/b", "é", "a\n", "a".repeat(101)]) {
    expect(isResourceName(name)).toBe(false);
  }
});
