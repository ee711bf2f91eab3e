import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { phrase } from "../../src/shared/phrase.ts";
import type { WebhookResult } from "../../src/store/delivery-results.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import type { WebhookCounterDocument } from "../../src/store/webhook-counters.ts";
import {
  answeredOf,
  type WebhookDeliveryDocument,
  webhookCollections,
} from "../../src/store/webhook-delivery-documents.ts";
import { testAudit } from "../harness/audit.ts";
import { deliveryDocument, endpointDocument } from "../harness/expected-deliveries.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const ACCOUNT = "acc_1";
const AT = new Date(Date.UTC(2030, 0, 1, 9, 30));
const later = new Date(AT.getTime() + 60_000);

let opened: TestStore;
let store: Store;
beforeEach(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterEach(() => opened.close());

const record = (results: readonly WebhookResult[]) => store.acrossAccounts.webhookDeliveries.record(results);
const deliveries = () => webhookCollections(opened.db).deliveries;
const counters = () => opened.db.collection<WebhookCounterDocument>("webhookCounters").find().toArray();

async function pending(
  number: number,
  changes: Partial<WebhookDeliveryDocument> = {},
): Promise<WebhookDeliveryDocument> {
  const { endedAt: _, ...delivery } = deliveryDocument({
    _id: `wep_1.msg_${number}.1.delivered`,
    accountId: ACCOUNT,
    eventId: `msg_${number}.1.delivered`,
    messageId: `msg_${number}`,
    at: AT,
    state: "pending",
    attempts: 0,
    dueAt: AT,
    ...changes,
  });
  await deliveries().insertOne(delivery);
  return delivery;
}

const tried = (status: number | undefined, durationMs = 84) => ({
  at: AT,
  durationMs,
  url: "https://receiver.example/hook",
  detail: status === undefined ? "no connection" : `it answered ${status}`,
  ...(status !== undefined && { status }),
});

const failed = (delivery: WebhookDeliveryDocument, status: number | undefined): WebhookResult => ({
  delivery,
  state: "pending",
  at: AT,
  tried: tried(status),
  dueAt: later,
});

async function addEndpoints(...ids: readonly string[]): Promise<void> {
  for (const _id of ids) {
    const { place: _, accountId: __, ...endpoint } = endpointDocument({ _id, accountId: ACCOUNT });
    await store.forAccount(ACCOUNT).webhooks.add(endpoint, testAudit);
  }
}

const published = async () =>
  (await deliveries().find().sort({ _id: 1 }).toArray())
    .filter(({ type }) => type.startsWith("webhook."))
    .map(({ endpointId, type, subject }) => ({ endpointId, type, subject }));

describe("the result of an attempt", () => {
  it("is counted once, however often it is stored, and by two workers", async () => {
    const all = await Promise.all([1, 2, 3, 4].map((number) => pending(number)));
    const [first, second, third, fourth] = all as [
      WebhookDeliveryDocument,
      WebhookDeliveryDocument,
      WebhookDeliveryDocument,
      WebhookDeliveryDocument,
    ];
    const results: WebhookResult[] = [
      { delivery: first, state: "delivered", at: AT, tried: tried(204, 10), expireAt: later },
      failed(second, 503),
      failed(third, undefined),
      { delivery: fourth, state: "dropped", at: AT, endReason: phrase("webhook.removed"), expireAt: later },
    ];
    await Promise.all([record(results), record(results)]);
    await record(results);
    const found = await counters();
    expect(found.map(({ step }) => step).sort()).toEqual(["day", "hour", "minute"]);
    for (const { accountId, endpointId, counts, durations } of found) {
      expect({ accountId, endpointId, counts }).toEqual({
        accountId: ACCOUNT,
        endpointId: "wep_1",
        counts: { "2xx": 1, "5xx": 1, none: 1 },
      });
      expect(Object.values(durations).reduce((sum, n) => sum + n, 0)).toBe(3);
    }
    expect((await deliveries().find().sort({ _id: 1 }).toArray()).map(({ answered }) => answered)).toEqual([
      "2xx",
      "5xx",
      "none",
      undefined,
    ]);
  });

  it("is counted as often as it changed a delivery, for any results in any order", async () => {
    const statuses = fc.constantFrom(undefined, 200, 302, 404, 503, 999);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ of: fc.nat(2), status: statuses, isOld: fc.boolean() }), { maxLength: 12 }),
        async (attempts) => {
          await deliveries().deleteMany({});
          await opened.db.collection("webhookCounters").deleteMany({});
          for (const number of [0, 1, 2]) await pending(number);
          const model = new Map<string, number>();
          for (const { of, status, isOld } of attempts) {
            const current = await deliveries().findOne({ _id: `wep_1.msg_${of}.1.delivered` });
            if (!current) throw new Error("there is no delivery");
            // A worker that read the delivery before another stored a result.
            const read = isOld ? { ...current, attempts: current.attempts - 1 } : current;
            await record([failed(read, status)]);
            const answer = answeredOf(tried(status));
            if (!isOld) model.set(answer, (model.get(answer) ?? 0) + 1);
          }
          const [day] = (await counters()).filter(({ step }) => step === "day");
          expect(day?.counts ?? {}).toEqual(Object.fromEntries(model));
        },
      ),
      { numRuns: 15 },
    );
  });

  it("keeps the headers of the last five attempts", async () => {
    await pending(1);
    for (let n = 0; n < 7; n++) {
      const delivery = await deliveries().findOne({ _id: "wep_1.msg_1.1.delivered" });
      const exchange = { at: new Date(AT.getTime() + n), request: `n: ${n}` };
      if (delivery) await record([{ ...failed(delivery, 500), exchange }]);
    }
    const kept = await deliveries().findOne({ _id: "wep_1.msg_1.1.delivered" });
    expect(kept?.tries).toHaveLength(7);
    expect(kept?.exchanges?.map(({ request }) => request)).toEqual(["n: 2", "n: 3", "n: 4", "n: 5", "n: 6"]);
  });

  it("is published to the other endpoints if it was the last attempt, and never to its own", async () => {
    await addEndpoints("wep_1", "wep_2");
    const at = new Date();
    const delivery = await pending(1, { attempts: 9 });
    const last = { ...failed(delivery, 503), at, state: "failed" as const };
    const { dueAt: _, ...result } = last;
    const exhausted = { ...result, expireAt: later, exhaustedAt: "https://receiver.example/secret?token=1" };
    await record([exhausted]);
    await record([exhausted]);
    const subject = {
      kind: "webhook_exhausted",
      endpointId: "wep_1",
      host: "receiver.example",
      deliveryId: delivery._id,
      exhaustedId: delivery.eventId,
      eventType: "message.delivered",
      attempts: 10,
      detail: "it answered 503",
    };
    expect(await published()).toEqual([{ endpointId: "wep_2", type: "webhook.exhausted", subject }]);
    // The exhausted delivery of an event about an endpoint causes no event.
    const [event] = await deliveries().find({ type: "webhook.exhausted" }).toArray();
    if (!event) throw new Error("there is no event");
    await record([{ ...exhausted, delivery: event }]);
    expect(await published()).toHaveLength(1);
    expect(await deliveries().findOne({ _id: event._id })).toMatchObject({ state: "failed" });
  });
});

