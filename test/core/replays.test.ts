import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createReplayJob } from "../../src/core/deliveries/replay-job.ts";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { createStore } from "../../src/store/store.ts";
import {
  type WebhookDeliveryDocument,
  webhookCollections,
} from "../../src/store/webhook-delivery-documents.ts";
import { deliveryDocument } from "../harness/expected-deliveries.ts";
import { failingDb } from "../harness/failing-db.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { testSealing } from "../harness/sealing.ts";

let identity: Identity;
let accountId: string;
let endpointId: string;

const client = () => identity.operator.deliveries;
const now = () => identity.time.clock.now();
const collections = () => webhookCollections(identity.db);

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1);
  accountId = await identity.openAccount();
  const settings = { url: "https://shop.example.com/" };
  const { webhook } = await identity.operator.webhooks.createWebhook({ accountId, settings });
  endpointId = webhook?.id ?? "";
});

/** Deliveries of events a second apart, the newest a second old, which ended immediately. */
async function stored(count: number, changes: Partial<WebhookDeliveryDocument> = {}): Promise<string[]> {
  const documents = Array.from({ length: count }, (_, n) => {
    const at = new Date(now().getTime() - (count - n) * 1_000);
    const eventId = `${changes.state ?? "failed"}.${n}`;
    const of = { _id: `${endpointId}.${eventId}`, accountId, endpointId, eventId, at, endedAt: at };
    return deliveryDocument({ state: "failed", attempts: 10, ...of, ...changes });
  });
  await collections().deliveries.insertMany(documents);
  await collections().lanes.updateOne(
    { _id: endpointId, accountId },
    { $set: { slot: 1, additions: 1 } },
    { upsert: true },
  );
  return documents.map(({ _id }) => _id);
}

async function run(store = identity.store): Promise<void> {
  const { clock, timers } = identity.time;
  const parts = { clock, timers, log: createLogger("silent"), signal: new AbortController().signal };
  await createRunJobs({
    jobs: store.acrossAccounts.jobs,
    kinds: [createReplayJob({ store, clock })],
    ...parts,
  })();
}

async function begin(replays: object = {}): Promise<string> {
  const { job } = await client().beginReplays({ accountId, replays: { endpointId, ...replays } });
  return job?.id ?? "";
}

const count = async (replays: object = {}) =>
  (await client().countReplays({ accountId, replays: { endpointId, ...replays } })).count;
const jobOf = async (id: string) => (await identity.operator.jobs.getJob({ accountId, id })).job;
const waiting = async () =>
  (await collections().deliveries.find({ accountId, state: "pending" }).toArray())
    .map(({ _id }) => _id)
    .sort();

