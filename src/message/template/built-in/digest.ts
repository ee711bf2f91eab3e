import {
  type BuiltInTemplate,
  GREETING,
  productExample,
  productVariables,
  textFoot,
  textVariable,
} from "./built-in-template.ts";
import { button, entry, heading, link, mailHtml, note, paragraph, row, table } from "./layout.ts";

const subject = "{{ product_name }}: {{ period }}";
const REASON = "You receive this mail because you subscribed to this summary.";
const CHANGE = "{% if figure.change %} ({{ figure.change }}){% endif %}";

export const digest: BuiltInTemplate = {
  title: "Digest",
  description: "Sums up a day or a week: figures, and what happened.",
  template: {
    name: "digest",
    subject,
    html: mailHtml({
      subject,
      preheader: `{% if summary != "" %}{{ summary }}{% else %}Your summary of {{ period }}{% endif %}`,
      reason: REASON,
      body: [
        heading("{{ period }}"),
        paragraph(GREETING),
        `{% if summary != "" %}${paragraph("{{ summary }}")}{% endif %}`,
        `{% if figures.size > 0 %}${table(`{% for figure in figures %}${row("{{ figure.label }}", `{{ figure.value }}${CHANGE}`)}
{% endfor %}`)}{% endif %}`,
        `{% if entries.size > 0 %}${table(`{% for entry in entries %}${entry(
          `{% if entry.url %}${link("{{ entry.url }}", "{{ entry.title }}")}{% else %}{{ entry.title }}{% endif %}`,
          "{% if entry.text %}{{ entry.text }}{% endif %}",
        )}
{% endfor %}`)}{% endif %}`,
        `{% if more > 0 %}${paragraph("and {{ more }} more")}{% endif %}`,
        button("{{ action_url }}", "See all"),
        note(link("{{ preferences_url }}", "Change or stop this summary")),
      ],
    }),
    text: `${GREETING}
{% if summary != "" %}
{{ summary }}
{% endif %}
{{ period }}
{% if figures.size > 0 %}
{% for figure in figures %}{{ figure.label }}: {{ figure.value }}${CHANGE}
{% endfor %}{% endif %}{% if entries.size > 0 %}
{% for entry in entries %}- {{ entry.title }}
{% if entry.text %}  {{ entry.text }}
{% endif %}{% if entry.url %}  {{ entry.url }}
{% endif %}{% endfor %}{% endif %}{% if more > 0 %}
and {{ more }} more
{% endif %}
See all: {{ action_url }}

Change or stop this summary: {{ preferences_url }}

${textFoot(REASON)}`,
    variables: [
      ...productVariables,
      textVariable("name", ""),
      textVariable("period"),
      textVariable("summary", ""),
      { name: "figures", type: "list", fallback: [] },
      { name: "entries", type: "list", fallback: [] },
      { name: "more", type: "number", fallback: 0 },
      textVariable("action_url"),
      textVariable("preferences_url"),
    ],
  },
  example: {
    ...productExample,
    name: "Ada",
    period: "Week of 23 November 2026",
    summary: "12 tasks were finished, and one is overdue.",
    figures: [
      { label: "Finished tasks", value: 12, change: "+3" },
      { label: "Open tasks", value: 7 },
    ],
    entries: [
      { title: "Notes on the engine", text: "Ada added chapter G.", url: "https://acme.example.com/notes/7" },
      { title: "Bernoulli numbers", text: "The table is complete." },
    ],
    more: 4,
    action_url: "https://acme.example.com/week",
    preferences_url: "https://acme.example.com/preferences",
  },
};
