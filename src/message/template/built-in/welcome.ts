import {
  type BuiltInTemplate,
  GREETING,
  productExample,
  productVariables,
  textFoot,
  textVariable,
} from "./built-in-template.ts";
import { addressOf, button, entry, heading, mailHtml, paragraph, table } from "./layout.ts";

const subject = "Welcome to {{ product_name }}";
const REASON = "You receive this mail because you created an account.";

export const welcome: BuiltInTemplate = {
  title: "Welcome",
  description: "Greets a new user and leads to the first steps.",
  template: {
    name: "welcome",
    subject,
    html: mailHtml({
      subject,
      preheader: "Your account is ready. Here is how to begin.",
      reason: REASON,
      body: [
        heading(subject),
        paragraph(GREETING),
        paragraph("Your account is ready. Sign in to begin."),
        button("{{ action_url }}", "Get started"),
        `{% if steps.size > 0 %}${table(`{% for step in steps %}${entry("{{ forloop.index }}. {{ step.title }}", "{{ step.text }}")}
{% endfor %}`)}{% endif %}`,
        addressOf("{{ action_url }}"),
      ],
    }),
    text: `${GREETING}

Your account is ready. Sign in to begin.

Get started: {{ action_url }}
{% for step in steps %}
{{ forloop.index }}. {{ step.title }}
{{ step.text }}
{% endfor %}
${textFoot(REASON)}`,
    variables: [
      ...productVariables,
      textVariable("name", ""),
      textVariable("action_url"),
      { name: "steps", type: "list", fallback: [] },
    ],
  },
  example: {
    ...productExample,
    name: "Ada",
    action_url: "https://acme.example.com/start",
    steps: [
      { title: "Invite your team", text: "Projects are easier to finish together." },
      { title: "Create a project", text: "It takes a minute, and you can rename it later." },
    ],
  },
};
