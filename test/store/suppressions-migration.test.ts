import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import { createEventLog } from "../../src/store/event-log.ts";
import { suppressionsMigration } from "../../src/store/migrations/6-suppressions.ts";
import type { MigrationStep } from "../../src/store/migrations/migration.ts";
import { createSuppressionStore } from "../../src/store/suppression-store.ts";
import { createWebhookOutbox } from "../../src/store/webhook-outbox.ts";
import { testWrites } from "../harness/audit.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());

/** Runs the migration from this position, and returns the saved steps. */
async function run(cursor?: unknown): Promise<MigrationStep[]> {
  const steps: MigrationStep[] = [];
  const save = async (step: MigrationStep) => void steps.push(step);
  const { signal } = new AbortController();
  const progress = { cursor, done: 0, save };
  await suppressionsMigration.run({ db: opened.db, progress, log: createLogger("silent"), signal });
  return steps;
}

it("finds entries of an early release by the domain of their address, and leaves them unchanged otherwise", async () => {
  const createdAt = new Date("2026-01-02T03:04:05Z");
  const former = Array.from({ length: 1_100 }, (_, n) => {
    const addressKey = `a${n}@${n % 2 ? "x" : "y"}.example`;
    const _id = `acc_1:${addressKey}:`;
    return { _id, accountId: "acc_1", addressKey, address: addressKey, reason: "manual" as const, createdAt };
  });
  const stored = opened.db.collection<{ _id: string }>("suppressions");
  await stored.insertMany(former);
  const { list } = createSuppressionStore(
    opened.db,
    testWrites(opened.db),
    createWebhookOutbox(opened.db, createEventLog(opened.db)),
  ).forAccount("acc_1");
  const ofDomain = () => list({ domain: "x.example", now: createdAt, limit: 1000 });
  expect(await ofDomain()).toEqual([]);
  const steps = await run();
  expect(steps.at(-1)?.done).toBe(1_100);
  const found = await ofDomain();
  expect(found).toHaveLength(550);
  const all = await stored.find().sort({ _id: 1 }).toArray();
  expect(all.map(({ domain: _, ...entry }: { _id: string; domain?: string }) => entry)).toEqual(
    former.toSorted((a, b) => (a._id < b._id ? -1 : 1)),
  );
  // Repeated from the beginning and from the middle.
  await run();
  await run(steps[0]?.cursor);
  expect(await stored.find().sort({ _id: 1 }).toArray()).toEqual(all);
});
