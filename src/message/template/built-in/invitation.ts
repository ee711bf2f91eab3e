import {
  type BuiltInTemplate,
  productExample,
  productVariables,
  textFoot,
  textVariable,
} from "./built-in-template.ts";
import { addressOf, button, heading, mailHtml, note, paragraph } from "./layout.ts";

const subject = "{{ inviter_name }} invited you to {{ team_name }}";
const REASON = "You receive this mail because a member of the team entered your address.";
const INVITER = `{{ inviter_name }}{% if inviter_email != "" %} ({{ inviter_email }}){% endif %}`;
const INVITATION = `${INVITER} invited you to join {{ team_name }} on {{ product_name }}{% if role != "" %} as {{ role }}{% endif %}.`;
const VALIDITY =
  "The invitation is valid for {{ valid_days }} days. If you do not know the sender, ignore this mail.";

export const invitation: BuiltInTemplate = {
  title: "Invitation",
  description: "Invites a person to a team.",
  template: {
    name: "invitation",
    subject,
    html: mailHtml({
      subject,
      preheader: "Accept the invitation within {{ valid_days }} days.",
      reason: REASON,
      body: [
        heading("Join {{ team_name }}"),
        paragraph(INVITATION),
        `{% if message != "" %}${paragraph("&#8220;{{ message }}&#8221;")}{% endif %}`,
        button("{{ action_url }}", "Accept the invitation"),
        note(VALIDITY),
        addressOf("{{ action_url }}"),
      ],
    }),
    text: `${INVITATION}
{% if message != "" %}
"{{ message }}"
{% endif %}
Accept the invitation: {{ action_url }}

${VALIDITY}

${textFoot(REASON)}`,
    variables: [
      ...productVariables,
      textVariable("inviter_name"),
      textVariable("inviter_email", ""),
      textVariable("team_name"),
      textVariable("role", ""),
      textVariable("message", ""),
      textVariable("action_url"),
      { name: "valid_days", type: "number", fallback: 7 },
    ],
  },
  example: {
    ...productExample,
    inviter_name: "Grace Hopper",
    inviter_email: "grace@acme.example.com",
    team_name: "Compilers",
    role: "editor",
    message: "We need your notes on the engine.",
    action_url: "https://acme.example.com/join/7b21e0",
    valid_days: 7,
  },
};
