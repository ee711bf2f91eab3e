import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SuppressionReason } from "../../src/store/documents.ts";
import { createEventLog } from "../../src/store/event-log.ts";
import type { NewSuppression } from "../../src/store/merge-suppression.ts";
import { createSuppressionStore, type SuppressionName } from "../../src/store/suppression-store.ts";
import { createWebhookOutbox } from "../../src/store/webhook-outbox.ts";
import { testAudit, testWrites } from "../harness/audit.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let store: ReturnType<typeof createSuppressionStore>;

beforeAll(async () => {
  opened = await openTestStore();
  store = createSuppressionStore(
    opened.db,
    testWrites(opened.db),
    createWebhookOutbox(opened.db, createEventLog(opened.db)),
  );
});
afterAll(() => opened.close());

const now = new Date("2026-01-10T00:00:00Z");

function entry(address: string, more: Partial<NewSuppression> = {}): NewSuppression {
  return { accountId: "acc_1", addressKey: address, address, reason: "manual", createdAt: now, ...more };
}

const add = (added: NewSuppression) => store.forAccount(added.accountId).add(added, testAudit);
const findAmong = (names: readonly SuppressionName[], at: Date) => store.acrossAccounts.findAmong(names, at);
const reasonsOf = async (address: string, at = now) => {
  const { documents: found } = await findAmong([{ accountId: "acc_1", addressKey: address }], at);
  return found.map(({ reason }) => reason);
};

/** Stores an entry of an early release, with a random id. */
async function storeFormer(address: string, more: Partial<NewSuppression> = {}): Promise<void> {
  const former = { _id: `sup_${randomUUID()}`, ...entry(address, more) };
  await opened.db.collection<{ _id: string }>("suppressions").insertOne(former);
}

describe("entries of a former release", () => {
  it("are found, listed once, strengthened and removed like any others, after a start", async () => {
    const accountId = "acc_former";
    const name = (address: string, policy?: string) => ({ accountId, addressKey: address, policy });
    await storeFormer("all@example.net", { accountId, reason: "unsubscribe", detail: "by one click" });
    await storeFormer("one@example.net", { accountId, reason: "unsubscribe", policy: "bulk" });
    await storeFormer("other@example.net", { accountId, reason: "unsubscribe" });
    // Two processes that start at once.
    await Promise.all([store.acrossAccounts.renameFormer(), store.acrossAccounts.renameFormer()]);
    expect(await store.acrossAccounts.renameFormer()).toBe(0);

    const names = [name("all@example.net"), name("one@example.net", "bulk"), name("other@example.net")];
    const { documents } = await findAmong(names, now);
    expect(documents.map(({ reason, createdAt }) => ({ reason, createdAt }))).toEqual(
      names.map(() => ({ reason: "unsubscribe", createdAt: now })),
    );
    const former = store.forAccount(accountId);
    const listed = await former.list({ now, limit: 10 });
    expect(listed.map(({ _id, policy, detail }) => [_id, policy, detail])).toEqual([
      ["acc_former:all@example.net:", undefined, "by one click"],
      ["acc_former:one@example.net:bulk", "bulk", undefined],
      ["acc_former:other@example.net:", undefined, undefined],
    ]);
    const stronger = await add(entry("all@example.net", { accountId, reason: "complaint" }));
    expect(stronger).toMatchObject({ reason: "complaint", createdAt: now });
    for (const one of names) expect(await former.remove(one, now, testAudit)).toMatchObject({ accountId });
    expect(await former.list({ now, limit: 10 })).toEqual([]);
  });
});

describe("the suppression list", () => {
  it("has one entry for an address in a scope, the strongest of concurrent additions", async () => {
    const reasons: SuppressionReason[] = ["hard_bounce", "manual", "unsubscribe", "complaint"];
    await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        add(entry("many@example.net", { reason: reasons[index % 4] ?? "manual" })),
      ),
    );
    expect(await reasonsOf("many@example.net")).toEqual(["complaint"]);
  });

  it("never loses the later expiry of two concurrent additions", async () => {
    // Far in the future, so that no TTL deletion interferes.
    const ends = Array.from({ length: 12 }, (_, year) => new Date(Date.UTC(2101 + year, 0)));
    await Promise.all(ends.map((expireAt) => add(entry("ends@example.net", { expireAt }))));
    const name = { accountId: "acc_1", addressKey: "ends@example.net" };
    const [only] = (await findAmong([name], now)).documents;
    expect(only?.expireAt).toEqual(ends.at(-1));
  });

  it("ignores expired entries that are still stored", async () => {
    // Far in the future, so that no TTL deletion interferes.
    const ends = new Date("2126-01-01T00:00:00Z");
    const after = new Date("2126-01-02T00:00:00Z");
    await add(entry("old@example.net", { expireAt: ends }));
    expect(await reasonsOf("old@example.net")).toEqual(["manual"]);
    expect(await reasonsOf("old@example.net", after)).toEqual([]);
    const account = store.forAccount("acc_1");
    expect(await account.list({ limit: 10, addressKey: "old@example.net", now: after })).toEqual([]);
    expect(await account.remove({ addressKey: "old@example.net" }, after, testAudit)).toBeNull();
    const again = await add(entry("old@example.net", { reason: "hard_bounce", createdAt: after }));
    expect(again).toMatchObject({ reason: "hard_bounce", createdAt: after });
    expect(again).not.toHaveProperty("expireAt");
  });

  it("keeps scopes and accounts separate", async () => {
    await add(entry("scoped@example.net", { policy: "news", reason: "unsubscribe" }));
    await add(entry("scoped@example.net", { policy: "offers", reason: "unsubscribe" }));
    await add(entry("scoped@example.net", { accountId: "acc_2" }));
    const name = { accountId: "acc_1", addressKey: "scoped@example.net" };
    const scopes = [name, { ...name, policy: "news" }, { ...name, policy: "offers" }];
    const { documents: found } = await findAmong(scopes, now);
    expect(found.map(({ policy }) => policy).sort()).toEqual(["news", "offers"]);
    expect((await findAmong([name, { ...name, policy: "other" }], now)).documents).toEqual([]);
    const account = store.forAccount("acc_1");
    expect(await account.remove(name, now, testAudit)).toBeNull();
    expect(await account.remove({ ...name, policy: "news" }, now, testAudit)).toMatchObject({
      policy: "news",
    });
    expect((await findAmong(scopes, now)).documents).toHaveLength(1);
  });

  it("finds a whole batch in one query, and pages in a stable order", async () => {
    const addresses = Array.from({ length: 25 }, (_, n) => `page-${String(n).padStart(2, "0")}@example.net`);
    await Promise.all(addresses.map((address) => add(entry(address, { accountId: "acc_3" }))));
    const wanted = addresses.map((addressKey) => ({ accountId: "acc_3", addressKey }));
    expect((await findAmong(wanted, now)).documents).toHaveLength(25);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await store.forAccount("acc_3").list({ now, limit: 10, after });
      seen.push(...page.map(({ address }) => address));
      after = page.at(-1)?._id.slice("acc_3:".length);
    } while (after !== undefined);
    expect(seen).toEqual(addresses);
  });
});
