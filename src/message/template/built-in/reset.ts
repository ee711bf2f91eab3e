import {
  type BuiltInTemplate,
  GREETING,
  productExample,
  productVariables,
  textFoot,
  textVariable,
} from "./built-in-template.ts";
import { addressOf, button, heading, mailHtml, note, paragraph } from "./layout.ts";

const subject = "Reset your {{ product_name }} password";
const REASON = "You receive this mail because a password reset was requested for your address.";
const REQUEST = "We received a request to reset the password of your account.";
const VALIDITY = "The link works once, within {{ valid_minutes }} minutes.";
const UNEXPECTED = "If you did not request this, ignore this mail: your password stays the same.";
const ORIGIN = `{% if requested_from != "" %}The request came from {{ requested_from }}. {% endif %}`;

export const reset: BuiltInTemplate = {
  title: "Password reset",
  description: "Sends the link with which a user sets a new password.",
  template: {
    name: "reset",
    subject,
    html: mailHtml({
      subject,
      preheader: VALIDITY,
      reason: REASON,
      body: [
        heading(subject),
        paragraph(GREETING),
        paragraph(`${REQUEST} ${VALIDITY}`),
        button("{{ action_url }}", "Set a new password"),
        note(`${ORIGIN}${UNEXPECTED}`),
        addressOf("{{ action_url }}"),
      ],
    }),
    text: `${GREETING}

${REQUEST} ${VALIDITY}

Set a new password: {{ action_url }}

${ORIGIN}${UNEXPECTED}

${textFoot(REASON)}`,
    variables: [
      ...productVariables,
      textVariable("name", ""),
      textVariable("action_url"),
      textVariable("requested_from", ""),
      { name: "valid_minutes", type: "number", fallback: 60 },
    ],
  },
  example: {
    ...productExample,
    name: "Ada",
    action_url: "https://acme.example.com/reset/3f9c1d",
    requested_from: "Firefox on Linux (198.51.100.7)",
    valid_minutes: 30,
  },
};
