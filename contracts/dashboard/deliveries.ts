import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { partsOf } from "../common/text-part.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";
import { job } from "./jobs.ts";

const c = initContract();

const number = (description: string, example: number) => z.int().meta({ description, examples: [example] });

const header = z
  .object({
    name: text("Name of the header.", "webhook-id"),
    value: text("Value of the header. Empty for a secret.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered"),
    is_secret: z.boolean().meta({
      description: "Whether the header is from the settings of the endpoint. Its value is not stored then.",
      examples: [false],
    }),
  })
  .meta({ id: "DeliveryHeader", description: "A header of a request or response." });

const headers = (description: string) =>
  z.array(header).meta({ description: `${description} Empty if none are stored.` });

const status = text(
  "Status of the last attempt: `2xx`, `3xx`, `4xx`, `5xx`, or `none` for an attempt without a response. A status from 600 on counts as `5xx`.",
  "5xx",
).optional();

const attempt = z
  .object({
    at: moment("Start of the request."),
    duration_ms: number("Milliseconds until the response was read or the attempt failed.", 84),
    url: text("URL of the request.", "https://shop.example.com/hooks/mail"),
    address: text("IP address of the connection; empty if there was no connection.", "192.0.2.25"),
    status: number("HTTP status of the response; 0 if there was none.", 500),
    detail: text("Result of the attempt as text.", "it answered 500"),
    detail_parts: partsOf("detail"),
    answer: text("Beginning of the response body. Empty in `last_attempt`.", "Internal Server Error"),
    request_headers: headers(
      "Headers of the request, in the order in which they were sent. They are kept for the last 5 attempts of a delivery.",
    ),
    response_headers: headers("Headers of the response, at most 50 and 4,096 characters."),
    response_headers_cut: z
      .boolean()
      .meta({ description: "Whether the response had more headers.", examples: [false] }),
  })
  .meta({ id: "DeliveryAttempt", description: "One request to an endpoint." });

