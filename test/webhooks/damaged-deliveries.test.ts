import fc from "fast-check";
import { Binary, type Document, Long, ObjectId } from "mongodb";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import { createEventLog } from "../../src/store/event-log.ts";
import { createStore } from "../../src/store/store.ts";
import { webhookCollections, webhookDeliveryId } from "../../src/store/webhook-delivery-documents.ts";
import { createWebhookOutbox } from "../../src/store/webhook-outbox.ts";
import { createPace } from "../../src/webhooks/pace.ts";
import { createWebhookWorker, type WebhookWorker } from "../../src/webhooks/worker.ts";
import { endpointDocument } from "../harness/expected-deliveries.ts";
import { repetitions } from "../harness/repetitions.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";

const ACCOUNT = "acc_1";
const HOUR_MS = 3_600_000;
const EVENTS = 4;
const DAMAGED = "msg_1.1.delivered";

let opened: TestStore;
let time: TestTime;
let worker: WebhookWorker;
/** Deliveries that each endpoint has received. */
let sent: string[];
let damaged: number;
/** Event with a body that cannot be created. */
let indescribable: string | undefined;

beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());
beforeEach(() => begin(false));
afterEach(() => worker.stop(0));

const documents = () => opened.db.collection<Document & { _id: string }>("webhookDeliveries");

/** An endpoint with some pending events, and another one beside it. */
async function begin(ordered: boolean): Promise<void> {
  time = createTestTime(Date.UTC(2030, 0, 1));
  sent = [];
  damaged = 0;
  indescribable = undefined;
  for (const name of ["webhookEndpoints", "webhookDeliveries", "webhookLanes", "eventLog"])
    await opened.db.collection(name).deleteMany({});
  const endpoints = ["wep_a", "wep_b"].map((_id) =>
    endpointDocument({ _id, accountId: ACCOUNT, ...(ordered && { ordered }) }),
  );
  await webhookCollections(opened.db).endpoints.insertMany([...endpoints]);
  await happen(1, EVENTS);
  worker = createWebhookWorker({
    deliveries: createStore(opened.db, testSealing).acrossAccounts.webhookDeliveries,
    endpoints: {
      findByIds: async (ids) => endpoints.filter(({ _id }) => ids.includes(_id)),
      disable: async () => true,
    },
    composeBodies: async (due) => {
      if (due.some(({ eventId }) => eventId === indescribable))
        throw new TypeError("its subject is no subject");
      return due.map(({ eventId, body }) => body ?? `{"of":"${eventId}"}`);
    },
    attempt: async (endpoint, { eventId }) => {
      sent.push(webhookDeliveryId(endpoint._id, eventId));
      const tried = { at: time.clock.now(), durationMs: 1, url: endpoint.url, status: 200, detail: "taken" };
      return { verdict: "taken", tried };
    },
    onDisabled: async () => undefined,
    onDamaged: () => damaged++,
    pace: createPace({ mailAttempts: () => 0 }),
    held: () => Array.from({ length: 64 }, (_, partition) => partition),
    partitionCount: 64,
    keptMs: HOUR_MS,
    abandon: () => undefined,
    clock: time.clock,
    log: createLogger("silent"),
  });
}

async function happen(from: number, count: number): Promise<void> {
  await createWebhookOutbox(opened.db, createEventLog(opened.db)).add(
    Array.from({ length: count }, (_, n) => ({
      eventId: `msg_${from + n}.1.delivered`,
      messageId: `msg_${from + n}`,
      accountId: ACCOUNT,
      kind: "delivered" as const,
      at: time.clock.now(),
      attempt: 1,
    })),
  );
}

/** Runs the worker until nothing is in progress. */
async function work(): Promise<void> {
  await worker.check();
  await worker.idle();
}

const timesOf = (id: string) => sent.filter((one) => one === id).length;

