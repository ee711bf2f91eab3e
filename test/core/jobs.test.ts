import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beginJob } from "../../src/core/jobs/begin-job.ts";
import { type JobKind, jobKind, MAX_STEP_ITEMS, type RunningJob } from "../../src/core/jobs/job-kind.ts";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import { fault } from "../../src/shared/fault.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { JobDocument } from "../../src/store/job-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { repetitions } from "../harness/repetitions.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";

const STEP = 10;
const log = createLogger("silent");

let opened: TestStore;
let store: Store;
let time: TestTime;
let ending: AbortController;
/** Number of effects by job and item. */
let effects: Map<string, number>;
/** Accounts in the order of their steps. */
let turns: string[];

beforeEach(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
  time = createTestTime();
  ending = new AbortController();
  effects = new Map();
  turns = [];
});
afterEach(() => opened.close());

/** Counts up to the requested number, ten at a time. */
const counting = jobKind<number>({
  kind: "test.count",
  prepare: async ({ params }) => ({ total: params.count as number, place: 0 }),
  step: async ({ _id, accountId, params }, place) => {
    const count = params.count as number;
    turns.push(accountId);
    const end = Math.min(place + STEP, count);
    const items = Array.from({ length: end - place }, (_, n) => String(place + n));
    for (const item of items) effects.set(`${_id}:${item}`, (effects.get(`${_id}:${item}`) ?? 0) + 1);
    const results = items.map((item) => ({ item, outcome: "done" as const }));
    return { results, next: end === count ? undefined : end };
  },
});

function runner(kinds: readonly JobKind[] = [counting], more: { leaseMs?: number; sliceMs?: number } = {}) {
  const { clock, timers } = time;
  const { jobs } = store.acrossAccounts;
  return createRunJobs({ jobs, kinds, clock, timers, log, signal: ending.signal, ...more });
}

const begin = (accountId: string, count: number, id?: string) =>
  beginJob(
    store.forAccount(accountId),
    {
      kind: "test.count",
      params: { count },
      about: { count: String(count) },
      permission: "messages.write",
      ...(id && { id }),
    },
    { audit: { ...testAudit, now: () => time.clock.now() } },
  );

async function jobOf({ accountId, _id }: JobDocument): Promise<JobDocument> {
  return (await store.forAccount(accountId).jobs.find(_id)) as JobDocument;
}

async function resultsOf({ accountId, _id }: JobDocument): Promise<string[]> {
  const documents = await store.forAccount(accountId).jobs.listResults(_id, { limit: 1_000 });
  return documents.flatMap(({ entries }) => entries.map(({ item }) => item));
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));

/** The holder of the lease has ended, and the lease has expired. */
async function runOut(): Promise<void> {
  await opened.db.collection("jobs").updateMany({}, { $set: { expiresAt: new Date(0) } });
}

