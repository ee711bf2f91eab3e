import type { CommandStartedEvent } from "mongodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CheckSuppression, createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { createSuppressionStore } from "../../src/store/suppression-store.ts";
import { testAudit, testAuditLog } from "../harness/audit.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const now = new Date("2026-01-10T00:00:00Z");
const clock = { now: () => now, monotonicMs: () => 0 };

let opened: TestStore;
let suppressions: ReturnType<typeof createSuppressionStore>;
let check: CheckSuppression;
/** The ids that each query asks for. */
let asked: (readonly string[])[] = [];

beforeAll(async () => {
  opened = await openTestStore();
  opened.db.client.on("commandStarted", ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === "find" && command.find === "suppressions") asked.push(command.filter?._id?.$in);
  });
  suppressions = createSuppressionStore(opened.db, testAuditLog(opened.db));
  check = createCheckSuppression({ suppressions: suppressions.acrossAccounts, clock });
});
afterAll(() => opened.close());

const message = (n: number, policy = "news") => ({
  _id: `msg_${n}`,
  accountId: `acc_${n}`,
  operation: "email.send",
  recipient: `Person-${n}@Example.org`,
  policy,
});
const entry = (n: number, policy?: string) => ({
  accountId: `acc_${n}`,
  addressKey: `person-${n}@example.org`,
  address: `person-${n}@example.org`,
  reason: "manual" as const,
  createdAt: now,
  ...(policy !== undefined && { policy }),
});
const add = (added: ReturnType<typeof entry>) =>
  suppressions.forAccount(added.accountId).add(added, testAudit);

it("asks for two entries for each message, by their ids, however many accounts and addresses there are", async () => {
  await add(entry(7));
  await add(entry(8, "news"));
  await add(entry(9, "offers"));
  asked = [];
  const messages = Array.from({ length: 300 }, (_, n) => message(n));
  const results = await Promise.all(messages.map(check));
  const suppressed = results.flatMap((result, n) => (result ? [n] : []));
  expect(suppressed).toEqual([7, 8]);
  const ids = asked.flat();
  expect(new Set(ids).size).toBe(600);
  expect(ids).toHaveLength(600);
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
});

it("an entry of another account, or for another policy, keeps nobody from anything in the same batch", async () => {
  await add(entry(1, "offers"));
  const crossed = { ...message(2), recipient: message(1).recipient };
  const results = await Promise.all([check(message(1)), check(crossed), check(message(1, "offers"))]);
  expect(results.map((result) => result?.to)).toEqual([undefined, undefined, "suppressed"]);
});
