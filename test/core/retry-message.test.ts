import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import { bulkActions } from "../../src/core/messages/bulk-actions.ts";
import { createBulkJob } from "../../src/core/messages/bulk-job.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { messageStates } from "../../src/shared/message-state.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { queuedMessage } from "../harness/queued-message.ts";

const HOUR_MS = 3_600_000;

let identity: Identity;
let accountId: string;
let owner: AreaClients;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount("Shop");
  owner = identity.as({ session: (await identity.memberOf(accountId)).token });
});

const now = () => identity.time.clock.now();
const later = () => new Date(now().getTime() + HOUR_MS);
let made = 0;

async function stored(changes: Partial<MessageDocument> = {}): Promise<string> {
  const _id = newIdInBucket("msg", now(), made++);
  const deferred = { _id, accountId, state: "deferred", attempts: 1, nextAttemptAt: later() } as const;
  await identity.store.acrossAccounts.messages.insertMany([
    queuedMessage(now(), { ...deferred, ...changes }),
  ]);
  // Counted messages are older than the count.
  identity.time.pass(1);
  return _id;
}

const documentOf = (id: string) => identity.db.collection<MessageDocument>("messages").findOne({ _id: id });

describe("a message that is retried", () => {
  it("is due immediately when it is deferred, after any number of attempts, and the audit log records the caller", async () => {
    const id = await stored();
    const { message } = await owner.messages.retryMessage({ id });
    expect(message).toMatchObject({ id, state: "deferred", attempts: 1 });
    expect(await documentOf(id)).toMatchObject({ nextAttemptAt: now(), attempts: 1 });
    const { entries } = await owner.audits.listEntries({ filter: { targetId: id } });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ action: "message.retry" });
  });

  it.each([
    ["queued and due", { state: "queued", nextAttemptAt: new Date(0) }],
    ["deferred and due in a moment", { nextAttemptAt: new Date(0) }],
    ["hidden, because it may be in delivery", { held: true }],
  ] as const)("is not changed when it is %s", async (_, changes) => {
    const id = await stored(changes);
    const before = await documentOf(id);
    expect((await owner.messages.retryMessage({ id })).message).toMatchObject({ id });
    expect(await documentOf(id)).toEqual(before);
  });

  it.each(messageStates.filter((state) => state !== "queued" && state !== "deferred"))(
    "is refused when it is %s, and nothing is changed",
    async (state) => {
      const id = await stored({ state });
      const before = await documentOf(id);
      await expect(owner.messages.retryMessage({ id })).rejects.toMatchObject({
        code: "message.not_retryable",
        public: expect.stringContaining(`Message ${id} is ${state}`),
      });
      expect(await documentOf(id)).toEqual(before);
    },
  );

  it("is refused while a cancellation is requested", async () => {
    const id = await stored({ cancelRequestedAt: now() });
    await expect(owner.messages.retryMessage({ id })).rejects.toMatchObject({
      code: "message.not_retryable",
      public: `Message ${id} is being cancelled.`,
    });
  });

  it("is unknown to another account, and not retried", async () => {
    const id = await stored();
    const { account } = await identity.operator.accounts.createAccount({ name: "Other" });
    const other = identity.as({ session: (await identity.memberOf(account?.id ?? "")).token });
    await expect(other.messages.retryMessage({ id })).rejects.toMatchObject({ code: "message.unknown" });
    expect((await documentOf(id))?.nextAttemptAt?.getTime()).toBeGreaterThan(now().getTime());
  });
});

it("makes many messages due with a job, each once for any number of repeated steps, and has the reason for the others", async () => {
  const deferred = [await stored({ tags: ["spring"] }), await stored({ tags: ["spring"] })];
  const delivered = await stored({ tags: ["spring"], state: "delivered" });
  const due = await stored({ tags: ["spring"], nextAttemptAt: new Date(0) });
  const bulk = { action: "retry", filter: { tags: ["spring"] } };
  const { count, actionable, confirmation } = await owner.messages.countBulk({ bulk });
  expect([count, actionable]).toEqual([4n, 3n].map(Number));
  const { job } = await owner.messages.beginBulk({ bulk, confirmation });
  const id = job?.id ?? "";

  const { store, time } = identity;
  const actions = bulkActions({
    store,
    clock: time.clock,
    retentionMs: HOUR_MS,
    resend: identity.resendOn(store),
  });
  const { retry } = actions;
  let steps = 0;
  const twice = {
    ...actions,
    retry: {
      canAct: () => true,
      act: async (...args: Parameters<NonNullable<typeof retry>["act"]>) => {
        steps++;
        const first = await retry?.act(...args);
        // The following attempt has failed again.
        await identity.db
          .collection<MessageDocument>("messages")
          .updateOne({ _id: deferred[0] ?? "" }, { $set: { nextAttemptAt: later() } });
        const second = (await retry?.act(...args)) ?? [];
        expect(second).toEqual(first);
        return second;
      },
    },
  };
  await createRunJobs({
    jobs: store.acrossAccounts.jobs,
    kinds: [createBulkJob({ store, actions: twice })],
    signal: new AbortController().signal,
    clock: time.clock,
    timers: time.timers,
    log: createLogger("silent"),
  })();
  expect(steps).toBe(1);
  const { results } = await owner.jobs.listResults({ id });
  const outcomes = Object.fromEntries(
    results.map(({ item, outcome, code }) => [item, `${outcome} ${code}`.trim()]),
  );
  expect(outcomes).toEqual({
    ...Object.fromEntries(deferred.map((one) => [one, "done"])),
    [delivered]: "skipped message.not_retryable",
    [due]: "skipped message.due",
  });
  expect((await documentOf(deferred[0] ?? ""))?.nextAttemptAt).toEqual(later());
});
