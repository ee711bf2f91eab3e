import { z } from "zod";
import { text } from "./common/text-field.ts";
import { ofFinding, ofListing, ofReport, ofWatch } from "./common/watch-event-fields.ts";

/*
 * What endpoints are told (docs/webhooks.md): one schema for each type, of which every body is made that leaves. A version
 * is never changed but for new fields; what cannot be said so is a new version.
 */

/** The versions of payloads that endpoints can be pinned to, the youngest first. */
export const payloadVersions = ["2026-11-01"] as const;
export type PayloadVersion = (typeof payloadVersions)[number];

const moment = (description: string, example: string) =>
  z.string().meta({ description, format: "date-time", examples: [example] });

/** What all events of a message say. */
const ofMessage = {
  message_id: text(
    "The message, as the answer to its submission named it.",
    "msg_01k9z4c3r8h2v6y0n5t7w1x3q9",
  ),
  sx_trace_id: text("The submission that it came with.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  sequence: z
    .int()
    .min(1)
    .meta({
      description: "Which of the message's events it is: requests may come in another order.",
      examples: [2],
    }),
  from: text("Address of the sender.", "hello@shop.example.com"),
  recipient: text("The one address that the message is to.", "ada@example.org"),
  routing_policy: text("The policy by which it leaves.", "default"),
  tags: z.array(z.string()).meta({ description: "What it was tagged with.", examples: [["welcome"]] }),
  metadata: z
    .record(z.string(), z.string())
    .meta({ description: "What was said of it besides.", examples: [{ order: "1001" }] }),
};

const reply = z
  .object({
    server: text("The way and the server.", "direct mx.example.org[192.0.2.25]:25"),
    code: z
      .int()
      .meta({ description: "The SMTP reply code.", examples: [250] })
      .optional(),
    enhanced_code: text("RFC 3463.", "2.0.0").optional(),
  })
  .meta({ id: "EventReply", description: "What a server has answered." });

/** What all events say that end an attempt, or stand for one. */
const ofAttempt = {
  ...ofMessage,
  attempt: z
    .int()
    .min(0)
    .meta({ description: "Which attempt it belongs to; 0: it came before any.", examples: [1] }),
  detail: text("The server's words, or Hermod's own.", "2.0.0 Ok: queued as 4F1"),
  reply: reply.optional(),
  category: text(
    "What a refusal is about: `invalid_mailbox`, `mailbox_full`, `policy`, `spam`, `rate_limit`, `auth`, `dns`, `tls`, `network` or `other`.",
    "invalid_mailbox",
  ).optional(),
};

const ofHit = {
  ...ofMessage,
  first: z.boolean().meta({ description: "It is the first that a person made.", examples: [false] }),
  machine: z.boolean().meta({ description: "A program made it.", examples: [true] }),
  machine_reason: text("How that is known.", "apple_mail_privacy").optional(),
  proxy: text("The mail provider's proxy that fetched it.", "gmail").optional(),
  user_agent: text("As it was sent, if it is kept.", "Mozilla/5.0").optional(),
  client_address: text("Where it came from, if that is kept.", "192.0.2.7").optional(),
};

const suppression = {
  suppression_id: text("Names the entry in the list.", "sup_YWRhQGV4YW1wbGUub3JnOg"),
  address: text("The address, or `@` and a domain.", "ada@example.org"),
  reason: text(
    "`hard_bounce`, `complaint`, `unsubscribe` or `manual`; later versions may know more.",
    "hard_bounce",
  ),
  routing_policy: text("Only mail of this policy; missing: all mail.", "newsletter").optional(),
  message_id: text("The message that led to it.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9").optional(),
  detail: text("What was said.", "5.1.1 no such user").optional(),
  created_at: moment("When the entry was made.", "2025-11-22T09:30:00.123Z"),
  expires_at: moment("When it ends by itself; missing: never.", "2026-05-21T09:30:00.123Z").optional(),
};

/** What all events of an incident say. */
const ofIncident = {
  incident_id: text("The incident.", "inc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  rule: text("Name of the rule that tells of it.", "pager"),
  state: text("`open`, `acknowledged` or `resolved`.", "open"),
  severity: text("The greatest so far: `info`, `warning` or `critical`.", "critical"),
  title: text("The subject of its mail.", "[critical] node-exporter: /var is 97 % full (host web-1)"),
  alerts: z.int().meta({ description: "Alerts that came, repeats too.", examples: [3] }),
  firing: z.int().meta({ description: "Things that fire.", examples: [1] }),
  latest_alert_id: text("The alert that came last.", "alr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  opened_at: moment("When it began.", "2025-11-22T09:30:00.123Z"),
  detail: text("Who or what has led to it.", "ada@example.com"),
};

/** A schema by the name of its type: `message.delivered` is `MessageDeliveredEvent`. */
function event<Type extends string, Data extends z.ZodRawShape>(type: Type, description: string, data: Data) {
  const name = type.replace(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
  return z
    .object({
      id: text(
        "The same for every endpoint, and however often it is sent.",
        "msg_01k9z4c3r8h2v6y0n5t7w1x3q9.1.delivered",
      ),
      type: z.literal(type),
      version: z
        .enum(payloadVersions)
        .meta({ description: "Of the payload: the endpoint's.", examples: [payloadVersions[0]] }),
      timestamp: moment("When it happened.", "2025-11-22T09:30:00.123Z"),
      account_id: text("Whose it is.", "acc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
      test: z
        .boolean()
        .meta({
          description: "True in a test event: nothing happened. Missing in every other event.",
          examples: [true],
        })
        .optional(),
      data: z.object(data).meta({ id: `${name}EventData`, description }),
    })
    .meta({ id: `${name}Event`, description });
}

const events = {
  "message.accepted": event("message.accepted", "A message was stored, to be sent at once.", ofMessage),
  "message.scheduled": event("message.scheduled", "A message was stored, to be sent later.", {
    ...ofMessage,
    send_at: moment("When it is to be sent.", "2025-11-23T08:00:00.000Z").optional(),
  }),
  "message.delivered": event("message.delivered", "A server has taken the message.", {
    ...ofAttempt,
    sandbox: z
      .boolean()
      .meta({ description: "True: Hermod captured the message. Missing otherwise.", examples: [true] })
      .optional(),
  }),
  "message.deferred": event("message.deferred", "An attempt was put off.", {
    ...ofAttempt,
    next_attempt_at: moment("When the next one follows.", "2025-11-22T09:35:00.000Z").optional(),
    next_attempt_reason: text(
      "`schedule`: the policy's waits; `server`: it wants a longer one.",
      "schedule",
    ).optional(),
  }),
  "message.bounced": event("message.bounced", "The message was refused for good.", ofAttempt),
  "message.complained": event("message.complained", "Its recipient has reported it as spam.", ofAttempt),
  "message.suppressed": event("message.suppressed", "The recipient is on the suppression list.", {
    ...ofAttempt,
    suppression_id: text("The entry of the list.", "sup_YWRhQGV4YW1wbGUub3JnOg").optional(),
    suppressed_policy: text(
      "The policy whose mail the entry is about; missing: all mail.",
      "newsletter",
    ).optional(),
  }),
  "message.failed": event("message.failed", "The message could not be sent.", ofAttempt),
  "message.expired": event("message.expired", "It was tried for too long.", ofAttempt),
  "message.cancelled": event("message.cancelled", "It was withdrawn.", ofAttempt),
  "message.opened": event("message.opened", "Its pixel was fetched.", ofHit),
  "message.clicked": event("message.clicked", "A link in it was followed.", {
    ...ofHit,
    url: text("Where the link leads.", "https://shop.example.com/orders/1001").optional(),
  }),
  "message.unsubscribed": event(
    "message.unsubscribed",
    "Its recipient wants no more mail of its policy.",
    ofMessage,
  ),
  "suppression.created": event(
    "suppression.created",
    "An address was put on the suppression list.",
    suppression,
  ),
  "suppression.deleted": event("suppression.deleted", "Somebody has taken it off the list.", suppression),
  "domain.status_changed": event("domain.status_changed", "A domain has another status.", {
    domain: text("Its name.", "shop.example.com"),
    from: text("The status before.", "verifying"),
    to: text("The status now.", "verified"),
    reasons: z.array(z.string()).meta({ description: "Why, for programs.", examples: [["dkim_missing"]] }),
  }),
  "watched_domain.status_changed": event(
    "watched_domain.status_changed",
    "A domain that is watched has another status.",
    {
      ...ofWatch,
      from: text("The status before.", "healthy"),
      to: text("The status now.", "critical"),
    },
  ),
  "finding.opened": event(
    "finding.opened",
    "A check of a domain fails or warns, as two looks have seen.",
    ofFinding,
  ),
  "finding.resolved": event("finding.resolved", "It does so no more.", ofFinding),
  "blacklist.listed": event(
    "blacklist.listed",
    "A blacklist has an entry of a domain, or of an address that it sends from, as two looks have seen.",
    ofListing,
  ),
  "blacklist.delisted": event(
    "blacklist.delisted",
    "It has none any more, as two looks have seen.",
    ofListing,
  ),
  "report.generated": event("report.generated", "A report about watched domains was made.", ofReport),
  "alert.received": event("alert.received", "An alert came in.", {
    alert_id: text("The alert.", "alr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    sx_trace_id: text("The request that it came with.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    event_type: text("What happened.", "disk.full"),
    severity: text("`info`, `warning` or `critical`.", "critical"),
    source: text("Who says it.", "node-exporter"),
    message: text("For people.", "/var is 97 % full"),
    entity_type: text("What kind of thing it is about.", "host").optional(),
    entity_id: text("Which one.", "web-1").optional(),
    alert_status: text("`firing`, `resolved` or `acknowledged`.", "firing"),
    status: text("What became of it: `routed`, `suppressed` or `unmatched`.", "routed"),
    incident_ids: z.array(z.string()).meta({
      description: "The incidents that it belongs to.",
      examples: [["inc_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
    }),
  }),
  "incident.opened": event("incident.opened", "A rule has something to tell.", ofIncident),
  "incident.acknowledged": event("incident.acknowledged", "Somebody goes about it.", ofIncident),
  "incident.escalated": event("incident.escalated", "Nobody did, and others were told.", ofIncident),
  "incident.resolved": event("incident.resolved", "It is over.", {
    ...ofIncident,
    resolved_at: moment("When.", "2025-11-22T09:42:00.000Z").optional(),
  }),
  "webhook.disabled": event("webhook.disabled", "Another endpoint of the account is sent nothing more.", {
    endpoint_id: text("The endpoint.", "wep_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    host: text("The server that it is at.", "shop.example.com"),
    reason: text("`gone`: it has answered 410; `failing`: for five days it has taken nothing.", "failing"),
    detail: text("For people.", "nothing was taken since 2025-11-17T09:30:00.000Z"),
  }),
  "webhook.test": event("webhook.test", "Somebody wanted to see whether the endpoint hears.", {
    endpoint_id: text("The endpoint.", "wep_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    text: text("For people.", "This endpoint hears of its account's events."),
  }),
};

export type EventType = keyof typeof events;
export const eventSchemas: { readonly [Type in EventType]: (typeof events)[Type] } = events;
export const eventTypes = Object.keys(events) as EventType[];

/** The body of a request to an endpoint. */
export type EventPayload = { [Type in EventType]: z.infer<(typeof events)[Type]> }[EventType];