/** Expects the other deliveries once. The damaged one is sent at most once more and is no longer due. */
async function expectOneOut(id: string, before: number): Promise<void> {
  await work();
  await happen(EVENTS + 1, 1);
  await work();
  const count = sent.length;
  await work();
  expect(sent).toHaveLength(count);
  const others = ["wep_a", "wep_b"]
    .flatMap((endpoint) =>
      Array.from({ length: EVENTS + 1 }, (_, n) => webhookDeliveryId(endpoint, `msg_${n + 1}.1.delivered`)),
    )
    .filter((other) => other !== id);
  for (const other of others) expect([other, timesOf(other)]).toEqual([other, 1]);
  expect(timesOf(id)).toBeLessThanOrEqual(before + 1);
  const now = await documents().findOne({ _id: id });
  const isLater = now?.dueAt instanceof Date && now.dueAt > time.clock.now();
  expect(now?.dueAt === undefined || isLater || now.endpointId !== "wep_a").toBe(true);
}

const FIELDS = [
  ...["accountId", "endpointId", "eventId", "type", "messageId", "subject", "addressKey", "at", "state"],
  ...["attempts", "dueAt", "body", "tries", "endedAt", "endReason", "expireAt"],
];

const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    "pending",
    "delivered",
    "urgent",
    0,
    1,
    -1,
    9e15,
    Number.NaN,
    true,
    [],
    {},
  ),
  fc.constantFrom<unknown>(Number.POSITIVE_INFINITY, Long.MAX_VALUE, new ObjectId()),
  fc.constantFrom<unknown>(
    new Date(0),
    new Date(Date.UTC(2030, 0, 1)),
    new Date(8.64e15),
    new Binary(Buffer.from("x")),
  ),
  fc.constantFrom<unknown>(["x"], [null], { a: 1 }, { kind: "report" }, "wep_b", "acc_2"),
  fc.string({ maxLength: 10 }),
  fc.integer(),
);

it("sends a delivery with a damaged field at most once more, and all others once", {
  timeout: 110_000,
}, async () => {
  const moment = fc.constantFrom("waiting", "delivered");
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...FIELDS),
      value,
      moment,
      fc.boolean(),
      async (field, to, when, ordered) => {
        await worker.stop(0);
        await begin(ordered);
        const id = webhookDeliveryId("wep_a", DAMAGED);
        if (when === "delivered") await work();
        const before = timesOf(id);
        await documents().updateOne({ _id: id }, { $set: { [field]: to } });
        await expectOneOut(id, before);
      },
    ),
    { numRuns: repetitions(35, 100) },
  );
});

it.each([
  ["a delivery that was delivered and is due again", { dueAt: new Date(Date.UTC(2029, 0, 1)) }, true],
  ["tries that are no list", { tries: 7 }, false],
  ["a number of attempts that is none", { attempts: "x" }, false],
  ["a time that is none", { dueAt: "soon" }, false],
  ["the id of another endpoint", { endpointId: "wep_b" }, false],
  ["another account", { accountId: "acc_2" }, false],
])("ends and counts %s", async (_name, change, wasDelivered) => {
  const id = webhookDeliveryId("wep_a", DAMAGED);
  if (wasDelivered) await work();
  await documents().updateOne({ _id: id }, { $set: change });
  await webhookCollections(opened.db).lanes.updateMany({}, { $set: { wakeAt: time.clock.now() } });
  await expectOneOut(id, timesOf(id));
  expect(damaged).toBe(1);
  const now = await documents().findOne({ _id: id });
  if (wasDelivered) expect(now).toMatchObject({ state: "delivered" });
  else {
    const endReason = expect.stringMatching(/^its document is damaged: \w+/);
    expect(now).toMatchObject({ state: "failed", endReason });
  }
  expect(timesOf(id)).toBe(wasDelivered ? 1 : 0);
});

it("ends a delivery without a representable event, and sends the others", async () => {
  indescribable = DAMAGED;
  const id = webhookDeliveryId("wep_a", DAMAGED);
  await documents().deleteOne({ _id: webhookDeliveryId("wep_b", DAMAGED) });
  await work();
  expect(sent).toHaveLength(2 * EVENTS - 2);
  expect(damaged).toBe(1);
  expect(await documents().findOne({ _id: id })).toMatchObject({
    state: "failed",
    endReason: "its document is damaged: its event cannot be described: its subject is no subject",
  });
});
