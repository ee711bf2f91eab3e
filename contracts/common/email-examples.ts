import type { oas31 } from "openapi3-ts";

/** Examples of e-mails and their timelines. */

const delivered = {
  message_id: "msg_01k9z4c3r8h2v6y0n5t7w1x3q9",
  sx_trace_id: "sx_01k9z4c3r8h2v6y0n5t7w1x3q9",
  status: "delivered",
  created_at: "2030-01-01T12:00:00.000Z",
  updated_at: "2030-01-01T12:00:01.250Z",
  from: "hello@example.com",
  recipient: "ada@example.com",
  subject: "Your order has shipped",
  routing_policy: "default",
  attempts: 1,
  tags: ["shipping"],
  metadata: { order_id: "4711" },
  key_id: "key_01k9z4c3r8h2v6y0n5t7w1x3q9",
  source: "http",
  header_message_id: "<msg_01k9z4c3r8h2v6y0n5t7w1x3q9@example.com>",
  size_bytes: 2113,
};

export const emailPageExamples: oas31.ExamplesObject = {
  first_page: {
    summary: "First of several pages",
    value: { data: [delivered], has_more: true, next_cursor: delivered.message_id },
  },
};

export const emailWithTimelineExamples: oas31.ExamplesObject = {
  delivered: {
    summary: "Delivered at the first attempt",
    value: {
      ...delivered,
      timeline: [
        { id: `${delivered.message_id}.0.accepted`, kind: "accepted", at: delivered.created_at, attempt: 0 },
        {
          id: `${delivered.message_id}.1.delivered`,
          kind: "delivered",
          at: delivered.updated_at,
          attempt: 1,
          via: "direct mx.example.com:25",
          reply_code: 250,
          enhanced_status_code: "2.0.0",
          detail: "Ok: queued",
        },
      ],
    },
  },
};

export const cancelledEmailExamples: oas31.ExamplesObject = {
  cancelled: {
    summary: "Cancelled scheduled message",
    value: {
      ...delivered,
      status: "cancelled",
      attempts: 0,
      scheduled_at: "2030-01-02T09:00:00.000Z",
    },
  },
};