describe("an outage", () => {
  it("is published once at its begin and once at its end", async () => {
    await addEndpoints("wep_1", "wep_2");
    const endpoint = endpointDocument({ _id: "wep_1", accountId: ACCOUNT });
    await webhookCollections(opened.db).lanes.insertOne({
      _id: "wep_1",
      accountId: ACCOUNT,
      slot: 1,
      additions: 1,
    });
    const all = store.acrossAccounts.webhookDeliveries;
    const since = new Date();
    const failing = { since, detail: "it answered 503" };
    await Promise.all([1, 2, 3].map(() => all.publishFailing(endpoint, failing, since)));
    expect(await published()).toEqual([
      {
        endpointId: "wep_2",
        type: "webhook.failing",
        subject: { kind: "webhook_outage", endpointId: "wep_1", host: "receiver.example", ...failing },
      },
    ]);
    await Promise.all([1, 2].map(() => all.setFailing(endpoint, undefined, since)));
    expect((await published()).map(({ type }) => type).sort()).toEqual([
      "webhook.failing",
      "webhook.recovered",
    ]);
    // A failure that was not published ends without an event.
    await all.setFailing(endpoint, { since, at: since }, since);
    await all.setFailing(endpoint, undefined, since);
    expect(await published()).toHaveLength(2);
  });
});
