import type { oas31 } from "openapi3-ts";

const from = "Acme <hello@example.com>";
const to = "Ada Lovelace <ada@example.com>";

const DAY_MS = 86_400_000;

/**
 * Request bodies of sendEmail, shortest first, for readers to copy.
 * @param now time of display. Without it, as in a file, the scheduled example is omitted: a fixed time would soon be in the past.
 */
export function sendEmailRequestExamples(now?: Date): oas31.ExamplesObject {
  return now ? { ...timeless, scheduled: scheduled(now) } : timeless;
}

/** Scheduled at nine on the day after tomorrow, so that the example also works on the next day. */
function scheduled(now: Date): oas31.ExampleObject {
  const day = new Date(now.getTime() + 2 * DAY_MS).toISOString().slice(0, "yyyy-mm-dd".length);
  return {
    summary: "Scheduled, with a named routing policy",
    value: {
      from,
      to,
      subject: "See you tomorrow",
      text: "The meeting starts at ten.",
      routing_policy: "transactional",
      send_at: `${day}T09:00:00Z`,
    },
  };
}

const timeless: oas31.ExamplesObject = {
  minimal: {
    summary: "Plain text",
    value: { from, to, subject: "Your order has shipped", text: "It should arrive on Tuesday." },
  },
  html_and_text: {
    summary: "HTML and plain text",
    value: {
      from,
      to,
      subject: "Your order has shipped",
      html: "<p>It should arrive on <strong>Tuesday</strong>.</p>",
      text: "It should arrive on Tuesday.",
      reply_to: "Acme support <support@example.com>",
      headers: { "X-Order": "4711" },
      tags: ["shipping"],
      metadata: { order_id: "4711" },
    },
  },
  template: {
    summary: "A published template",
    description: "The template supplies `from`, `subject` and the bodies.",
    value: { to, template: "welcome", template_data: { name: "Ada", plan: { seats: 3 } } },
  },
  attachments: {
    summary: "Attachments, one of them shown inline",
    value: {
      from,
      to,
      subject: "Your invoice",
      html: '<p><img src="cid:logo" alt="Acme"></p><p>The invoice is attached.</p>',
      attachments: [
        { filename: "invoice.txt", content: "VG90YWw6IDEyLDAwIEVVUgo=", content_type: "text/plain" },
        {
          filename: "logo.gif",
          content: "R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=",
          content_type: "image/gif",
          content_id: "logo",
        },
      ],
    },
  },
};

const accepted = {
  message_id: "msg_01k9z4c3r8h2v6y0n5t7w1x3q9",
  sx_trace_id: "sx_01k9z4c3r8h2v6y0n5t7w1x3q9",
  status: "queued",
  created_at: "2030-01-01T12:00:00.000Z",
  recipient: "ada@example.com",
  not_delivered: [],
};

export const sendEmailAcceptedExamples: oas31.ExamplesObject = {
  queued: { summary: "Immediate delivery", value: accepted },
  several_addresses: {
    summary: "Several addresses in `to`: only the first one receives the message",
    value: { ...accepted, not_delivered: ["grace@example.com"] },
  },
  scheduled: {
    summary: "Scheduled delivery",
    value: { ...accepted, status: "scheduled", scheduled_at: "2030-01-02T09:00:00.000Z" },
  },
};
