import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import { bulkActions } from "../../src/core/messages/bulk-actions.ts";
import { createBulkJob } from "../../src/core/messages/bulk-job.ts";
import { cancelledEvent } from "../../src/events/message-event.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createStore } from "../../src/store/store.ts";
import { applyTransitions } from "../harness/apply-transitions.ts";
import { failingDb } from "../harness/failing-db.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let identity: Identity;
let accountId: string;
let owner: AreaClients;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1_000);
  accountId = await identity.openAccount();
  owner = identity.as({ session: (await identity.memberOf(accountId)).token });
});

const now = () => identity.time.clock.now();
const later = () => new Date(now().getTime() + HOUR_MS);

/** Scheduled messages, unless the changes differ. */
async function stored(count: number, changes: Partial<MessageDocument> = {}): Promise<string[]> {
  const at = now();
  const messages = Array.from({ length: count }, (_, n) =>
    queuedMessage(at, {
      _id: newIdInBucket("msg", at, n),
      accountId,
      state: "scheduled",
      nextAttemptAt: later(),
      tags: ["spring"],
      ...changes,
    }),
  );
  await identity.store.acrossAccounts.messages.insertMany(messages);
  // Counted messages are older than the count.
  identity.time.pass(1);
  return messages.map(({ _id }) => _id).toSorted();
}

function runner({ waitMs = 10_000, store = identity.store } = {}): () => Promise<void> {
  const { time } = identity;
  const actions = bulkActions({
    store,
    clock: time.clock,
    retentionMs: DAY_MS,
    waitMs,
    resend: identity.resendOn(store),
  });
  const parts = { clock: time.clock, timers: time.timers, log: createLogger("silent") };
  return createRunJobs({
    jobs: store.acrossAccounts.jobs,
    kinds: [createBulkJob({ store, actions })],
    signal: new AbortController().signal,
    ...parts,
  });
}

const spring = { action: "cancel", filter: { tags: ["spring"] } };

async function confirmed(bulk: Parameters<AreaClients["messages"]["countBulk"]>[0]["bulk"] = spring) {
  const { confirmation } = await owner.messages.countBulk({ bulk });
  const { job } = await owner.messages.beginBulk({ bulk, confirmation });
  return job?.id ?? "";
}

const jobOf = async (id: string) => (await owner.jobs.getJob({ id })).job;
async function resultsOf(id: string) {
  return (await owner.jobs.listResults({ id, pageSize: 1_000 })).results;
}
async function states(ids: readonly string[]): Promise<string[]> {
  const found = await identity.store.acrossAccounts.messages.findByIds(ids);
  return found.map(({ state }) => state);
}

