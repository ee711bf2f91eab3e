import { z } from "zod";
import { text } from "./text-field.ts";

/** Fields of events about an endpoint, which the other endpoints of the account receive. */
const ofEndpoint = {
  endpoint_id: text("Id of the endpoint.", "wep_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  host: text("Host of the endpoint's URL.", "shop.example.com"),
};

const since = z.string().meta({
  description: "Time of the first failure.",
  format: "date-time",
  examples: ["2025-11-22T09:25:00.000Z"],
});
const detail = text("Result of the last attempt.", "it answered 503");

export const ofFailure = { ...ofEndpoint, since, detail };

export const ofRecovery = { ...ofEndpoint, since };

export const ofExhaustion = {
  ...ofEndpoint,
  delivery_id: text(
    "Id of the delivery, which can be replayed.",
    "wep_01k9z4c3r8h2v6y0n5t7w1x3q9.msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered",
  ),
  event_id: text("Id of the event that was not delivered.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered"),
  event_type: text("Type of the event that was not delivered.", "message.delivered"),
  attempts: z.int().meta({ description: "Number of attempts.", examples: [10] }),
  detail,
};

export const ofDisabling = {
  ...ofEndpoint,
  reason: text(
    "`gone`: the endpoint answered 410; `failing`: every delivery failed for five days.",
    "failing",
  ),
  detail: text("Explanation for people.", "no delivery was accepted since 2025-11-17T09:30:00.000Z"),
};