export const delivery = z
  .object({
    id: text(
      "Id of the delivery.",
      "wep_01k9z4c3r8h2v6y0n5t7w1x3q9.msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered",
    ),
    account_id: accountId,
    endpoint_id: text("Id of the endpoint.", "wep_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    event_id: text(
      "Id of the event for the receiver, the same in all attempts: `webhook-id`.",
      "msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered",
    ),
    type: text("Type of the event.", "message.delivered"),
    message_id: text(
      "Message of the event; empty if the event is about no message.",
      "msg_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ),
    at: moment("Time of the event."),
    state: text(
      "`pending`: an attempt is due at `due_at`; `delivered`: the endpoint accepted it; `failed`: all attempts failed, or the endpoint was disabled; `dropped`: the resource of the event was removed.",
      "delivered",
    ),
    attempts: number("Number of attempts since the delivery was created or last replayed.", 1),
    due_at: moment("Time of the next attempt. Missing if there is none.").optional(),
    ended_at: moment("Time when the delivery ended. Missing while it is pending.").optional(),
    end_reason: text("Reason for the end if no attempt shows it; otherwise empty."),
    end_reason_parts: partsOf("end_reason"),
    body: text("Body of the request, byte for byte. Empty if no request was sent, and in lists."),
    tries: z.array(attempt).meta({ description: "Attempts, newest last. Empty in lists." }),
    last_attempt: attempt
      .optional()
      .meta({ description: "The last attempt, without headers and body. Missing: there was none." }),
  })
  .meta({ id: "Delivery", description: "One event on its way to one webhook endpoint." });

const ownId = z.object({ delivery_id: z.string().meta({ description: "The delivery's `id`." }) });

export const deliveries = c.router({
  listDeliveries: {
    method: "GET",
    path: "/api/webhooks/:endpoint_id/deliveries",
    pathParams: z.object({ endpoint_id: z.string().meta({ description: "The endpoint's `id`." }) }),
    summary: "List the deliveries of a webhook endpoint",
    description: "Lists deliveries, newest event first.",
    query: pageQuery.extend({
      state: z
        .string()
        .optional()
        .meta({ description: "Only deliveries in this state.", examples: ["failed"] }),
    }),
    ...reading({
      access: "webhooks.read",
      faults: ["request.validation_failed", "webhook.unknown"],
      success: { 200: page("DeliveryList", delivery) },
    }),
  },
  listAllDeliveries: {
    method: "GET",
    path: "/api/webhook-deliveries",
    summary: "List the deliveries of all webhook endpoints",
    description:
      "Lists deliveries, newest event first. A delivery matches if it has each requested value. One request reads a limited number of deliveries: a page can have fewer entries than `limit`, or none, although `has_more` is `true`.",
    query: pageQuery.extend({
      endpoint_id: text("Only deliveries of this endpoint.", "wep_01k9z4c3r8h2v6y0n5t7w1x3q9").optional(),
      state: text(
        "Only deliveries in this state: `pending`, `delivered`, `failed` or `dropped`.",
        "failed",
      ).optional(),
      type: text("Only events of this type.", "message.bounced").optional(),
      status,
      from: moment("Only events at this time or later.").optional(),
      until: moment("Only events before this time.").optional(),
      message_id: text("Only events of this message.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9").optional(),
      event_id: text(
        "Only deliveries of this event.",
        "msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered",
      ).optional(),
    }),
    ...reading({
      access: "webhooks.read",
      faults: ["request.validation_failed"],
      success: { 200: page("AllDeliveryList", delivery) },
    }),
  },
  listDeliveriesOfMessage: {
    method: "GET",
    path: "/api/messages/:message_id/webhooks",
    pathParams: z.object({ message_id: z.string().meta({ description: "The message's `id`." }) }),
    summary: "List the webhook deliveries of a message",
    description: "Lists up to 200 deliveries, oldest first.",
    ...reading({
      access: "webhooks.read",
      faults: ["message.unknown", "message.unreadable"],
      success: {
        200: z
          .object({ data: z.array(delivery) })
          .meta({ id: "MessageDeliveries", description: "Webhook deliveries of one message." }),
      },
    }),
  },
  getDelivery: {
    method: "GET",
    path: "/api/webhook-deliveries/:delivery_id",
    pathParams: ownId,
    summary: "Get a webhook delivery",
    description: "Returns a delivery with its requests and the responses to them.",
    ...reading({ access: "webhooks.read", faults: ["webhook.delivery_unknown"], success: { 200: delivery } }),
  },
  retryDelivery: {
    method: "POST",
    path: "/api/webhook-deliveries/:delivery_id/retry",
    pathParams: ownId,
    summary: "Send a pending webhook now",
    description:
      "Makes a `pending` delivery due now instead of at `due_at`. The attempt counts as one of its ten. At an endpoint with `ordered`, the earlier events of its message are sent first. Replay a delivery that has ended instead.",
    body: c.noBody(),
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.delivery_unknown", "webhook.delivery_ended"],
      success: { 200: delivery },
    }),
  },
  retryDeliveries: {
    method: "POST",
    path: "/api/webhooks/:endpoint_id/retries",
    pathParams: z.object({ endpoint_id: z.string().meta({ description: "The endpoint's `id`." }) }),
    summary: "Send all pending webhooks now",
    description:
      "Makes all `pending` deliveries of an endpoint due now, for example after the endpoint was repaired. Each attempt counts as one of the delivery's ten.",
    body: c.noBody(),
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.unknown", "webhook.disabled"],
      success: {
        200: z
          .object({
            count: number("Number of deliveries that are due now, at most 20,000.", 12),
            has_more: z
              .boolean()
              .meta({ description: "Whether more deliveries wait. Repeat the request to send them." }),
          })
          .meta({ id: "RetryCount", description: "Number of deliveries that are sent now." }),
      },
    }),
  },
  replayDeliveries: {
    method: "POST",
    path: "/api/webhooks/:endpoint_id/replays",
    pathParams: z.object({ endpoint_id: z.string().meta({ description: "The endpoint's `id`." }) }),
    summary: "Replay many webhooks",
    description:
      "Sends ended deliveries of one endpoint again, each with its id and its body. With `count_only`, Hermod counts them and sends nothing. Otherwise a job starts, with a result for each delivery. The job skips a delivery that has been accepted or removed before its turn.",
    body: z
      .strictObject({
        from: moment("Only events at this time or later. Missing: all that are kept.").optional(),
        until: moment("Only events before this time. Missing: now.").optional(),
        delivered: z.boolean().optional().meta({
          description: "Include deliveries that the endpoint accepted. Otherwise only failed deliveries.",
        }),
        types: z
          .array(z.string())
          .optional()
          .meta({
            description: "Only events of these types, at most 50. Missing: any type.",
            examples: [["message.bounced"]],
          }),
        status,
        count_only: z
          .boolean()
          .optional()
          .meta({ description: "Count the deliveries without sending them." }),
      })
      .meta({ id: "Replays", description: "Selection of deliveries of an endpoint." }),
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.unknown", "webhook.disabled", "job.too_many"],
      success: {
        200: z
          .object({
            count: number("Number of selected deliveries.", 12),
            has_more: z.boolean().meta({ description: "Whether there may be more deliveries than `count`." }),
          })
          .meta({ id: "ReplayCount", description: "Number of deliveries that would be sent again." }),
        202: job,
      },
    }),
  },
  replayDelivery: {
    method: "POST",
    path: "/api/webhook-deliveries/:delivery_id/replay",
    pathParams: ownId,
    summary: "Replay a webhook",
    description:
      "Sends the same body with the same id now, and retries as often as the first time until the endpoint accepts it. A disabled endpoint gets nothing.",
    body: c.noBody(),
    ...changing({
      access: "webhooks.write",
      faults: [
        ...["webhook.delivery_unknown", "webhook.delivery_waiting"],
        ...["webhook.delivery_dropped", "webhook.disabled"],
      ] as const,
      success: { 200: delivery },
    }),
  },
});
