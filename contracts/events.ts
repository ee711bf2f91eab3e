import { z } from "zod";
import { ofIncident } from "./common/incident-event-fields.ts";
import { text } from "./common/text-field.ts";
import { ofFinding, ofListing, ofReport, ofWatch } from "./common/watch-event-fields.ts";
import { ofDisabling, ofExhaustion, ofFailure, ofRecovery } from "./common/webhook-event-fields.ts";

/*
 * Events that Hermod posts to webhook endpoints (docs/reference/webhooks.md): one schema for each type. Every payload conforms to
 * its schema. A version gains only new fields. Any other change needs a new version.
 */

/** Payload versions that an endpoint can be pinned to, newest first. */
export const payloadVersions = ["2026-11-01"] as const;
export type PayloadVersion = (typeof payloadVersions)[number];

const moment = (description: string, example: string) =>
  z.string().meta({ description, format: "date-time", examples: [example] });

/** Fields of every message event. */
const ofMessage = {
  message_id: text(
    "Id of the message, as in the response to its submission.",
    "msg_01k9z4c3r8h2v6y0n5t7w1x3q9",
  ),
  sx_trace_id: text("Id of the submission.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  sequence: z
    .int()
    .min(1)
    .meta({
      description:
        "Position of the event among the events of the message. Requests can arrive in another order.",
      examples: [2],
    }),
  from: text("Address of the sender.", "hello@shop.example.com"),
  recipient: text("Address that the message is sent to.", "ada@example.org"),
  routing_policy: text("Name of the routing policy of the message.", "default"),
  tags: z.array(z.string()).meta({ description: "Tags of the message.", examples: [["welcome"]] }),
  metadata: z
    .record(z.string(), z.string())
    .meta({ description: "Metadata of the message.", examples: [{ order: "1001" }] }),
};

const reply = z
  .object({
    server: text("Transport and server.", "direct mx.example.org[192.0.2.25]:25"),
    code: z
      .int()
      .meta({ description: "SMTP reply code.", examples: [250] })
      .optional(),
    enhanced_code: text("Enhanced status code (RFC 3463).", "2.0.0").optional(),
  })
  .meta({ id: "EventReply", description: "Reply of a server." });

/** Fields of every event that ends an attempt, or occurs in place of an attempt. */
const ofAttempt = {
  ...ofMessage,
  attempt: z
    .int()
    .min(0)
    .meta({
      description: "Number of the delivery attempt. 0 if the event occurred before the first attempt.",
      examples: [1],
    }),
  detail: text("Reply text of the server, or an explanation by Hermod.", "2.0.0 Ok: queued as 4F1"),
  reply: reply.optional(),
  category: text(
    "Category of the rejection: `invalid_mailbox`, `mailbox_full`, `policy`, `spam`, `rate_limit`, `auth`, `dns`, `tls`, `network` or `other`.",
    "invalid_mailbox",
  ).optional(),
};

const ofHit = {
  ...ofMessage,
  first: z.boolean().meta({
    description: "`true` for the first open, or click, of the message by a person.",
    examples: [false],
  }),
  machine: z
    .boolean()
    .meta({ description: "`true` if a program caused the open or click.", examples: [true] }),
  machine_reason: text(
    "Reason why a program is the cause. Missing if `machine` is `false`.",
    "apple_mail_privacy",
  ).optional(),
  proxy: text("Proxy of the mail provider that sent the request.", "gmail").optional(),
  user_agent: text(
    "User-Agent header of the request. Missing if it is not stored.",
    "Mozilla/5.0",
  ).optional(),
  client_address: text("IP address of the client. Missing if it is not stored.", "192.0.2.7").optional(),
};

const suppression = {
  suppression_id: text("Id of the entry in the suppression list.", "sup_YWRhQGV4YW1wbGUub3JnOg"),
  address: text("E-mail address, or `@` and a domain.", "ada@example.org"),
  reason: text(
    "`hard_bounce`, `complaint`, `unsubscribe` or `manual`. Later versions may add values.",
    "hard_bounce",
  ),
  routing_policy: text(
    "Routing policy that the entry applies to. Missing if it applies to all mail.",
    "newsletter",
  ).optional(),
  message_id: text("Id of the message that caused the entry.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9").optional(),
  detail: text("Detail of the reason.", "5.1.1 no such user").optional(),
  created_at: moment("Time at which the entry was created.", "2025-11-22T09:30:00.123Z"),
  expires_at: moment(
    "Time at which the entry expires. Missing if it does not expire.",
    "2026-05-21T09:30:00.123Z",
  ).optional(),
};

/** Schema named after the type: `message.delivered` is `MessageDeliveredEvent`. */
function event<Type extends string, Data extends z.ZodRawShape>(type: Type, description: string, data: Data) {
  const name = type.replace(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
  return z
    .object({
      id: text(
        "Id of the event. The same for every endpoint and every attempt.",
        "msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered",
      ),
      type: z.literal(type),
      version: z
        .enum(payloadVersions)
        .meta({ description: "Payload version of the endpoint.", examples: [payloadVersions[0]] }),
      timestamp: moment("Time of the event.", "2025-11-22T09:30:00.123Z"),
      account_id: text("Account that owns the event.", "acc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
      test: z
        .boolean()
        .meta({
          description:
            "`true` in a test event, which describes nothing that occurred. Missing in all other events.",
          examples: [true],
        })
        .optional(),
      data: z.object(data).meta({ id: `${name}EventData`, description }),
    })
    .meta({ id: `${name}Event`, description });
}

const events = {
  "message.accepted": event("message.accepted", "A message was accepted for immediate delivery.", ofMessage),
  "message.scheduled": event("message.scheduled", "A message was accepted for delivery at a later time.", {
    ...ofMessage,
    send_at: moment("Earliest time of delivery.", "2025-11-23T08:00:00.000Z").optional(),
  }),
  "message.delivered": event("message.delivered", "A server accepted the message.", {
    ...ofAttempt,
    sandbox: z
      .boolean()
      .meta({
        description: "`true` if the sandbox captured the message. Missing otherwise.",
        examples: [true],
      })
      .optional(),
  }),
  "message.deferred": event("message.deferred", "A delivery attempt was deferred.", {
    ...ofAttempt,
    next_attempt_at: moment("Time of the next attempt.", "2025-11-22T09:35:00.000Z").optional(),
    next_attempt_reason: text(
      "Reason for the time of the next attempt. `schedule`: the retry schedule of the policy; `server`: the server asked for a longer wait.",
      "schedule",
    ).optional(),
  }),
  "message.bounced": event("message.bounced", "The message was rejected permanently.", ofAttempt),
  "message.complained": event("message.complained", "The recipient reported the message as spam.", ofAttempt),
  "message.suppressed": event("message.suppressed", "The recipient is on the suppression list.", {
    ...ofAttempt,
    suppression_id: text("Id of the entry in the suppression list.", "sup_YWRhQGV4YW1wbGUub3JnOg").optional(),
    suppressed_policy: text(
      "Routing policy that the entry applies to. Missing if it applies to all mail.",
      "newsletter",
    ).optional(),
  }),
  "message.failed": event("message.failed", "The message could not be sent.", ofAttempt),
  "message.expired": event(
    "message.expired",
    "The message was not delivered within the lifetime that its policy allows.",
    ofAttempt,
  ),
  "message.cancelled": event("message.cancelled", "The message was cancelled.", ofAttempt),
  "message.opened": event("message.opened", "The tracking image of the message was requested.", ofHit),
  "message.clicked": event("message.clicked", "A link in the message was followed.", {
    ...ofHit,
    url: text("Target of the link.", "https://shop.example.com/orders/1001").optional(),
  }),
  "message.unsubscribed": event(
    "message.unsubscribed",
    "The recipient unsubscribed from mail of the message's routing policy.",
    ofMessage,
  ),
  "suppression.created": event(
    "suppression.created",
    "An entry was added to the suppression list.",
    suppression,
  ),
  "suppression.deleted": event(
    "suppression.deleted",
    "An entry was removed from the suppression list.",
    suppression,
  ),
  "domain.status_changed": event("domain.status_changed", "The status of a sending domain changed.", {
    domain: text("Name of the domain.", "shop.example.com"),
    from: text("Previous status.", "verifying"),
    to: text("New status.", "verified"),
    reasons: z.array(z.string()).meta({
      description: "Reasons for the new status, as codes for programs.",
      examples: [["dkim_missing"]],
    }),
  }),
  "watched_domain.status_changed": event(
    "watched_domain.status_changed",
    "The status of a watched domain changed.",
    {
      ...ofWatch,
      from: text("Previous status.", "healthy"),
      to: text("New status.", "critical"),
    },
  ),
  "finding.opened": event(
    "finding.opened",
    "A check of a watched domain fails or warns. A second check run confirmed it.",
    ofFinding,
  ),
  "finding.resolved": event("finding.resolved", "A check that failed or warned no longer does.", ofFinding),
  "blacklist.listed": event(
    "blacklist.listed",
    "A blacklist lists a watched domain, or an address that the domain sends from. A second check confirmed it.",
    ofListing,
  ),
  "blacklist.delisted": event(
    "blacklist.delisted",
    "A blacklist no longer lists the domain or address. A second check confirmed it.",
    ofListing,
  ),
  "report.generated": event("report.generated", "A report about watched domains was generated.", ofReport),
  "alert.received": event("alert.received", "An alert was received.", {
    alert_id: text("Id of the alert.", "alr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    sx_trace_id: text("Id of the request.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    event_type: text("Type of the event that the alert reports.", "disk.full"),
    severity: text("`info`, `warning` or `critical`.", "critical"),
    source: text("System that sent the alert.", "node-exporter"),
    message: text("Message of the alert, for people.", "/var is 97 % full"),
    entity_type: text("Type of the affected entity.", "host").optional(),
    entity_id: text("Id of the affected entity.", "web-1").optional(),
    alert_status: text("Status of the alert: `firing`, `resolved` or `acknowledged`.", "firing"),
    status: text("Result of the alert rules: `routed`, `suppressed` or `unmatched`.", "routed"),
    incident_ids: z.array(z.string()).meta({
      description: "Ids of the incidents that the alert belongs to.",
      examples: [["inc_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
    }),
  }),
  "incident.opened": event(
    "incident.opened",
    "An alert rule opened an incident, or a member reopened it.",
    ofIncident,
  ),
  "incident.acknowledged": event("incident.acknowledged", "The incident was acknowledged.", ofIncident),
  "incident.escalated": event(
    "incident.escalated",
    "The incident was not acknowledged in time, and the next recipients were notified.",
    ofIncident,
  ),
  "incident.resolved": event("incident.resolved", "The incident was resolved.", {
    ...ofIncident,
    resolved_at: moment("Time at which the incident was resolved.", "2025-11-22T09:42:00.000Z").optional(),
  }),
  "webhook.failing": event(
    "webhook.failing",
    "Another endpoint of the account has accepted no delivery for five minutes. No further event follows until it recovers.",
    ofFailure,
  ),
  "webhook.recovered": event(
    "webhook.recovered",
    "Another endpoint of the account accepts deliveries again, after it had accepted none for a while.",
    ofRecovery,
  ),
  "webhook.exhausted": event(
    "webhook.exhausted",
    "All attempts of a delivery to another endpoint of the account failed. Deliveries of events about endpoints are left out.",
    ofExhaustion,
  ),
  "webhook.disabled": event(
    "webhook.disabled",
    "Hermod disabled another endpoint of the account.",
    ofDisabling,
  ),
  "webhook.test": event("webhook.test", "A test event was requested for the endpoint.", {
    endpoint_id: text("Id of the endpoint.", "wep_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    text: text("Text for people.", "This endpoint receives the events of its account."),
  }),
};

export type EventType = keyof typeof events;
export const eventSchemas: { readonly [Type in EventType]: (typeof events)[Type] } = events;
export const eventTypes = Object.keys(events) as EventType[];

/** Body of a request to an endpoint. */
export type EventPayload = { [Type in EventType]: z.infer<(typeof events)[Type]> }[EventType];
