import type { CommandStartedEvent } from "mongodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CheckSuppression, createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { createEventLog } from "../../src/store/event-log.ts";
import { createSuppressionStore } from "../../src/store/suppression-store.ts";
import { createWebhookOutbox } from "../../src/store/webhook-outbox.ts";
import { testAudit, testWrites } from "../harness/audit.ts";
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
  suppressions = createSuppressionStore(
    opened.db,
    testWrites(opened.db),
    createWebhookOutbox(opened.db, createEventLog(opened.db)),
  );
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

it("queries three entries for each message by id, for any number of accounts and addresses", async () => {
  await add(entry(7));
  await add(entry(8, "news"));
  await add(entry(9, "offers"));
  asked = [];
  const messages = Array.from({ length: 300 }, (_, n) => message(n));
  const results = await Promise.all(messages.map(check));
  const suppressed = results.flatMap((result, n) => (result ? [n] : []));
  expect(suppressed).toEqual([7, 8]);
  const ids = asked.flat();
  expect(new Set(ids).size).toBe(900);
  expect(ids).toHaveLength(900);
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(1_500);
});

it("an entry of another account, or for another policy, does not affect other messages of the batch", async () => {
  await add(entry(1, "offers"));
  const crossed = { ...message(2), recipient: message(1).recipient };
  const results = await Promise.all([check(message(1)), check(crossed), check(message(1, "offers"))]);
  expect(results.map((result) => result?.to)).toEqual([undefined, undefined, "suppressed"]);
});

it("an entry for a domain stops mail to all of its addresses, and to no others", async () => {
  await suppressions.forAccount("acc_50").add({ ...entry(50), addressKey: "@example.org" }, testAudit);
  const to = (n: number, recipient: string) => check({ ...message(n), recipient });
  expect(await to(50, "Ann@EXAMPLE.org")).toMatchObject({
    to: "suppressed",
    reason: {
      text: expect.stringContaining("the domain of the recipient is on the suppression list"),
      parts: [{ code: "suppression.listed" }],
    },
  });
  expect(await to(50, '"b@c"@example.org')).toMatchObject({ to: "suppressed" });
  for (const other of ["ann@sub.example.org", "ann@example.org.example.net", "example.org@example.net"])
    expect(await to(50, other)).toBeUndefined();
  expect(await to(51, "ann@example.org")).toBeUndefined();
});

it("an address that begins with an asterisk matches only itself", async () => {
  await suppressions
    .forAccount("acc_52")
    .add({ ...entry(52), addressKey: "*@example.org", reason: "hard_bounce" }, testAudit);
  const to = (recipient: string) => check({ ...message(52), recipient });
  expect(await to("*@example.org")).toMatchObject({ to: "suppressed" });
  expect(await to("ann@example.org")).toBeUndefined();
});
