import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleOf } from "../../contracts/common/event-examples.ts";
import { TEST_TYPE } from "../../contracts/common/webhook-types.ts";
import { type EventType, eventSchemas, eventTypes } from "../../contracts/events.ts";
import {
  messagePayload,
  PAYLOAD_VERSION,
  subjectPayload,
  testPayload,
} from "../../src/events/webhook-payload.ts";
import { webhookTypeOf } from "../../src/shared/webhook-types.ts";
import { suppressionReasons } from "../../src/store/documents.ts";
import { domainStatuses } from "../../src/store/domain-document.ts";
import type { EventDocument, MessageDocument } from "../../src/store/message-documents.ts";
import type { EventSubject } from "../../src/store/webhook-delivery-documents.ts";
import { expectPayload } from "../harness/expect-payload.ts";
import { endpointDocument } from "../harness/expected-deliveries.ts";
import { queuedMessage } from "../harness/queued-message.ts";

const at = new Date("2026-11-22T09:30:00.123Z");
const KINDS = [
  ...(["delivered", "captured", "deferred", "bounced", "complained", "suppressed"] as const),
  ...(["failed", "expired", "cancelled", "opened", "clicked", "unsubscribed"] as const),
];

const text = fc.string({ maxLength: 30 });
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const moment = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") });
/** Without missing fields. */
const record = <T extends object>(model: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.record(model).map((fields) => {
    const there = Object.entries(fields).filter(([, value]) => value !== undefined);
    return Object.fromEntries(there) as unknown as T;
  });

const messages = record<Partial<MessageDocument>>({
  from: fc.emailAddress(),
  recipient: fc.emailAddress(),
  policy: text,
  tags: some(fc.array(text)),
  metadata: some(
    fc.dictionary(
      text.map((key) => `k${key}`),
      text,
    ),
  ),
  sendAt: some(moment),
} as never).map((changes) => queuedMessage(at, changes));

const hits = record<NonNullable<EventDocument["hit"]>>({
  first: some(fc.constant(true as const)),
  url: some(fc.webUrl()),
  machineReason: some(text),
  proxy: some(text),
  userAgent: some(text),
  clientAddress: some(fc.ipV4()),
} as never);

const events = fc.constantFrom(...KINDS).chain((kind) =>
  record<Partial<EventDocument>>({
    attempt: fc.nat(20),
    via: some(text),
    replyCode: some(fc.integer({ min: 200, max: 599 })),
    enhancedStatusCode: some(text),
    category: some(text),
    detail: some(text),
    nextAttemptAt: some(moment),
    nextAttemptReason: some(fc.constantFrom("schedule", "server")),
    suppression: some(record({ addressKey: fc.emailAddress(), policy: some(text) } as never)),
    hit: kind === "opened" || kind === "clicked" ? hits : fc.constant(undefined),
  } as never).map((facts) => ({ kind, ...facts }) as EventDocument),
);

const subjects: fc.Arbitrary<EventSubject> = fc.oneof(
  record({
    addressKey: fc.emailAddress(),
    address: fc.emailAddress(),
    reason: fc.constantFrom(...suppressionReasons),
    policy: some(text),
    messageId: some(text),
    detail: some(text),
    createdAt: moment,
    expireAt: some(moment),
  } as never).map((entry) => ({ kind: "suppression", entry }) as never as EventSubject),
  fc
    .record({
      domain: fc.domain(),
      from: fc.constantFrom(...domainStatuses),
      to: fc.constantFrom(...domainStatuses),
      reasons: fc.array(text),
    })
    .map((change) => ({ kind: "domain" as const, change })),
  fc
    .record({ endpointId: text, host: fc.domain(), reason: fc.constantFrom("gone", "failing"), detail: text })
    .map(({ endpointId, host, reason, detail }) => ({
      kind: "webhook" as const,
      endpointId,
      host,
      disabled: { at, reason, detail },
    })),
  record({ endpointId: text, host: fc.domain(), since: moment, detail: some(text) } as never).map(
    (subject) => ({ kind: "webhook_outage", ...(subject as object) }) as never as EventSubject,
  ),
  record({
    endpointId: text,
    host: fc.domain(),
    deliveryId: text,
    exhaustedId: text,
    eventType: text,
    attempts: fc.nat(20),
    detail: text,
  } as never).map(
    (subject) => ({ kind: "webhook_exhausted", ...(subject as object) }) as never as EventSubject,
  ),
  fc
    .record({
      _id: text,
      workspaceId: text,
      scope: fc.record({ type: fc.constantFrom("workspace", "client", "domain"), id: text, name: text }),
      period: fc.record({ from: moment, to: moment }),
    })
    .map((report) => ({ kind: "report", report }) as never as EventSubject),
  record({
    alertId: text,
    traceId: text,
    status: fc.constantFrom("firing", "resolved", "acknowledged"),
    alert: record({
      eventType: text,
      source: text,
      message: text,
      entityType: some(text),
      entityId: some(text),
      severity: fc.constantFrom("info", "warning", "critical"),
    } as never),
    outcome: fc.record({ status: fc.constantFrom("routed", "unmatched"), incidentIds: fc.array(text) }),
  } as never).map((subject) => ({ kind: "alert", ...(subject as object) }) as never as EventSubject),
  record({
    incidentId: text,
    ruleName: text,
    title: text,
    latestAlertId: text,
    detail: text,
    state: fc.constantFrom("open", "acknowledged", "resolved"),
    severity: fc.constantFrom("info", "warning", "critical"),
    alerts: fc.nat(),
    firing: fc.nat(),
    openedAt: moment,
    resolvedAt: some(moment),
  } as never).map((subject) => ({ kind: "incident", ...(subject as object) }) as never as EventSubject),
);

const severity = fc.constantFrom("info", "warning", "critical");

/** Additional fields for watched domains, by type. */
const ofWatches: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<string>>>>> = {
  "watched_domain.status_changed": { from: text, to: text },
  "finding.opened": { checkId: text, severity },
  "finding.resolved": { checkId: text, severity },
  "blacklist.listed": { list: text, subject: text },
  "blacklist.delisted": { list: text, subject: text },
};

const watched = fc
  .constantFrom(...Object.entries(ofWatches))
  .chain(([type, own]) =>
    fc
      .record({ workspaceId: text, clientId: text, domainId: text, text, domain: fc.domain(), ...own })
      .map((change) => ({ type, subject: { kind: "watch", change } as never as EventSubject })),
  );

const told = (type: string) => ({ eventId: "evt_1", type, at, accountId: "acc_1" });

describe("payloads", () => {
  it("of message events match their schema, for any event", () => {
    fc.assert(
      fc.property(messages, events, fc.integer({ min: 1, max: 1_000 }), (message, event, sequence) => {
        const type = webhookTypeOf(event.kind) ?? "";
        const whole =
          type === "message.clicked" || !event.hit ? event : { ...event, hit: withoutUrl(event.hit) };
        expectPayload(messagePayload(told(type), PAYLOAD_VERSION, { message, event: whole, sequence }));
      }),
    );
  });

  it("of a stored message match their schema", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const type = message.sendAt ? "message.scheduled" : "message.accepted";
        const stored = { message, event: undefined, sequence: 1 };
        expectPayload(messagePayload(told(type), PAYLOAD_VERSION, stored));
      }),
    );
  });

  it("of addresses, domains and endpoints match their schema", () => {
    fc.assert(
      fc.property(subjects, fc.boolean(), (subject, isNew) => {
        const ofAddress = isNew ? "suppression.created" : "suppression.deleted";
        const types: Partial<Record<EventSubject["kind"], string>> = {
          domain: "domain.status_changed",
          webhook: "webhook.disabled",
          webhook_outage: "detail" in subject ? "webhook.failing" : "webhook.recovered",
          webhook_exhausted: "webhook.exhausted",
          suppression: ofAddress,
          alert: "alert.received",
          report: "report.generated",
          incident: isNew ? "incident.opened" : "incident.resolved",
        };
        expectPayload(subjectPayload(told(types[subject.kind] ?? ""), PAYLOAD_VERSION, subject));
      }),
    );
  });

  it("of watched domains match their schema", () => {
    fc.assert(
      fc.property(watched, ({ type, subject }) => {
        expectPayload(subjectPayload(told(type), PAYLOAD_VERSION, subject));
      }),
    );
  });

  it("have an example of each type, which is sent as a test and marked as one", () => {
    const endpoint = endpointDocument({ _id: "wep_9", accountId: "acc_9" });
    for (const type of eventTypes) {
      const example = exampleOf(type);
      expectPayload(example);
      const sent = testPayload(type, { eventId: "wte_1", at, endpoint });
      expectPayload(sent);
      const own = type === TEST_TYPE && { endpoint_id: "wep_9" };
      expect(sent).toEqual({
        id: "wte_1",
        type,
        version: PAYLOAD_VERSION,
        timestamp: at.toISOString(),
        account_id: "acc_9",
        test: true,
        data: { ...example.data, ...own },
      });
    }
  });

  it("have examples with consistent fields", () => {
    const CLASSES: Readonly<Record<string, number>> = {
      "message.delivered": 2,
      "message.deferred": 4,
      "message.bounced": 5,
      "message.expired": 4,
    };
    for (const type of eventTypes) {
      const data = exampleOf(type).data as Readonly<Record<string, unknown>>;
      const reply = data.reply as { readonly code?: number; readonly enhanced_code: string } | undefined;
      expect([type, reply?.code && Math.floor(reply.code / 100)]).toEqual([type, CLASSES[type]]);
      if (reply?.code) expect([type, reply.enhanced_code[0]]).toEqual([type, String(CLASSES[type])]);
      if (reply?.code) expect(String(data.detail).startsWith(reply.enhanced_code)).toBe(true);
      // No marks of an exception: the message left this machine.
      expect(data).not.toHaveProperty("sandbox");
      // Refusals have a category, and actions of programs have a reason.
      if (CLASSES[type] === 2 || !reply?.code)
        expect([type, data.category ?? "other"]).toEqual([type, "other"]);
      if ("machine" in data) expect([type, "machine_reason" in data]).toEqual([type, data.machine]);
      if (data.machine_reason === "apple_mail_privacy")
        expect(data).toMatchObject({ user_agent: "Mozilla/5.0" });
      expect(data).not.toMatchObject({ machine_reason: "apple_mail_privacy", proxy: "gmail" });
      if (type.startsWith("message.accepted") || type === "message.scheduled") expect(data.sequence).toBe(1);
      else if ("sequence" in data) expect(data.sequence).toBeGreaterThan(1);
      if ("to" in data && "reasons" in data && data.to === "verified") expect(data.reasons).toEqual([]);
    }
    const incident = (type: EventType) => exampleOf(type).data;
    expect(incident("incident.acknowledged")).toMatchObject({ state: "acknowledged" });
    expect(incident("incident.resolved")).toMatchObject({ state: "resolved", firing: 0 });
    expect(exampleOf("suppression.created").data).not.toHaveProperty("routing_policy");
  });

  it("have a schema for every delivered kind of event", () => {
    const types = KINDS.map((kind) => webhookTypeOf(kind) as EventType);
    expect(types.filter((type) => !(type in eventSchemas))).toEqual([]);
  });
});

function withoutUrl({ url: _, ...hit }: NonNullable<EventDocument["hit"]>) {
  return hit;
}
