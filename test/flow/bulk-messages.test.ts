import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Job } from "../../gen/hermod/job/v1/job_service_pb.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createStore } from "../../src/store/store.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { type SharedStore, startSharedStore } from "../harness/shared-store.ts";
import {
  eventually,
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";
import { openStoreClient, type StoreClient } from "../harness/store-client.ts";

/** The whole number is 20,000: see docs/how-to/contributing.md. */
const MESSAGES = Number(process.env.HERMOD_TEST_BULK_MESSAGES ?? 4_000);
const AT_ONCE = 1_000;
/** Includes the expiry of a lease on a busy machine. */
const PATIENCE_MS = 120_000;

let shared: SharedStore;
let first: Hermod;
let second: HermodProcess;
let stored: StoreClient;
let accountId: string;

beforeEach(async () => {
  shared = await startSharedStore();
  const settings = { ...shared.settings, HERMOD_GRPC_TOKEN: "t".repeat(43) };
  first = await startHermod({ settings, roles: "core" });
  stored = openStoreClient(first);
  const { accounts } = await first.core.accounts.listAccounts({});
  accountId = accounts[0]?.id ?? "";
});
afterEach(async () => {
  await second?.kill();
  await removeData({ HERMOD_DATA_DIR: second?.env.HERMOD_DATA_DIR });
  await stored.close();
  await first.dispose();
  await shared.close();
});

/** Starts another core on the same store, which immediately shares the work. */
async function join(): Promise<HermodProcess> {
  const own = await newSettings();
  const { HERMOD_DATA_DIR } = own;
  second = await startProcess({ ...first.env, ...own, HERMOD_DATA_DIR, ...shared.settings }, "core");
  return second;
}

/** Schedules messages for tomorrow. */
async function schedule(count: number): Promise<void> {
  const at = new Date(Date.now() - 10_000);
  const nextAttemptAt = new Date(Date.now() + 86_400_000);
  for (let from = 0; from < count; from += AT_ONCE) {
    const messages = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) =>
      queuedMessage(at, {
        _id: newIdInBucket("msg", new Date(at.getTime() - from), n),
        accountId,
        state: "scheduled",
        nextAttemptAt,
      }),
    );
    await createStore(stored.db, testSealing).acrossAccounts.messages.insertMany(messages);
  }
}

async function cancelAll(): Promise<string> {
  const { messages } = first.core;
  const ask = { action: "cancel", filter: { states: ["scheduled"] } };
  const counted = await messages.countBulk({ bulk: ask });
  // On a busy machine, the time limit for counting may be reached before.
  expect(counted.hasMore || counted.count === MESSAGES).toBe(true);
  const { confirmation } = counted;
  const { job } = await messages.beginBulk({ bulk: ask, confirmation });
  return job?.id ?? "";
}

type JobState = Pick<Job, "state" | "done" | "skipped" | "failed" | "total">;

/** The stored job, independent of any process. */
const jobOf = (id: string) =>
  stored.db.collection<JobState & { _id: string; holder?: string }>("jobs").findOne({ _id: id });

/** A running job between two of its steps, as far as visible from outside. */
const underWay = (id: string) =>
  eventually(async () => {
    const job = await jobOf(id);
    if (job?.state === "succeeded") throw new Error("the job was done before anything happened to it");
    return job && job.done > 0 && job.done < MESSAGES ? job : undefined;
  }, PATIENCE_MS);

async function checkEachOnce(id: string): Promise<void> {
  const { db } = stored;
  expect(await jobOf(id)).toMatchObject({ state: "succeeded", total: MESSAGES, done: MESSAGES, skipped: 0 });
  const results = await db.collection("jobResults").find({ jobId: id }).toArray();
  const items = results.flatMap(({ entries }) => entries as { item: string; outcome: string }[]);
  expect(items.map(({ outcome }) => outcome)).toEqual(Array(MESSAGES).fill("done"));
  expect(new Set(items.map(({ item }) => item)).size).toBe(MESSAGES);
  expect(await db.collection("messages").countDocuments({ state: "cancelled" })).toBe(MESSAGES);
  expect(await db.collection("events").countDocuments({ kind: "cancelled" })).toBe(MESSAGES);
}

const untilDone = (id: string) =>
  eventually(async () => ((await jobOf(id))?.state === "succeeded" ? true : undefined), PATIENCE_MS);

it("finishes a bulk action in another process after a kill halfway, with each message once", async () => {
  await schedule(MESSAGES);
  const id = await cancelAll();
  const { done } = await underWay(id);
  await first.kill();
  const before = await jobOf(id);
  expect(before?.state).toBe("running");
  expect(before?.done).toBeGreaterThanOrEqual(done);
  await join();
  await untilDone(id);
  await checkEachOnce(id);
});

it("takes the job from a process that is suspended for longer than its time slice, which writes nothing late", async () => {
  await schedule(MESSAGES);
  const id = await cancelAll();
  await underWay(id);
  process.kill(first.pid, "SIGSTOP");
  try {
    await join();
    await untilDone(id);
  } finally {
    process.kill(first.pid, "SIGCONT");
  }
  const after = await jobOf(id);
  // When it answers again, it has continued its pending work.
  await eventually(async () => {
    const { job } = await first.core.jobs.getJob({ id }).catch(() => ({ job: undefined }));
    return job?.state === "succeeded" || undefined;
  });
  await sleep(2_000);
  expect(await jobOf(id)).toEqual(after);
  await checkEachOnce(id);
});

it("executes a job once with two cores, and stops a cancelled one", async () => {
  await schedule(MESSAGES);
  const other = await join();
  const id = await cancelAll();
  await underWay(id);
  const { job } = await first.core.jobs.cancelJob({ id });
  expect(job?.cancelRequestedAt).toBeDefined();
  const ended = await eventually(async () => {
    const now = await jobOf(id);
    return now?.state === "cancelled" ? now : undefined;
  }, PATIENCE_MS);
  expect(ended.done).toBeLessThan(MESSAGES);
  const cancelled = await stored.db.collection("messages").countDocuments({ state: "cancelled" });
  expect(cancelled).toBe(ended.done);
  // Another job does the rest, in any process.
  const ask = { action: "cancel", filter: { states: ["scheduled"] } };
  const { confirmation } = await first.core.messages.countBulk({ bulk: ask });
  const { job: rest } = await first.core.messages.beginBulk({ bulk: ask, confirmation });
  await untilDone(rest?.id ?? "");
  expect(await jobOf(rest?.id ?? "")).toMatchObject({ done: MESSAGES - ended.done, skipped: 0 });
  expect(await stored.db.collection("events").countDocuments({ kind: "cancelled" })).toBe(MESSAGES);
  expect(other.hasEnded()).toBe(false);
});
