import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";
import { job } from "./jobs.ts";

const c = initContract();

const number = (description: string, example: number) => z.int().meta({ description, examples: [example] });

const attempt = z
  .object({
    at: moment("When the request began."),
    duration_ms: number("Until its answer was read, or it had failed.", 84),
    url: text("Where it was sent.", "https://shop.example.com/hooks/mail"),
    address: text("IP address of the connection; empty if there was none.", "192.0.2.25"),
    status: number("HTTP status of the answer; 0: there was none.", 500),
    detail: text("What happened, in words.", "it answered 500"),
    answer: text("The beginning of the answer's body.", "Internal Server Error"),
  })
  .meta({ id: "DeliveryAttempt", description: "One request to an endpoint." });

export const delivery = z
  .object({
    id: text(
      "Names the delivery.",
      "wep_01k9z4c3r8h2v6y0n5t7w1x3q9.msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered",
    ),
    account_id: accountId,
    endpoint_id: text("Where it goes.", "wep_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    event_id: text(
      "What the receiver knows it by, in all attempts: `webhook-id`.",
      "msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered",
    ),
    type: text("What happened.", "message.delivered"),
    message_id: text("The message that it happened to; empty: to none.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    at: moment("When it happened."),
    state: text(
      "`pending`: it is tried when it is due; `delivered`: it was taken; `failed`: all attempts were in vain, or the endpoint was disabled; `dropped`: what it tells of was removed.",
      "delivered",
    ),
    attempts: number("How often it was sent since it began, or was replayed.", 1),
    due_at: moment("When it is tried next; missing: not any more.").optional(),
    ended_at: moment("When it came to its end; missing: it waits.").optional(),
    end_reason: text("Why it has ended, where no attempt tells; else empty."),
    body: text("What was sent, byte for byte; empty: nothing was. Lists leave it empty."),
    tries: z.array(attempt).meta({ description: "The attempts, the youngest last. Lists have none." }),
  })
  .meta({ id: "Delivery", description: "One event on its way to one webhook endpoint." });

const ownId = z.object({ delivery_id: z.string().meta({ description: "The delivery's `id`." }) });

export const deliveries = c.router({
  listDeliveries: {
    method: "GET",
    path: "/api/webhooks/:endpoint_id/deliveries",
    pathParams: z.object({ endpoint_id: z.string().meta({ description: "The endpoint's `id`." }) }),
    summary: "List the deliveries of a webhook endpoint",
    description: "Those of the youngest events first.",
    query: pageQuery.extend({
      state: z
        .string()
        .optional()
        .meta({ description: "Only those in this state.", examples: ["failed"] }),
    }),
    ...reading({
      access: "webhooks.read",
      faults: ["request.validation_failed", "webhook.unknown"],
      success: { 200: page("DeliveryList", delivery) },
    }),
  },
  listDeliveriesOfMessage: {
    method: "GET",
    path: "/api/messages/:message_id/webhooks",
    pathParams: z.object({ message_id: z.string().meta({ description: "The message's `id`." }) }),
    summary: "List the webhooks that were sent for a message",
    description: "Oldest first, 200 at most.",
    ...reading({
      access: "webhooks.read",
      faults: ["message.unknown", "message.unreadable"],
      success: {
        200: z
          .object({ data: z.array(delivery) })
          .meta({ id: "MessageDeliveries", description: "The webhooks of one message." }),
      },
    }),
  },
  getDelivery: {
    method: "GET",
    path: "/api/webhook-deliveries/:delivery_id",
    pathParams: ownId,
    summary: "See a webhook delivery",
    description: "With what was sent, and what was answered.",
    ...reading({ access: "webhooks.read", faults: ["webhook.delivery_unknown"], success: { 200: delivery } }),
  },
  retryDelivery: {
    method: "POST",
    path: "/api/webhook-deliveries/:delivery_id/retry",
    pathParams: ownId,
    summary: "Send a waiting webhook now",
    description:
      "Makes a `pending` delivery due now instead of at `due_at`. The attempt counts as one of its ten. At an endpoint with `ordered` the earlier events of its message are sent first. A delivery that has ended can be replayed.",
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
    summary: "Send all waiting webhooks now",
    description:
      "Makes all `pending` deliveries of an endpoint due now: for an endpoint that was mended. Each attempt counts as one of the delivery's ten.",
    body: c.noBody(),
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.unknown", "webhook.disabled"],
      success: {
        200: z
          .object({
            count: number("Deliveries that are due now, at most 20,000.", 12),
            has_more: z.boolean().meta({ description: "More deliveries wait: repeat the request." }),
          })
          .meta({ id: "RetryCount", description: "Number of deliveries that are sent now." }),
      },
    }),
  },
  replayDeliveries: {
    method: "POST",
    path: "/api/webhooks/:endpoint_id/replays",
    pathParams: z.object({ endpoint_id: z.string().meta({ description: "The endpoint's `id`." }) }),
    summary: "Send many webhooks once more",
    description:
      "Those of one endpoint that have come to an end, each under its id and with its body. With `count_only` they are counted, and nothing is sent; otherwise a job begins, which has a result for each. One that has been taken or removed by then is skipped.",
    body: z
      .strictObject({
        from: moment(
          "Of what happened at this time or later; missing: as far back as they are kept.",
        ).optional(),
        until: moment("Of what happened before; missing: now.").optional(),
        delivered: z
          .boolean()
          .optional()
          .meta({ description: "Those that were taken, too; otherwise those that have failed." }),
        count_only: z.boolean().optional().meta({ description: "Only count them." }),
      })
      .meta({ id: "Replays", description: "Which deliveries of an endpoint are meant." }),
    ...changing({
      access: "webhooks.write",
      faults: ["webhook.unknown", "webhook.disabled", "job.too_many"],
      success: {
        200: z
          .object({
            count: number("How many are meant.", 12),
            has_more: z.boolean().meta({ description: "It is not counted further." }),
          })
          .meta({ id: "ReplayCount", description: "How many deliveries would be sent once more." }),
        202: job,
      },
    }),
  },
  replayDelivery: {
    method: "POST",
    path: "/api/webhook-deliveries/:delivery_id/replay",
    pathParams: ownId,
    summary: "Send a webhook once more",
    description:
      "Sends the same body under the same id, now, and again as often as the first time while it is not taken. An endpoint that is disabled gets nothing.",
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