describe("sending many deliveries again", () => {
  it("includes failed deliveries, and not those that were accepted, dropped, or are waiting", async () => {
    const failed = await stored(1_100);
    await stored(3, { state: "delivered" });
    await stored(2, { state: "dropped" });
    expect(await count()).toBe(1_100);
    identity.time.pass(1_000);
    const id = await begin();
    await run();
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", total: 1_100, done: 1_100, skipped: 0 });
    expect(await waiting()).toEqual(failed.sort());
    expect(await collections().deliveries.findOne({ _id: failed[0] ?? "" })).toMatchObject({
      attempts: 0,
      dueAt: now(),
      body: "{}",
    });
    expect(await collections().lanes.findOne({ _id: endpointId })).toMatchObject({ wakeAt: now() });
  });

  it("includes a time range, and accepted deliveries if requested", async () => {
    const failed = await stored(10);
    await stored(10, { state: "delivered" });
    const [from, until] = [8_000, 4_000].map((ms) => timestampFromDate(new Date(now().getTime() - ms)));
    expect([await count({ from, until }), await count({ from, until, delivered: true })]).toEqual([4, 8]);
    identity.time.pass(1_000);
    await begin({ from, until, delivered: true });
    await run();
    const names = await waiting();
    expect(names).toHaveLength(8);
    expect(names.filter((id) => failed.includes(id))).toEqual(failed.slice(2, 6));
  });

  it("includes only the requested types and the requested status of the last attempt", async () => {
    const tried = (status: number) => [
      { at: now(), durationMs: 1, url: "https://shop.example.com/", status, detail: "it answered" },
    ];
    await stored(3, { type: "message.bounced", tries: tried(404) });
    const wanted = await stored(1_500, { type: "message.bounced", state: "delivered", tries: tried(503) });
    const both = { types: ["message.bounced"], status: "5xx", delivered: true };
    expect([await count({ types: ["message.bounced"] }), await count({ types: ["message.opened"] })]).toEqual(
      [3, 0],
    );
    expect([await count({ status: "4xx" }), await count({ status: "none" }), await count(both)]).toEqual([
      3, 0, 1_500,
    ]);
    identity.time.pass(1_000);
    const id = await begin(both);
    await run();
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", total: 1_500, done: 1_500 });
    expect(await waiting()).toEqual(wanted.sort());
    for (const [asked, pointer] of [
      [{ types: ["message.lost"] }, "/types/0"],
      [{ types: Array.from({ length: 51 }, () => "message.bounced") }, "/types"],
      [{ status: "503" }, "/status"],
    ] as const)
      await expect(begin(asked)).rejects.toMatchObject({ errors: [{ pointer }] });
  });

  it("skips deliveries that were accepted or removed before their turn, and affects no other endpoint", async () => {
    const [taken = "", removed = "", left = ""] = await stored(3);
    const { webhook } = await identity.operator.webhooks.createWebhook({
      accountId,
      settings: { url: "https://other.example.com/" },
    });
    const others = deliveryDocument({
      _id: "other",
      accountId,
      endpointId: webhook?.id ?? "",
      state: "failed",
    });
    await collections().deliveries.insertOne(others);
    const id = await begin();
    const endedAt = new Date(now().getTime() + 1);
    const { webhookDeliveries } = identity.store.forAccount(accountId);
    const list = webhookDeliveries.list;
    const store = {
      ...identity.store,
      forAccount: (of: string) => ({
        ...identity.store.forAccount(of),
        webhookDeliveries: {
          ...webhookDeliveries,
          list: async (filter: Parameters<typeof list>[0]) => {
            const found = await list(filter);
            await collections().deliveries.deleteOne({ _id: removed });
            await collections().deliveries.updateOne({ _id: taken }, { $set: { state: "dropped", endedAt } });
            return found;
          },
        },
      }),
    };
    await run(store as typeof identity.store);
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", done: 1, skipped: 2 });
    expect(await waiting()).toEqual([left]);
  });

  it("has the same result when its process ends at any of its writes", async () => {
    for (const time of ["before", "after"] as const) {
      for (let nth = 1; ; nth++) {
        await collections().deliveries.deleteMany({ accountId });
        const failed = await stored(5);
        identity.time.pass(1_000);
        const id = await begin();
        const failing = failingDb(identity.db, nth, time);
        await run(createStore(failing.db, testSealing)).catch(() => undefined);
        // The last write.
        await identity.db.collection("jobs").updateMany({}, { $set: { expiresAt: new Date(0) } });
        identity.time.pass(60_000);
        await run();
        expect([nth, time, await waiting()]).toEqual([nth, time, failed]);
        expect(await jobOf(id)).toMatchObject({ state: "succeeded", done: 5, skipped: 0 });
        if (!failing.failed()) break;
      }
    }
  });

  it("is refused if there is nothing to send", async () => {
    const times = { from: timestampFromDate(now()), until: timestampFromDate(new Date(0)) };
    await expect(count(times)).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [{ pointer: "/from" }],
    });
    await expect(count({ endpointId: "wep_other" })).rejects.toMatchObject({ code: "webhook.unknown" });
    await identity.operator.webhooks.disableWebhook({ accountId, id: endpointId });
    await expect(begin()).rejects.toMatchObject({ code: "webhook.disabled" });
  });
});
