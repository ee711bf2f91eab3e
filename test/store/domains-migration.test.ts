import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import type { DomainDocument } from "../../src/store/domain-document.ts";
import { domainsMigration } from "../../src/store/migrations/4-domains.ts";
import type { MigrationStep } from "../../src/store/migrations/migration.ts";
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
  await domainsMigration.run({ db: opened.db, progress, log: createLogger("silent"), signal });
  return steps;
}

const domains = () => opened.db.collection<DomainDocument>("domains");

it("creates a status for each domain with keys, once, spread over a day", async () => {
  const keys = Array.from({ length: 700 }, (_, n) => {
    const [accountId, domain] = [`acc_${n % 3}`, `${Math.floor(n / 6)}.example.com`];
    return { _id: `${accountId}.${domain}.${n}`, accountId, domain, selector: `s${n}` };
  });
  await opened.db.collection<{ _id: string }>("domainKeys").insertMany(keys);
  const names = new Set(keys.map(({ accountId, domain }) => `${accountId}.${domain}`));
  const steps = await run();
  expect(steps.at(-1)?.done).toBe(700);
  expect(steps.length).toBeGreaterThan(1);
  const first = await domains().find().sort({ _id: 1 }).toArray();
  expect(new Set(first.map(({ _id }) => _id))).toEqual(names);
  expect(first.every(({ status, verifiedAt }) => status === "unverified" && !verifiedAt)).toBe(true);
  expect(new Set(first.map(({ token }) => token)).size).toBe(names.size);
  const dueMs = first.map(({ nextCheckAt }) => nextCheckAt.getTime() - Date.now());
  expect(Math.max(...dueMs)).toBeLessThanOrEqual(86_400_000);
  expect(Math.max(...dueMs) - Math.min(...dueMs)).toBeGreaterThan(43_200_000);
  // Repeated from the beginning and from the middle.
  await run();
  await run(steps[0]?.cursor);
  expect(await domains().find().sort({ _id: 1 }).toArray()).toEqual(first);
});