describe("a job", () => {
  it("processes each item once, and reports it", async () => {
    const job = await begin("acc_1", 35);
    expect(job).toMatchObject({ state: "queued", done: 0 });
    await runner()();
    expect(await jobOf(job)).toMatchObject({ state: "succeeded", total: 35, done: 35, failed: 0, steps: 4 });
    expect(await resultsOf(job)).toEqual(numbers(35));
    expect([...effects.values()].every((times) => times === 1)).toBe(true);
    const kept = await jobOf(job);
    expect(kept.expireAt?.getTime()).toBe(time.clock.now().getTime() + 30 * 86_400_000);
    for (const field of ["slot", "turnAt", "holder"]) expect(kept).not.toHaveProperty(field);
  });

  it("is started once for one id", async () => {
    const [one, other] = await Promise.all([begin("acc_1", 3, "job_once"), begin("acc_1", 3, "job_once")]);
    expect(one._id).toBe(other._id);
    await runner()();
    expect((await begin("acc_1", 3, "job_once")).state).toBe("succeeded");
    expect(await opened.db.collection("auditEntries").countDocuments({ "target.id": "job_once" })).toBe(1);
  });

  it("is limited to ten open jobs per account, also with parallel starts", async () => {
    const begun = await Promise.allSettled(Array.from({ length: 25 }, () => begin("acc_1", 1)));
    expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    for (const one of begun)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "job.too_many" });
    await begin("acc_2", 1);
    await runner()();
    await begin("acc_1", 1);
  });

  it("does not delay jobs of other accounts, and ten of them delay no longer than one", async () => {
    const short = { sliceMs: 0 };
    for (let n = 0; n < 9; n++) await begin("acc_large", 200);
    time.pass(1);
    await begin("acc_small", 20);
    const kind = {
      ...counting,
      step: async (job: RunningJob, place: unknown) => {
        time.pass(5);
        return counting.step(job, place);
      },
    };
    await runner([kind], short)();
    const last = turns.lastIndexOf("acc_small");
    expect(last).toBeLessThanOrEqual(6);
    // The account's own jobs run in turn, too.
    const jobs = await store.forAccount("acc_large").jobs.list({ limit: 100 });
    expect(jobs.map(({ state }) => state)).toEqual(Array(9).fill("succeeded"));
  });

  it("continues at its cursor when its process has ended in the middle of a step", async () => {
    const job = await begin("acc_1", 40);
    const crash = new Promise<never>(() => undefined);
    let reached = () => {};
    const atCrash = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const dying: JobKind = {
      ...counting,
      step: async (running, place) => {
        if (place !== 20) return counting.step(running, place);
        reached();
        return crash;
      },
    };
    void runner([dying])();
    await atCrash;
    expect(await jobOf(job)).toMatchObject({ state: "running", done: 20 });
    // While its lease is valid, no other process runs it.
    await runner()();
    expect(await jobOf(job)).toMatchObject({ done: 20 });
    await runOut();
    await runner()();
    expect(await jobOf(job)).toMatchObject({ state: "succeeded", done: 40 });
    expect(await resultsOf(job)).toEqual(numbers(40));
  });

  it("refuses writes of a process that was suspended for longer than its lease", async () => {
    const job = await begin("acc_1", 40);
    let goOn = () => {};
    let reached = () => {};
    const stopped = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const atStop = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const slow: JobKind = {
      ...counting,
      step: async (running, place) => {
        const step = await counting.step(running, place);
        if (place === 20) {
          reached();
          await stopped;
          return { ...step, results: [{ item: "late", outcome: "failed" as const }] };
        }
        return step;
      },
    };
    const first = runner([slow])();
    await atStop;
    await runOut();
    await runner()();
    const done = await jobOf(job);
    goOn();
    await first;
    expect(done).toMatchObject({ state: "succeeded", done: 40, failed: 0 });
    expect(await jobOf(job)).toEqual(done);
    expect(await resultsOf(job)).toEqual(numbers(40));
  });

  it("has one runner at a time, with any number of runners", async () => {
    const jobs = await Promise.all([begin("acc_1", 95), begin("acc_2", 95), begin("acc_3", 95)]);
    await Promise.all(Array.from({ length: 6 }, () => runner([counting], { sliceMs: 0 })()));
    // One of them may have searched while another one was running it.
    await runner()();
    for (const job of jobs) {
      expect(await jobOf(job)).toMatchObject({ state: "succeeded", done: 95 });
      expect(await resultsOf(job)).toEqual(numbers(95));
    }
    expect([...effects.values()].filter((times) => times !== 1)).toEqual([]);
  });

  it("ends with its step when it is cancelled, and immediately if it has not started", async () => {
    const end = { finishedAt: time.clock.now(), cancelRequestedAt: time.clock.now(), expireAt: new Date() };
    const [running, waiting] = [await begin("acc_1", 100), await begin("acc_2", 100)];
    const { jobs } = store.forAccount("acc_2");
    expect(await jobs.requestCancel(waiting._id, end, testAudit)).toMatchObject({ state: "cancelled" });
    const kind: JobKind = {
      ...counting,
      step: async (job, place) => {
        if (place === 20) await store.forAccount("acc_1").jobs.requestCancel(running._id, end, testAudit);
        return counting.step(job, place);
      },
    };
    await runner([kind])();
    expect(await jobOf(running)).toMatchObject({ state: "cancelled", done: 30, total: 100 });
    expect(await resultsOf(running)).toEqual(numbers(30));
    expect(await jobOf(waiting)).toMatchObject({ state: "cancelled", done: 0 });
    // Requested again, without another effect.
    expect(await jobs.requestCancel(waiting._id, end, testAudit)).toMatchObject({ state: "cancelled" });
  });

  it("fails with the refusal of its kind, and waits while the store is unavailable", async () => {
    const job = await begin("acc_1", 100);
    let thrown: Error | undefined = fault("store.unavailable");
    const kind: JobKind = {
      ...counting,
      step: async (running, place) => {
        if (place === 10 && thrown) throw thrown;
        return counting.step(running, place);
      },
    };
    for (let n = 0; n < 30; n++) {
      await runner([kind])();
      time.pass(60_000);
    }
    expect(await jobOf(job)).toMatchObject({ state: "running", done: 10 });
    thrown = fault("policy.unknown");
    await runner([kind])();
    expect(await jobOf(job)).toMatchObject({ state: "failed", failure: { code: "policy.unknown" } });
    thrown = undefined;
  });

  it("fails when it never makes progress, and not before", async () => {
    const job = await begin("acc_1", 100);
    let attempts = 0;
    const kind: JobKind = {
      ...counting,
      step: async () => {
        attempts++;
        throw new Error("out of order");
      },
    };
    for (let n = 0; n < 20; n++) {
      await runner([kind])();
      // Not retried immediately.
      await runner([kind])();
      expect(attempts).toBeLessThanOrEqual(n + 1);
      time.pass(60_000);
    }
    expect(attempts).toBe(13);
    expect(await jobOf(job)).toMatchObject({ state: "failed", failure: { code: "internal.error" } });
  });

  it("does not end processes repeatedly", async () => {
    const job = await begin("acc_1", 100);
    const { jobs } = store.acrossAccounts;
    for (let n = 0; n < 12; n++) {
      const turn = { kinds: ["test.count"], holder: "dies", leaseMs: 10_000, now: time.clock.now() };
      expect(await jobs.take(turn)).not.toBeNull();
      await runOut();
    }
    await runner()();
    expect(await jobOf(job)).toMatchObject({ state: "failed", failure: { code: "internal.error" } });
  });

  it("waits for a process that knows its kind", async () => {
    const job = await begin("acc_1", 10);
    await runner([{ ...counting, kind: "test.other" }])();
    expect(await jobOf(job)).toMatchObject({ state: "queued", takes: 0 });
  });

  it("keeps its cursor when the process must end, and loses no attempt by it", async () => {
    const job = await begin("acc_1", 40);
    const kind: JobKind = {
      ...counting,
      step: async (running, place) => {
        if (place !== 20) return counting.step(running, place);
        ending.abort(new Error("told to end"));
        running.signal.throwIfAborted();
        throw new Error("the signal was not aborted");
      },
    };
    await runner([kind])();
    expect(await jobOf(job)).toMatchObject({ state: "running", done: 20 });
    ending = new AbortController();
    await runner()();
    expect(await jobOf(job)).toMatchObject({ state: "succeeded", done: 40 });
  });

  it("keeps its lease for the duration of a step", async () => {
    const job = await begin("acc_1", 20);
    const kind: JobKind = {
      ...counting,
      step: async (running, place) => {
        // Real time, by the store's clock: the test advances the process's own clock, and each fifth of it renews the
        // lease.
        for (let n = 0; n < 10; n++) {
          time.pass(200);
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(running.signal.aborted).toBe(false);
        return counting.step(running, place);
      },
    };
    await runner([kind], { leaseMs: 60_000 })();
    expect(await jobOf(job)).toMatchObject({ state: "succeeded", done: 20 });
  });

  it("refuses a step with more results than a document can contain", async () => {
    const job = await begin("acc_1", 1);
    const results = Array.from({ length: MAX_STEP_ITEMS + 1 }, (_, n) => ({
      item: String(n),
      outcome: "done" as const,
    }));
    await runner([{ ...counting, step: async () => ({ results, next: undefined }) }])();
    expect(await jobOf(job)).toMatchObject({ state: "running", done: 0 });
    expect(await resultsOf(job)).toEqual([]);
  });
});

