import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventTypes } from "../../contracts/events.ts";
import { webhookCollections } from "../../src/store/webhook-delivery-documents.ts";
import { deliveryDocument } from "../harness/expected-deliveries.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

let identity: Identity;
let accountId: string;
let id: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1);
  accountId = await identity.openAccount();
  const settings = { url: "https://shop.example.com/hooks" };
  id = (await identity.operator.webhooks.createWebhook({ accountId, settings })).webhook?.id ?? "";
});

const HOUR_MS = 3_600_000;
const statistics = async (asked: object = {}) =>
  (await identity.operator.webhooks.getWebhookStatistics({ accountId, id, ...asked })).statistics;

let number = 0;

/** Stores the result of an attempt at this time. */
async function attempted(at: Date, status: number | undefined, durationMs: number): Promise<void> {
  const eventId = `msg_${number++}.1.delivered`;
  const { endedAt: _, ...delivery } = deliveryDocument({
    _id: `${id}.${eventId}`,
    accountId,
    endpointId: id,
    eventId,
    state: "pending",
    attempts: 0,
    dueAt: at,
  });
  await webhookCollections(identity.db).deliveries.insertOne(delivery);
  const tried = {
    at,
    durationMs,
    url: "https://shop.example.com/hooks",
    detail: "",
    ...(status && { status }),
  };
  const state = status === 200 ? "delivered" : "failed";
  await identity.store.acrossAccounts.webhookDeliveries.record([
    { delivery, state, at, tried, expireAt: new Date(at.getTime() + HOUR_MS) },
  ]);
}

describe("the statistics of an endpoint", () => {
  it("count attempts by answer and point, with percentiles within 3 %", async () => {
    const now = identity.time.clock.now();
    const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
    const before = new Date(hour.getTime() - HOUR_MS);
    for (let n = 1; n <= 20; n++) await attempted(before, 200, n * 10);
    for (const status of [302, 404, 503, 700, undefined]) await attempted(hour, status, 1_000);
    const from = timestampFromDate(before);
    const until = timestampFromDate(new Date(hour.getTime() + 1));
    const found = await statistics({ from, until, step: "hour" });
    expect(found?.step).toBe("hour");
    expect(found?.points.map(({ at }) => at && timestampDate(at))).toEqual([before, hour]);
    expect(found?.points.map(({ attempts }) => attempts)).toMatchObject([
      { count: 20, accepted: 20, failed: 0 },
      { count: 5, accepted: 0, failed: 5, status3xx: 1, status4xx: 1, status5xx: 2, noAnswer: 1 },
    ]);
    expect(found?.all).toMatchObject({ count: 25, accepted: 20, failed: 5 });
    const [first, second] = found?.points.map(({ attempts }) => attempts?.durations) ?? [];
    expect(Math.abs((first?.p50Ms ?? 0) - 100)).toBeLessThanOrEqual(4);
    expect(Math.abs((second?.p99Ms ?? 0) - 1_000)).toBeLessThanOrEqual(31);
  });

  it("have points without attempts, and no durations for them", async () => {
    const found = await statistics();
    expect(found?.points.length).toBeGreaterThan(20);
    expect(found?.all).toMatchObject({ count: 0, accepted: 0, failed: 0 });
    expect(found?.all?.durations).toBeUndefined();
  });

  it.each([
    [{ step: "week" }, "/step"],
    [{ from: timestampFromDate(new Date(2_000)), until: timestampFromDate(new Date(1_000)) }, "/until"],
    [{ from: timestampFromDate(new Date(0)), step: "minute" }, "/step"],
  ])("refuse %o", async (asked, pointer) => {
    await expect(statistics(asked)).rejects.toMatchObject({ errors: [{ pointer }] });
  });

  it("of another account's endpoint answer as if it did not exist", async () => {
    const other = await identity.openAccount();
    const asked = identity.operator.webhooks.getWebhookStatistics({ accountId: other, id });
    await expect(asked).rejects.toMatchObject({ code: "webhook.unknown" });
  });
});

describe("a list of endpoints", () => {
  it("shows since when each of them fails", async () => {
    const since = identity.time.clock.now();
    identity.time.pass(1);
    const other = (
      await identity.operator.webhooks.createWebhook({
        accountId,
        settings: { url: "https://other.example.com/" },
      })
    ).webhook;
    await webhookCollections(identity.db).lanes.insertOne({
      _id: id,
      accountId,
      slot: 1,
      additions: 1,
      failingSince: since,
    });
    const { webhooks } = await identity.operator.webhooks.listWebhooks({ accountId });
    expect(webhooks.map((one) => [one.id, one.failingSince && timestampDate(one.failingSince)])).toEqual([
      [id, since],
      [other?.id, undefined],
    ]);
    const { webhook } = await identity.operator.webhooks.disableWebhook({ accountId, id });
    expect(webhook?.failingSince && timestampDate(webhook.failingSince)).toEqual(since);
    const enabled = await identity.operator.webhooks.enableWebhook({ accountId, id });
    expect(enabled.webhook?.failingSince).toBeUndefined();
  });
});

describe("the rate of an endpoint", () => {
  it("is from 1 to 1,000, and a replacement without it removes it", async () => {
    const url = "https://shop.example.com/hooks";
    const replace = async (settings: object) =>
      (
        await identity.operator.webhooks.replaceWebhook({
          accountId,
          id,
          settings: { url, ...settings },
        })
      ).webhook?.settings?.ratePerSecond;
    expect(await replace({ ratePerSecond: 1_000 })).toBe(1_000);
    expect(await replace({})).toBeUndefined();
    for (const ratePerSecond of [0, 1_001])
      await expect(replace({ ratePerSecond })).rejects.toMatchObject({
        errors: [{ pointer: "/rate_per_second" }],
      });
  });
});

describe("the types of events", () => {
  it("have a schema that their example conforms to, and that permits fields of later releases", async () => {
    const { types } = await identity.operator.webhooks.listWebhookTypes({ accountId });
    expect(types.map(({ type }) => type)).toEqual(eventTypes);
    expect(types.filter(({ isSubscribable }) => !isSubscribable).map(({ type }) => type)).toEqual([
      "webhook.test",
    ]);
    for (const { type, group, description, version, schema = {}, example = {} } of types) {
      const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
      expect([type, validate(example), validate.errors]).toEqual([type, true, null]);
      expect([type, validate({ ...example, later: 1 })]).toEqual([type, true]);
      expect([type, validate({ ...example, data: {} })]).toEqual([type, false]);
      expect(example).toMatchObject({ type, version });
      expect([group, description === ""]).toEqual([type.split(".")[0], false]);
    }
  });
});
