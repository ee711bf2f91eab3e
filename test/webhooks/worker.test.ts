import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import { createEventLog } from "../../src/store/event-log.ts";
import type { JournalEntry } from "../../src/store/journal/journal-documents.ts";
import { createStore } from "../../src/store/store.ts";
import {
  type WebhookDeliveryDocument,
  type WebhookQueueDocument,
  webhookCollections,
  webhookDeliveryId,
} from "../../src/store/webhook-delivery-documents.ts";
import type { WebhookDisabled, WebhookEndpointDocument } from "../../src/store/webhook-documents.ts";
import { createWebhookOutbox } from "../../src/store/webhook-outbox.ts";
import type { Attempted } from "../../src/webhooks/attempt.ts";
import { createPace } from "../../src/webhooks/pace.ts";
import {
  createWebhookWorker,
  type WebhookWorker,
  type WebhookWorkerOptions,
} from "../../src/webhooks/worker.ts";

import { endpointDocument } from "../harness/expected-deliveries.ts";
import { testSealing } from "../harness/sealing.ts";
import { createGate, createSignal } from "../harness/signal.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";

const ACCOUNT = "acc_1";
const HOUR_MS = 3_600_000;

let opened: TestStore;
let time: TestTime;
let endpoints: Map<string, WebhookEndpointDocument>;
let disabled: { readonly id: string; readonly reason: string }[];
let workers: WebhookWorker[];

beforeEach(async () => {
  opened = await openTestStore();
  time = createTestTime(Date.UTC(2030, 0, 1));
  endpoints = new Map();
  disabled = [];
  workers = [];
});
afterEach(async () => {
  for (const worker of workers) await worker.stop(0);
  await opened.close();
});

async function addEndpoint(id: string, changes: Partial<WebhookEndpointDocument> = {}): Promise<void> {
  const endpoint = endpointDocument({ _id: id, accountId: ACCOUNT, ...changes });
  endpoints.set(id, endpoint);
  await webhookCollections(opened.db).endpoints.insertOne(endpoint);
}

async function change(id: string, changes: Partial<WebhookEndpointDocument>): Promise<void> {
  const endpoint = endpoints.get(id);
  if (endpoint) endpoints.set(id, { ...endpoint, ...changes });
}

const entry = (number: number): JournalEntry => ({
  eventId: `msg_${number}.1.delivered`,
  messageId: `msg_${number}`,
  accountId: ACCOUNT,
  kind: "delivered",
  at: time.clock.now(),
  attempt: 1,
});

async function happen(from: number, count: number): Promise<void> {
  await createWebhookOutbox(opened.db, createEventLog(opened.db)).add(
    Array.from({ length: count }, (_, number) => entry(from + number)),
  );
}

type Attempt = (endpointId: string, deliveryId: string) => Promise<Pick<Attempted, "verdict" | "dueAt">>;

function start(attempt: Attempt, options: Partial<WebhookWorkerOptions> = {}): WebhookWorker {
  const worker = createWebhookWorker({
    deliveries: createStore(opened.db, testSealing).acrossAccounts.webhookDeliveries,
    endpoints: {
      findByIds: async (ids) => ids.flatMap((id) => endpoints.get(id) ?? []),
      async disable(id: string, revision: number, how: WebhookDisabled) {
        const endpoint = endpoints.get(id);
        if (!endpoint || endpoint.revision !== revision) return false;
        endpoints.set(id, { ...endpoint, disabled: how, revision: revision + 1 });
        return true;
      },
    },
    composeBodies: async (due) => due.map(({ eventId }) => `{"of":"${eventId}"}`),
    async attempt(endpoint, { eventId }) {
      const done = await attempt(endpoint._id, webhookDeliveryId(endpoint._id, eventId));
      const tried = { at: time.clock.now(), durationMs: 1, url: endpoint.url, detail: done.verdict };
      return { ...done, tried };
    },
    onDisabled: async ({ _id: id }, { reason }) => void disabled.push({ id, reason }),
    onDamaged: () => undefined,
    pace: createPace({ mailAttempts: () => 0 }),
    held: () => Array.from({ length: 64 }, (_, partition) => partition),
    partitionCount: 64,
    keptMs: HOUR_MS,
    abandon: () => undefined,
    clock: time.clock,
    log: createLogger("silent"),
    ...options,
  });
  workers.push(worker);
  return worker;
}

const neverAttempted: Attempt = () => Promise.reject(new Error("there is nothing to send"));