describe("a job with a damaged document", () => {
  const documents = () => opened.db.collection<{ _id: string } & Record<string, unknown>>("jobs");
  const fields = [
    ...["kind", "params", "about", "permission", "startedBy", "state", "total", "done", "skipped", "failed"],
    ...["place", "steps", "createdAt", "startedAt", "cancelRequestedAt", "slot", "ranAt", "holder", "epoch"],
    "takes",
  ];
  const value = fc.oneof(
    fc.constantFrom<unknown>(null, "", "x", 0, -1, 2.5, 9e15, Number.NaN, true, [], {}, [1], { a: 1 }),
    fc.constantFrom<unknown>(new Date(0), new Date(8.64e15), "running", "succeeded", "test.count"),
  );

  it("ends or is completed, and does not delay others", { timeout: 110_000 }, async () => {
    let damaged = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fields), value, fc.boolean(), async (field, to, isBegun) => {
        await documents().deleteMany({});
        effects = new Map();
        const job = await begin("acc_1", 30);
        const { clock, timers } = time;
        const { jobs } = store.acrossAccounts;
        const once = { sliceMs: 0, onDamaged: () => damaged++ };
        const run = createRunJobs({
          jobs,
          kinds: [counting],
          clock,
          timers,
          log,
          signal: ending.signal,
          ...once,
        });
        if (isBegun) {
          const taken = await jobs.take({ kinds: ["test.count"], holder: "a", leaseMs: 0, now: clock.now() });
          if (taken)
            await jobs.save(taken, {
              set: { state: "running", startedAt: clock.now(), total: 30, place: 0 },
            });
          await runOut();
        }
        await documents().updateOne({ _id: job._id }, { $set: { [field]: to } });
        const other = await begin("acc_2", 20);
        // A failing job is retried for a while, with increasing waits.
        const waits = () => documents().countDocuments({ turnAt: { $gte: new Date(0) }, kind: "test.count" });
        for (let turn = 0; turn < 16 && (await waits()) > 0; turn++) {
          await run();
          time.pass(120_000);
        }
        expect(await jobOf(other)).toMatchObject({ state: "succeeded", done: 20 });
        const [now] = await documents().find({ _id: job._id }).toArray();
        const isOver = now?.turnAt === undefined;
        expect(isOver || field === "kind").toBe(true);
        for (const [item, times] of effects) expect([item, times <= 2]).toEqual([item, true]);
      }),
      { numRuns: repetitions(20, 40) },
    );
    expect(damaged).toBeGreaterThan(0);
  });

  it("fails with the damaged field", async () => {
    const job = await begin("acc_1", 30);
    await documents().updateOne({ _id: job._id }, { $set: { epoch: "x" } });
    await runner()();
    expect(await jobOf(job)).toMatchObject({
      state: "failed",
      failure: { code: "internal.error", message: expect.stringContaining("epoch: it is") },
    });
  });
});
