import { afterAll, beforeAll, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { FORWARD, SYSTEM_MAIL } from "../../src/shared/operations.ts";
import { SYSTEM_ACCOUNT } from "../../src/shared/system-account.ts";
import { systemMailMigration } from "../../src/store/migrations/8-system-mail.ts";
import type { MigrationStep } from "../../src/store/migrations/migration.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { messageDocument } from "../harness/message-document.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const FIRST = "acc_1";
const now = new Date();

let opened: TestStore;
let store: Store;
beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
  await store.accounts.insert({ _id: FIRST, name: "one", createdAt: now }, testAudit);
});
afterAll(() => opened.close());

/** Runs the migration from this position, and returns the saved steps. */
async function run(cursor?: unknown): Promise<MigrationStep[]> {
  const steps: MigrationStep[] = [];
  const save = async (step: MigrationStep) => void steps.push(step);
  const { signal } = new AbortController();
  const progress = { cursor, done: 0, save };
  await systemMailMigration.run({ db: opened.db, progress, log: createLogger("silent"), signal });
  return steps;
}

it("moves system mail with its events out of the first account, removes unneeded bodies, and leaves the rest", async () => {
  const kinds = [
    { operation: SYSTEM_MAIL, state: "delivered" },
    { operation: SYSTEM_MAIL, state: "queued" },
    { operation: FORWARD, state: "delivered" },
    { operation: "email.send", state: "delivered" },
  ] as const;
  const made = Array.from({ length: 1_100 }, (_, n) => {
    const kind = kinds[n < 8 ? n % 4 : 3] as (typeof kinds)[number];
    const id = newIdInBucket("msg", now, n);
    const contentId = id.replace("msg", "cnt");
    return { ...messageDocument({ _id: id, bucket: n, contentId, accountId: FIRST }), ...kind };
  });
  await store.acrossAccounts.messages.insertMissing(made);
  const expireAt = new Date(now.getTime() + 3_600_000);
  await store.acrossAccounts.contents.insertMany(
    made.map(({ contentId: id }) => ({
      id,
      accountId: FIRST,
      body: { kind: "raw", source: Buffer.from("Subject: x\r\n\r\n#secret\r\n") },
      sizeBytes: 100,
      createdAt: now,
      expireAt,
    })),
  );
  await store.acrossAccounts.events.insertMissing(
    made.map(({ _id, accountId, traceId, state }) => ({
      _id: `${_id}.0.${state}`,
      messageId: _id,
      accountId,
      traceId,
      kind: state,
      attempt: 0,
      at: now,
      expireAt,
    })),
  );
  const steps = await run();
  const moved = made.filter(({ operation }) => operation !== "email.send");
  expect(steps).toHaveLength(3);
  expect(steps.reduce((sum, { done }) => sum + done, 0)).toBe(moved.length);
  const stateOfAll = async () => {
    const system = store.forAccount(SYSTEM_ACCOUNT);
    const listed = (await system.messages.list({ filter: {}, limit: 100 })).messages;
    const left = await store.forAccount(FIRST).messages.list({ filter: {}, limit: 10_000 });
    const bodies = await store.acrossAccounts.contents.loadMany(made.map(({ contentId }) => contentId));
    const timelines = await Promise.all(moved.map(({ _id }) => system.events.listOfMessage(_id)));
    return {
      listed: listed.map(({ _id }) => _id).sort(),
      left: left.messages.length,
      bodies: bodies.size,
      events: timelines.map(({ length }) => length),
    };
  };
  const after = await stateOfAll();
  expect(after).toEqual({
    listed: moved.map(({ _id }) => _id).sort(),
    left: 1_100 - moved.length,
    bodies: 1_100 - 2,
    events: moved.map(() => 1),
  });
  // Repeated from the beginning and from the middle.
  await run();
  await run(steps[0]?.cursor);
  expect(await stateOfAll()).toEqual(after);
});