const deliveries = (): Promise<WebhookDeliveryDocument[]> =>
  webhookCollections(opened.db).deliveries.find().sort({ _id: 1 }).toArray();
const lane = (id: string): Promise<WebhookQueueDocument | null> =>
  webhookCollections(opened.db).lanes.findOne({ _id: id });

/** Runs the worker until nothing is in progress. */
async function work(worker: WebhookWorker): Promise<void> {
  await worker.check();
  await worker.idle();
}

const taken = { verdict: "taken" } as const;

describe("deliveries to endpoints", () => {
  it("sends each once, and then rests", async () => {
    await addEndpoint("wep_a");
    await addEndpoint("wep_b");
    await happen(0, 120);
    const tried: string[] = [];
    const worker = start(async (_, id) => {
      tried.push(id);
      return taken;
    });
    await work(worker);
    expect(tried.length).toBe(240);
    expect(new Set(tried).size).toBe(240);
    const found = await deliveries();
    expect(
      found.every(({ state, attempts, dueAt }) => state === "delivered" && attempts === 1 && !dueAt),
    ).toBe(true);
    expect(found[0]).toMatchObject({ body: `{"of":"msg_0.1.delivered"}`, endedAt: time.clock.now() });
    expect(found[0]?.expireAt).toEqual(new Date(time.clock.now().getTime() + HOUR_MS));
    for (const id of ["wep_a", "wep_b"]) expect((await lane(id))?.wakeAt).toBeUndefined();
    await work(worker);
    expect(tried.length).toBe(240);
  });

  it("keeps the rate of the endpoint, also for deliveries that wait when it changes", async () => {
    await addEndpoint("wep_a", { ratePerSecond: 4 });
    await happen(0, 30);
    const begun: number[] = [];
    const worker = start(
      async () => {
        begun.push(time.clock.monotonicMs());
        if (begun.length === 10) await change("wep_a", { ratePerSecond: 1 });
        return taken;
      },
      { sleep: async (ms) => time.pass(ms) },
    );
    await work(worker);
    expect(begun).toHaveLength(30);
    const inSecond = (ms: number) => begun.filter((at) => at >= ms && at < ms + 1_000).length;
    expect(Math.max(...begun.map(inSecond))).toBeLessThanOrEqual(5);
    // The endpoint is read again after two seconds.
    const tenth = begun[9] ?? 0;
    expect(Math.max(...begun.filter((at) => at > tenth + 3_000).map(inSecond))).toBeLessThanOrEqual(2);
    expect((begun.at(-1) ?? 0) - tenth).toBeGreaterThan(10_000);
    // The rate outlives the run of the queue.
    await happen(30, 2);
    await work(worker);
    expect((begun[30] ?? 0) - (begun[29] ?? 0)).toBeGreaterThanOrEqual(900);
  });

  it("that was the last attempt is published to the other endpoints, and an outage once", async () => {
    await addEndpoint("wep_a", { types: ["message.delivered"] });
    await addEndpoint("wep_b", { types: ["webhook.failing", "webhook.exhausted", "webhook.recovered"] });
    await happen(0, 3);
    let isWell = false;
    const worker = start(async (endpointId) => {
      if (endpointId === "wep_b" || isWell) return taken;
      const [first] = await deliveries();
      const dueAt = new Date(time.clock.now().getTime() + 60_000);
      return (first?.attempts ?? 0) < 9 ? { verdict: "retry", dueAt } : { verdict: "retry" };
    });
    for (let n = 0; n < 12; n++) {
      await work(worker);
      time.pass(61_000);
    }
    isWell = true;
    await happen(3, 1);
    for (let n = 0; n < 2; n++) await work(worker);
    const told = (await deliveries()).filter(({ endpointId }) => endpointId === "wep_b");
    const types = told.map(({ type }) => type);
    expect(types.filter((type) => type === "webhook.failing")).toHaveLength(1);
    expect(types.filter((type) => type === "webhook.recovered")).toHaveLength(1);
    const failed = (await deliveries()).filter(({ state }) => state === "failed");
    expect(failed.length).toBeGreaterThan(0);
    expect(types.filter((type) => type === "webhook.exhausted")).toHaveLength(failed.length);
    expect(told.every(({ state }) => state === "delivered")).toBe(true);
  });

  it("is retried when it is due, with the same id and body", async () => {
    await addEndpoint("wep_a");
    await happen(0, 1);
    const dueAt = new Date(time.clock.now().getTime() + 5_000);
    const worker = start(async () =>
      (await deliveries())[0]?.attempts ? taken : { verdict: "retry", dueAt },
    );
    await work(worker);
    expect(await deliveries()).toMatchObject([{ state: "pending", attempts: 1, dueAt }]);
    expect((await lane("wep_a"))?.wakeAt).toEqual(dueAt);
    time.pass(4_000);
    await work(worker);
    expect(await deliveries()).toMatchObject([{ attempts: 1 }]);
    time.pass(1_000);
    await work(worker);
    expect(await deliveries()).toMatchObject([{ state: "delivered", attempts: 2, tries: [{}, {}] }]);
  });

  it("fails after the last attempt", async () => {
    await addEndpoint("wep_a");
    await happen(0, 1);
    await work(start(async () => ({ verdict: "retry" })));
    expect(await deliveries()).toMatchObject([{ state: "failed", attempts: 1, endedAt: time.clock.now() }]);
  });

  it("that fails prepares few bodies, however many deliveries wait", async () => {
    await addEndpoint("wep_a");
    await happen(0, 300);
    const composed: number[] = [];
    const dueAt = new Date(time.clock.now().getTime() + HOUR_MS);
    const worker = start(async () => ({ verdict: "retry", dueAt }), {
      composeBodies: async (due) => {
        composed.push(due.length);
        return due.map(() => "{}");
      },
    });
    await work(worker);
    const [first = 0, ...others] = composed;
    expect([first, Math.max(...others)]).toEqual([100, 4]);
    expect((await deliveries()).every(({ attempts }) => attempts === 1)).toBe(true);
  });

  it("is dropped if its event no longer exists", async () => {
    await addEndpoint("wep_a");
    await happen(0, 1);
    await work(start(neverAttempted, { composeBodies: async (due) => due.map(() => undefined) }));
    expect(await deliveries()).toMatchObject([{ state: "dropped", attempts: 0, tries: [] }]);
  });

  it("misses nothing that is added while an endpoint comes to rest", async () => {
    await addEndpoint("wep_a");
    await happen(0, 1);
    const { acrossAccounts } = createStore(opened.db, testSealing);
    const real = acrossAccounts.webhookDeliveries;
    let added = 1;
    const worker = start(async () => taken, {
      deliveries: {
        ...real,
        async due(...query) {
          const found = await real.due(...query);
          // Nothing is due, and before that is recorded, more is added.
          if (found.documents.length === 0 && added < 6) await happen(added++, 1);
          return found;
        },
      },
    });
    await work(worker);
    const found = await deliveries();
    expect([found.length, found.every(({ state }) => state === "delivered")]).toEqual([6, true]);
  });

  it("does not delay others because of a hanging endpoint", async () => {
    await addEndpoint("wep_hangs");
    await addEndpoint("wep_well");
    await happen(0, 100);
    let release: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hung = 0;
    const worker = start(async (id) => {
      if (id === "wep_well") return taken;
      hung++;
      await hanging;
      return taken;
    });
    await worker.check();
    await expect
      .poll(async () => (await deliveries()).filter(({ state }) => state === "delivered").length)
      .toBe(100);
    expect(hung).toBeLessThanOrEqual(10);
    release();
    await worker.idle();
    expect((await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
  });
});

describe("an account", () => {
  const idsOf = (account: string, count: number) =>
    Array.from({ length: count }, (_, n) => `wep_${account}_${n}`);

  it("with 100 hanging endpoints delays no other account", async () => {
    const hanging = idsOf("hangs", 100);
    for (const id of hanging) await addEndpoint(id);
    await happen(0, 20);
    const hung = createSignal<string>();
    const released = createGate();
    const worker = start(async (id) => {
      if (id === "wep_well") return taken;
      hung.tell(id);
      await released.opened;
      return { verdict: "retry", dueAt: new Date(time.clock.now().getTime() + HOUR_MS) };
    });
    await worker.check();
    await hung.until(100);
    await addEndpoint("wep_well", { accountId: "acc_2" });
    await createWebhookOutbox(opened.db, createEventLog(opened.db)).add(
      Array.from({ length: 50 }, (_, number) => ({ ...entry(1_000 + number), accountId: "acc_2" })),
    );
    await worker.check();
    await expect
      .poll(async () => (await deliveries()).filter(({ state }) => state === "delivered").length)
      .toBe(50);
    // One for each: none has accepted anything.
    expect(hung.seen.length).toBe(100);
    released.open();
    worker.drain();
    await worker.idle();
  });

  it("with more hanging endpoints than are processed at once gives others their turn", async () => {
    for (const id of idsOf("hangs", 12)) await addEndpoint(id);
    await happen(0, 100);
    const tries = createSignal<string>();
    const worker = start(
      async (id) => {
        time.pass(1_500);
        tries.tell(id);
        if (id === "wep_well") return taken;
        return { verdict: "retry", dueAt: new Date(time.clock.now().getTime() + 100 * HOUR_MS) };
      },
      { maxQueues: 4 },
    );
    /** A lane may end its turn without another attempt. Then only a new search starts one. */
    const lookUntil = async (isOver: () => boolean) => {
      while (!isOver()) {
        const next = tries.next();
        await worker.check();
        await Promise.race([next, worker.idle()]);
      }
    };
    await lookUntil(() => tries.seen.length >= 8);
    await addEndpoint("wep_well", { accountId: "acc_2" });
    await createWebhookOutbox(opened.db, createEventLog(opened.db)).add([
      { ...entry(1_000), accountId: "acc_2" },
    ]);
    const before = tries.seen.length;
    await lookUntil(() => tries.seen.includes("wep_well") || tries.seen.length >= 1_200);
    // Every endpoint that waited before had one turn, and none had two.
    expect(tries.seen).toContain("wep_well");
    expect(tries.seen.length - before).toBeLessThan(200);
    worker.drain();
    await worker.idle();
  });
});

describe("an endpoint", () => {
  it("that answers 410 receives nothing more", async () => {
    await addEndpoint("wep_a");
    await happen(0, 30);
    let tried = 0;
    await work(
      start(async () => {
        tried++;
        return { verdict: "gone" };
      }),
    );
    expect(disabled).toEqual([{ id: "wep_a", reason: "gone" }]);
    expect(tried).toBeLessThanOrEqual(10);
    const found = await deliveries();
    expect(found.every(({ state, dueAt }) => state === "failed" && !dueAt)).toBe(true);
    expect(found.filter(({ endReason }) => endReason?.startsWith("the endpoint is disabled")).length).toBe(
      30 - tried,
    );
  });

  it("that was removed or disabled by its owner receives nothing, and its pending deliveries end", async () => {
    await addEndpoint("wep_a");
    await addEndpoint("wep_b");
    await happen(0, 3);
    endpoints.delete("wep_a");
    const how = { at: time.clock.now(), reason: "owner", detail: "by its owner" } as const;
    endpoints.set("wep_b", { ...(endpoints.get("wep_b") as WebhookEndpointDocument), disabled: how });
    await work(start(async () => expect.unreachable()));
    const states = (await deliveries()).map(({ state }) => state);
    expect(states).toEqual([..."aaa"].map(() => "dropped").concat([..."bbb"].map(() => "failed")));
  });

  it("that only fails is disabled after five days, and not before", async () => {
    await addEndpoint("wep_a");
    const worker = start(async () => ({ verdict: "retry" }));
    for (let day = 0; day < 5; day++) {
      await happen(day, 1);
      await work(worker);
      expect([day, disabled]).toEqual([day, []]);
      time.pass(24 * HOUR_MS);
    }
    await happen(5, 1);
    await work(worker);
    expect(disabled).toEqual([{ id: "wep_a", reason: "failing" }]);
  });

  it("that accepts a delivery in between, or has none for a long time, starts a new period", async () => {
    await addEndpoint("wep_a");
    let isWell = false;
    const worker = start(async () => (isWell ? taken : { verdict: "retry" }));
    for (let day = 0; day < 12; day++) {
      isWell = day === 4;
      await happen(day, 1);
      await work(worker);
      // Two failures with this distance are no continuous failure.
      time.pass((day === 8 ? 48 : 24) * HOUR_MS);
    }
    expect(disabled).toEqual([]);
    expect((await lane("wep_a"))?.failingSince).toBeDefined();
  });
});

describe("several workers", () => {
  it("process an endpoint's deliveries only while they hold it", async () => {
    await addEndpoint("wep_a");
    await happen(0, 60);
    const all = Array.from({ length: 64 }, (_, partition) => partition);
    let holder = 0;
    const tried: [number, string][] = [];
    const make = (self: number) =>
      start(
        async (_, id) => {
          tried.push([self, id]);
          if (tried.length === 20) holder = 1;
          return taken;
        },
        { held: () => (holder === self ? all : []) },
      );
    const [first, second] = [make(0), make(1)];
    await work(second);
    expect(tried).toEqual([]);
    await work(first);
    const byFirst = tried.length;
    expect(byFirst).toBeLessThan(32);
    await work(second);
    expect(tried.slice(byFirst).every(([self]) => self === 1)).toBe(true);
    expect(new Set(tried.map(([, id]) => id)).size).toBe(60);
    expect((await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
  });

  it("continue deliveries that one has left in progress, and its late result changes nothing", async () => {
    await addEndpoint("wep_a");
    await happen(0, 1);
    let release: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    const paused = start(async () => {
      await late;
      return { verdict: "retry" };
    });
    await paused.check();
    await work(start(async () => taken));
    release();
    await paused.idle();
    expect(await deliveries()).toMatchObject([
      { state: "delivered", attempts: 1, tries: [{ detail: "taken" }] },
    ]);
  });

  it("leave results that could not be written for the next search", async () => {
    await addEndpoint("wep_a");
    await happen(0, 5);
    const real = createStore(opened.db, testSealing).acrossAccounts.webhookDeliveries;
    let isAway = true;
    const worker = start(async () => taken, {
      deliveries: {
        ...real,
        record: (results) => (isAway ? Promise.reject(new Error("the store is away")) : real.record(results)),
      },
    });
    await work(worker);
    expect((await deliveries()).every(({ state, attempts }) => state === "pending" && attempts === 0)).toBe(
      true,
    );
    isAway = false;
    await work(worker);
    expect((await deliveries()).some(({ state }) => state === "delivered")).toBe(false);
    time.pass(5_000);
    await work(worker);
    expect((await deliveries()).every(({ state, attempts }) => state === "delivered" && attempts === 1)).toBe(
      true,
    );
  });
});

describe("an endpoint with ordered delivery", () => {
  const MESSAGES = 12;
  const KINDS = ["accepted", "deferred", "delivered", "opened"] as const;
  /** Events at the same time, too, and not in the order of their ids. */
  async function live(): Promise<void> {
    const at = time.clock.now();
    const entries = Array.from({ length: MESSAGES }, (_, number) =>
      KINDS.map((kind, attempt) => ({
        messageId: `msg_${number}`,
        eventId: `msg_${number}.${attempt * 4}.${kind}`,
        kind,
        attempt,
        accountId: ACCOUNT,
        at: new Date(at.getTime() + Math.floor(attempt / 2)),
      })),
    ).flat();
    await createWebhookOutbox(opened.db, createEventLog(opened.db)).add(entries.toReversed());
  }

  it("receives them in order despite failures, and events of other messages do not wait", async () => {
    await addEndpoint("wep_o", { ordered: true });
    await live();
    time.pass(10);
    const order = new Map<string, string[]>();
    const underWay = new Set<string>();
    let overlaps = 0;
    const failures = new Map<string, number>();
    const worker = start(async (_, id) => {
      const [, messageId = "", attempt = ""] = id.split(".");
      if (underWay.has(messageId)) overlaps++;
      underWay.add(messageId);
      await new Promise((resolve) => setImmediate(resolve));
      underWay.delete(messageId);
      // The second of the odd ones fails twice.
      const times = failures.get(id) ?? 0;
      if (Number(messageId.slice(4)) % 2 === 1 && attempt === "4" && times < 2) {
        failures.set(id, times + 1);
        return { verdict: "retry", dueAt: new Date(time.clock.now().getTime() + 60_000) };
      }
      order.set(messageId, [...(order.get(messageId) ?? []), attempt]);
      return taken;
    });
    await work(worker);
    const told = () => [...order.values()].map((attempts) => attempts.join(" "));
    // Waiting events do not block the others.
    expect(told().filter((one) => one === "0 4 8 12")).toHaveLength(MESSAGES / 2);
    expect(told().filter((one) => one === "0")).toHaveLength(MESSAGES / 2);
    for (let turn = 0; turn < 3; turn++) {
      time.pass(61_000);
      await work(worker);
    }
    expect(told()).toEqual(Array(MESSAGES).fill("0 4 8 12"));
    expect(overlaps).toBe(0);
    expect((await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
  });

  it("continues after one has failed permanently", async () => {
    await addEndpoint("wep_o", { ordered: true });
    await live();
    time.pass(10);
    const told: string[] = [];
    const worker = start(async (_, id) => {
      if (id.endsWith(".4.deferred")) return { verdict: "retry" };
      told.push(id);
      return taken;
    });
    await work(worker);
    expect(told).toHaveLength(MESSAGES * 3);
    expect((await deliveries()).filter(({ state }) => state === "failed")).toHaveLength(MESSAGES);
  });
});