describe("the count", () => {
  it("returns the number of selected and of actionable messages, with a sample", async () => {
    await stored(7);
    await stored(3, { state: "delivered" });
    await stored(2, { tags: [] });
    const counted = await owner.messages.countBulk({ bulk: spring });
    expect(counted).toMatchObject({ count: 10, actionable: 7, hasMore: false });
    expect(counted.sample.map(({ state }) => state)).toEqual(Array(5).fill("scheduled"));
    expect(await owner.jobs.listJobs({})).toMatchObject({ jobs: [] });
  });

  it("ends after a few seconds, and reports that there are more", async () => {
    await stored(2_500);
    const { messages } = identity.store.forAccount(accountId);
    const list = messages.list;
    // Each page takes five seconds.
    Object.assign(messages, {
      list: (page: Parameters<typeof list>[0]) => {
        identity.time.pass(5_000);
        return list(page);
      },
    });
    const bulk = { action: "cancel", filter: { states: ["scheduled"] } };
    expect(await owner.messages.countBulk({ bulk })).toMatchObject({ count: 2_000, hasMore: true });
    Object.assign(messages, { list });
    expect(await owner.messages.countBulk({ bulk })).toMatchObject({ count: 2_500, hasMore: false });
  });

  it.each([
    [{ action: "forget", ids: [] }, ["/action", "/filter"]],
    [{ action: "cancel" }, ["/filter"]],
    [{ action: "cancel", filter: {} }, ["/filter"]],
    [{ action: "cancel", ids: ["msg_1"] }, ["/ids/0"]],
    [{ action: "cancel", ids: Array(1_001).fill("msg_01k9z4c3r8h2v6y0n5t7w1x3q9") }, ["/ids"]],
    [{ action: "cancel", filter: { source: "pigeon" } }, ["/filter/source"]],
    [{ action: "cancel", ids: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"], filter: { tags: ["a"] } }, ["/ids"]],
  ])("is refused for an invalid request (%#)", async (bulk, pointers) => {
    const { errors } = await owner.messages.countBulk({ bulk }).catch((error) => error);
    expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  });
});

describe("the confirmation", () => {
  it("starts one job, for any number of repetitions", async () => {
    await stored(3);
    const { confirmation } = await owner.messages.countBulk({ bulk: spring });
    const begin = () => owner.messages.beginBulk({ bulk: spring, confirmation });
    const begun = await Promise.all([begin(), begin(), begin()]);
    await runner()();
    identity.time.pass(HOUR_MS / 2);
    begun.push(await begin());
    expect(new Set(begun.map(({ job }) => job?.id)).size).toBe(1);
    expect(begun.at(-1)?.job).toMatchObject({ state: "succeeded", done: 3 });
    const entries = await identity.store
      .forAccount(accountId)
      .audit.list({ actions: ["message.bulk"], limit: 9 });
    expect(entries).toHaveLength(1);
    const about = { action: "cancel", messages: 'tags=["spring"]', counted: "3" };
    expect(entries[0]?.changes).toContainEqual({ field: "about", after: JSON.stringify(about) });
  });

  it("is valid for ten minutes, for its holder, account and request", async () => {
    await stored(1);
    const { confirmation } = await owner.messages.countBulk({ bulk: spring });
    const refused = { code: "message.confirmation_invalid" };
    const colleague = identity.as({ session: (await identity.memberOf(accountId)).token });
    await expect(colleague.messages.beginBulk({ bulk: spring, confirmation })).rejects.toMatchObject(refused);
    const winter = { action: "cancel", filter: { tags: ["winter"] } };
    await expect(owner.messages.beginBulk({ bulk: winter, confirmation })).rejects.toMatchObject(refused);
    identity.time.pass(10 * 60_000 + 1);
    await expect(owner.messages.beginBulk({ bulk: spring, confirmation })).rejects.toMatchObject(refused);
    expect((await owner.jobs.listJobs({})).jobs).toEqual([]);
  });

  it("requires the permission to change messages", async () => {
    const { token } = await identity.memberOf(accountId, "viewer");
    const viewer = identity.as({ session: token });
    await expect(viewer.messages.countBulk({ bulk: spring })).rejects.toMatchObject({
      code: "auth.permission_missing",
    });
  });
});

describe("cancelling many", () => {
  it("cancels messages that no worker holds, each once, and not those accepted after the count", async () => {
    const ids = await stored(1_203);
    const others = await stored(2, { tags: [] });
    const bulk = { action: "cancel", filter: { tags: ["spring"], states: ["scheduled"] } };
    const { confirmation } = await owner.messages.countBulk({ bulk });
    identity.time.pass(1);
    const fresh = await stored(2);
    const { job } = await owner.messages.beginBulk({ bulk, confirmation });
    await runner()();
    expect(await jobOf(job?.id ?? "")).toMatchObject({ state: "succeeded", total: 1_203, done: 1_203 });
    expect(new Set(await states(ids))).toEqual(new Set(["cancelled"]));
    expect(await states([...others, ...fresh])).toEqual(Array(4).fill("scheduled"));
    const events = await identity.db.collection("events").countDocuments({ accountId, kind: "cancelled" });
    expect(events).toBe(1_203);
    const found = await identity.store
      .forAccount(accountId)
      .messages.list({ filter: { states: ["cancelled"] }, limit: 2_000 });
    expect(found.messages).toHaveLength(1_203);
    expect(found.messages[0]).not.toHaveProperty("cancelRequestedAt");
  });

  it("has the reason for each message that was skipped because its state changed", async () => {
    const [delivered = "", cancelled = "", waiting = "", gone = ""] = await stored(4);
    const id = await confirmed({ action: "cancel", ids: [delivered, cancelled, waiting, gone] });
    const { messages } = { messages: identity.db.collection<MessageDocument>("messages") };
    await messages.updateOne(
      { _id: delivered },
      { $set: { state: "delivered" }, $unset: { nextAttemptAt: "" } },
    );
    await owner.messages.cancelMessage({ id: cancelled });
    await messages.deleteOne({ _id: gone });
    await runner()();
    const results = new Map((await resultsOf(id)).map((result) => [result.item, result]));
    expect(results.get(waiting)).toMatchObject({ outcome: "done", code: "" });
    const left = { outcome: "skipped", code: "message.not_cancellable" };
    expect(results.get(delivered)).toMatchObject({ ...left, message: "The message is delivered." });
    expect(results.get(cancelled)).toMatchObject({ ...left, message: "The message is already cancelled." });
    expect(results.get(gone)).toMatchObject({ outcome: "failed", code: "message.unknown" });
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", done: 1, skipped: 2, failed: 1, total: 4 });
  });

  it("waits for the owners of the partitions, which decide about due messages", async () => {
    const due = { state: "queued", nextAttemptAt: now() } as const;
    const [mine = "", late = ""] = await stored(2, due);
    const id = await confirmed();
    const { queue, messages, events } = identity.store.acrossAccounts;
    const { forAccount } = identity.store;
    const ask = forAccount(accountId).queue.withdrawMany;
    Object.assign(forAccount(accountId).queue, {
      withdrawMany: async (...args: Parameters<typeof ask>) => {
        await ask(...args);
        // The owner cancels the one, and has just delivered the other.
        const [message] = await messages.findByIds([mine]);
        if (!message?.cancelRequestedAt) throw new Error("nobody has asked the owner");
        await queue.withdraw([message], 1);
        await events.insertMissing([cancelledEvent(message, now(), later())]);
        await queue.cancel([message], { at: now(), expireAt: later() }, 1);
        const end = { to: "delivered", attempts: 1, at: now(), epoch: 1, expireAt: later() } as const;
        await applyTransitions({ queue, events }, [
          { ...end, messageId: late, bucket: (await bucketOf(late)) as number },
        ]);
      },
    });
    await runner()();
    Object.assign(forAccount(accountId).queue, { withdrawMany: ask });
    const results = new Map((await resultsOf(id)).map((result) => [result.item, result]));
    expect(results.get(mine)).toMatchObject({ outcome: "done" });
    expect(results.get(late)).toMatchObject({ outcome: "skipped", message: "The message is delivered." });
  });

  it("reports if no owner decides in time", async () => {
    const [waiting] = await stored(1, { state: "queued", nextAttemptAt: now() });
    const id = await confirmed();
    await runner({ waitMs: 0 })();
    expect(await resultsOf(id)).toMatchObject([
      { item: waiting, outcome: "failed", code: "message.cancel_pending" },
    ]);
    const [message] = await identity.store.acrossAccounts.messages.findByIds([waiting ?? ""]);
    expect(message?.cancelRequestedAt).toBeInstanceOf(Date);
  });

  it("does not reach messages of another account", async () => {
    const [mine = ""] = await stored(1);
    const { account } = await identity.operator.accounts.createAccount({ name: "Other" });
    const { token } = await identity.memberOf(account?.id ?? "");
    const stranger = identity.as({ session: token });
    const bulk = { action: "cancel", ids: [mine] };
    const counted = await stranger.messages.countBulk({ bulk });
    expect(counted).toMatchObject({ count: 0, sample: [] });
    const { confirmation } = counted;
    const { job } = await stranger.messages.beginBulk({ bulk, confirmation });
    await runner()();
    const { results } = await stranger.jobs.listResults({ id: job?.id ?? "" });
    expect(results).toMatchObject([{ item: mine, outcome: "failed", code: "message.unknown" }]);
    expect(await states([mine])).toEqual(["scheduled"]);
    await expect(owner.jobs.getJob({ id: job?.id ?? "" })).rejects.toMatchObject({ code: "job.unknown" });
  });

  it("has the same results when a step is repeated after its result was lost", async () => {
    const ids = await stored(40);
    const id = await confirmed();
    const { jobs } = identity.store.acrossAccounts;
    const save = jobs.save;
    let isLost = false;
    Object.assign(jobs, {
      save: async (...args: Parameters<typeof save>) => {
        if (args[1].results && !isLost) {
          isLost = true;
          // Simulates the end of the process: completed work stays.
          throw new Error("lost");
        }
        return save(...args);
      },
    });
    await runner()();
    Object.assign(jobs, { save });
    identity.time.pass(5_000);
    expect(await jobOf(id)).toMatchObject({ state: "running", done: 0 });
    expect(new Set(await states(ids))).toEqual(new Set(["cancelled"]));
    await runner()();
    expect(isLost).toBe(true);
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", done: 40, skipped: 0 });
  });
});

describe.each(["before", "after"] as const)("a process that ends %s one of its writes", (when) => {
  it("leaves a job that another process completes, each message once, after a failure of any write", async () => {
    let ends = 0;
    for (let nth = 1, isReached = true; isReached; nth++) {
      const ids = await stored(12);
      const id = await confirmed({ action: "cancel", ids });
      const failing = failingDb(identity.db, nth, when);
      await runner({ store: createStore(failing.db, testSealing) })().catch(() => undefined);
      isReached = failing.failed();
      if (isReached) ends++;
      // The last write.
      await identity.db.collection("jobs").updateMany({}, { $set: { expiresAt: new Date(0) } });
      identity.time.pass(60_000);
      await runner()();
      const [job, results] = [await jobOf(id), await resultsOf(id)];
      expect([nth, job?.state, job?.done, job?.total]).toEqual([nth, "succeeded", 12, 12]);
      expect(results.map(({ item, outcome }) => [item, outcome])).toEqual(ids.map((one) => [one, "done"]));
      expect(new Set(await states(ids))).toEqual(new Set(["cancelled"]));
      const events = { messageId: { $in: ids }, kind: "cancelled" };
      expect(await identity.db.collection("events").countDocuments(events)).toBe(12);
    }
    expect(ends).toBeGreaterThan(10);
  });
});

const bucketOf = async (id: string) =>
  (await identity.store.acrossAccounts.messages.findByIds([id]))[0]?.bucket;
