import {
  type BuiltInTemplate,
  GREETING,
  productExample,
  productVariables,
  textFoot,
  textVariable,
} from "./built-in-template.ts";
import { button, heading, mailHtml, note, paragraph, row, table } from "./layout.ts";

const subject = "Your {{ product_name }} receipt {{ receipt_number }}";
const REASON = "You receive this mail because you made a payment.";
const THANKS = "Thank you for your payment of {{ total }} on {{ date }}.";
const ITEM = "{{ item.name }}{% if item.quantity %} &#215; {{ item.quantity }}{% endif %}";

/** Sums are texts, so that the program that sends them decides about their currency and form. */
export const receipt: BuiltInTemplate = {
  title: "Receipt",
  description: "Confirms a payment, with its items and sums.",
  template: {
    name: "receipt",
    subject,
    html: mailHtml({
      subject,
      preheader: "{{ total }}, paid on {{ date }}",
      reason: REASON,
      body: [
        heading("Receipt {{ receipt_number }}"),
        paragraph(GREETING),
        paragraph(THANKS),
        table(`{% for item in items %}${row(ITEM, "{{ item.amount }}")}
{% endfor %}{% if subtotal != "" %}${row("Subtotal", "{{ subtotal }}")}
{% endif %}{% if tax != "" %}${row("Tax", "{{ tax }}")}
{% endif %}${row("Total", "{{ total }}", { isStrong: true })}`),
        `{% if payment_method != "" %}${note("Paid with {{ payment_method }}.")}{% endif %}`,
        `{% if receipt_url != "" %}${button("{{ receipt_url }}", "View the receipt")}{% endif %}`,
      ],
    }),
    text: `${GREETING}

${THANKS}

Receipt {{ receipt_number }}

{% for item in items %}{{ item.name }}{% if item.quantity %} x {{ item.quantity }}{% endif %}: {{ item.amount }}
{% endfor %}{% if subtotal != "" %}Subtotal: {{ subtotal }}
{% endif %}{% if tax != "" %}Tax: {{ tax }}
{% endif %}Total: {{ total }}
{% if payment_method != "" %}
Paid with {{ payment_method }}.
{% endif %}{% if receipt_url != "" %}
View the receipt: {{ receipt_url }}
{% endif %}
${textFoot(REASON)}`,
    variables: [
      ...productVariables,
      textVariable("name", ""),
      textVariable("receipt_number"),
      textVariable("date"),
      { name: "items", type: "list" },
      textVariable("subtotal", ""),
      textVariable("tax", ""),
      textVariable("total"),
      textVariable("payment_method", ""),
      textVariable("receipt_url", ""),
    ],
  },
  example: {
    ...productExample,
    name: "Ada",
    receipt_number: "2026-1042",
    date: "27 November 2026",
    items: [
      { name: "Team plan, November", quantity: 3, amount: "€27.00" },
      { name: "Additional storage", amount: "€5.00" },
    ],
    subtotal: "€32.00",
    tax: "€6.08",
    total: "€38.08",
    payment_method: "Visa ending in 4242",
    receipt_url: "https://acme.example.com/receipts/2026-1042",
  },
};
