import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Audit } from "../../src/shared/audit.ts";
import type { AuditEntryDocument, AuditOutcome } from "../../src/store/audit/entry-document.ts";
import type { AuditPage } from "../../src/store/audit-store.ts";
import { type AccountStore, createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { failingDb } from "../harness/failing-db.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const HOUR_MS = 3_600_000;
const now = new Date();
const page = { limit: 1_000 };

let opened: TestStore;
let store: Store;
let account: AccountStore;
let count = 0;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(() => {
  account = store.forAccount(`acc_${count++}`);
});

/** A key with its name as the prefix. */
const newKey = (prefix: string) =>
  ({
    _id: `${prefix} of ${account.id}`,
    name: "shop",
    kind: "account",
    prefix,
    hash: `${prefix} of ${account.id}`,
    scopeMode: "full",
    scopes: [],
    senders: [],
    allowedAddresses: [],
    createdAt: now,
  }) as const;

/** A call of `actor` at that time. */
const by = (actorId: string, action = "key.rename", at = now): Audit => ({
  ...testAudit,
  actor: { kind: "user", id: actorId, name: `${actorId}@example.com` },
  action,
  now: () => at,
});

const changesOf = (entries: readonly AuditEntryDocument[], field: string) =>
  entries.flatMap(({ changes }) => changes.filter((change) => change.field === field));

describe("an entry of a change", () => {
  it("contains actor, action, target, origin and the former state", async () => {
    await account.keys.insert(newKey("key_1"), by("usr_1", "key.create"));
    const audit = { ...by("usr_1"), sessionId: "ses_1", clientAddress: "192.0.2.1", clientAgent: "Browser" };
    await account.keys.rename("key_1", "store", audit);
    const [renamed, created] = await account.audit.list(page);
    expect(renamed).toMatchObject({
      accountId: account.id,
      at: now,
      actor: { kind: "user", id: "usr_1", name: "usr_1@example.com" },
      sessionId: "ses_1",
      clientAddress: "192.0.2.1",
      clientAgent: "Browser",
      action: "key.rename",
      target: { kind: "key", id: `key_1 of ${account.id}`, name: "store" },
      changes: [{ field: "name", before: '"shop"', after: '"store"' }],
      outcome: "changed",
      traceId: "sx_test",
    });
    expect(created?.action).toBe("key.create");
    expect(changesOf(created ? [created] : [], "prefix")).toEqual([{ field: "prefix", after: '"key_1"' }]);
  });

  it("is not written without a difference", async () => {
    await account.keys.insert(newKey("key_1"), by("usr_1", "key.create"));
    await account.keys.revoke("key_1", now, by("usr_1", "key.revoke"));
    await account.keys.revoke("key_1", new Date(), by("usr_1", "key.revoke"));
    await account.keys.rename("key_1", "shop", by("usr_1"));
    const actions = (await account.audit.list(page)).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(["key.create", "key.revoke"]);
  });

  it("is kept for the configured retention", async () => {
    const short = createStore(opened.db, testSealing, { retentionMs: HOUR_MS });
    await short.forAccount(account.id).keys.insert(newKey("key_1"), by("usr_1"));
    const [entry] = await account.audit.list(page);
    expect(entry?.expireAt).toEqual(new Date(now.getTime() + HOUR_MS));
  });

  it("cuts long values of callers", async () => {
    await account.keys.insert({ ...newKey("key_1"), name: "n".repeat(5_000) }, by("usr_1"));
    const [entry] = await account.audit.list(page);
    expect(entry?.target.name).toHaveLength(512);
  });
});

/** Changes by each function that writes one, on the data from `plant`. */
const changesOfStore: Readonly<Record<string, (store: Store, accountId: string) => Promise<unknown>>> = {
  "keys.insert": (some, id) => some.forAccount(id).keys.insert(newKey("key_2"), testAudit),
  "keys.rename": (some, id) => some.forAccount(id).keys.rename("key_1", "store", testAudit),
  "keys.revoke": (some, id) => some.forAccount(id).keys.revoke("key_1", now, testAudit),
  "keys.supersede": (some, id) =>
    some.forAccount(id).keys.supersede("key_1", () => ({ key: newKey("key_2"), expiresAt: now }), testAudit),
  "accounts.insert": (some) =>
    some.accounts.insert({ _id: `${account.id}x`, name: "one", createdAt: now }, testAudit),
  "accounts.rename": (some, id) => some.accounts.rename(id, "two", testAudit),
  "members.add": (some, id) =>
    some
      .forAccount(id)
      .members.add(
        { _id: `usr_b${id}`, email: `b@${id}.example`, passwordHash: "p", createdAt: now },
        { role: "viewer", createdAt: now },
        testAudit,
      ),
  "members.changeRole": (some, id) => some.forAccount(id).members.changeRole(`usr_${id}`, "admin", testAudit),
  "members.remove": (some, id) => some.forAccount(id).members.remove(`usr_${id}`, testAudit),
};

async function plant(): Promise<void> {
  await store.accounts.insert({ _id: account.id, name: "one", createdAt: now }, testAudit);
  await account.keys.insert(newKey("key_1"), testAudit);
  const member = { role: "viewer", createdAt: now } as const;
  const user = { email: `a@${account.id}.example`, passwordHash: "p", createdAt: now };
  await account.members.add({ _id: `usr_${account.id}`, ...user }, member, testAudit);
}

/** All stored data, except the counter of an account's changes, for which transactions compete. */
async function everything(): Promise<string> {
  const names = ["accounts", "apiKeys", "members", "users", "auditEntries"];
  const all = names.map((name) => opened.db.collection(name).find().sort({ _id: 1 }).toArray());
  return JSON.stringify(await Promise.all(all));
}

describe("a change and its entry", () => {
  it.each(Object.entries(changesOfStore))("are both stored, or none (%s)", async (_name, change) => {
    await plant();
    const before = await everything();
    let failures = 0;
    for (let nth = 1; ; nth++) {
      const failing = failingDb(opened.db, nth, "before");
      const failed = await change(createStore(failing.db, testSealing), account.id).then(
        () => false,
        () => true,
      );
      if (!failing.failed()) break;
      failures++;
      expect(failed).toBe(true);
      expect(await everything()).toBe(before);
    }
    // The change, its entry, and the commit.
    expect(failures).toBeGreaterThanOrEqual(3);
    expect(await everything()).not.toBe(before);
  });

  it("are consistent for many concurrent changes of one resource", async () => {
    await account.keys.insert(newKey("key_1"), testAudit);
    const names = Array.from({ length: 8 }, (_, n) => `name ${n}`);
    await Promise.all(names.map((name) => account.keys.rename("key_1", name, by("usr_1"))));
    const renames = await account.audit.list({ ...page, actions: ["key.rename"] });
    const next = new Map(changesOf(renames, "name").map(({ before, after }) => [before, after]));
    expect(next.size).toBe(names.length);
    const chain: string[] = [];
    for (let name = next.get('"shop"'); name !== undefined; name = next.get(name)) chain.push(name);
    expect(chain.toSorted()).toEqual(names.map((name) => JSON.stringify(name)));
    const [stored] = await account.keys.list(page);
    expect(JSON.stringify(stored?.name)).toBe(chain.at(-1));
  });
});

describe("entries are found", () => {
  const actors = ["usr_1", "usr_2"];
  const actions = ["key.create", "key.rename", "member.remove"];
  const targets = ["key_1", "key_2", "usr_1"];
  const outcomes: readonly AuditOutcome[] = ["changed", "read", "refused"];
  const at = (n: number) => new Date(now.getTime() + n * 1_000);
  /** From a constant pseudo-random source. */
  const pick = <T>(all: readonly T[], n: number): T => all[(n * 7919 + (n >> 2)) % all.length] as T;

  it("by every combination of filters, page by page, like a model", async () => {
    for (let n = 0; n < 120; n++) {
      const audit = by(pick(actors, n), pick(actions, n + 1), at(n));
      const target = { kind: "key", id: pick(targets, n + 2), name: "" };
      await account.audit.add(audit, { target, outcome: pick(outcomes, n + 3) });
    }
    const all = (await account.audit.list(page)).toSorted((a, b) => (a._id < b._id ? 1 : -1));
    expect(all).toHaveLength(120);
    const some = <T>(values: readonly T[]) => [undefined, ...values];
    for (const actorId of some(actors))
      for (const targetId of some(targets))
        for (const asked of some([["key.create"], ["key.create", "key.rename"]]))
          for (const outcome of some(outcomes))
            for (const [from, until] of [[], [at(20), at(90)]] as const) {
              const filter = { actorId, targetId, actions: asked, outcome, from, until };
              const expected = all.filter((entry) => matches(entry, filter)).map(({ _id }) => _id);
              expect(await pages(filter)).toEqual(expected);
            }
  });

  function matches(entry: AuditEntryDocument, filter: Omit<AuditPage, "limit">): boolean {
    const { actorId, targetId, actions: asked, outcome, from, until } = filter;
    return (
      (actorId === undefined || entry.actor.id === actorId) &&
      (targetId === undefined || entry.target.id === targetId) &&
      (asked === undefined || asked.includes(entry.action)) &&
      (outcome === undefined || entry.outcome === outcome) &&
      (from === undefined || entry.at >= from) &&
      (until === undefined || entry.at < until)
    );
  }

  async function pages(filter: Omit<AuditPage, "limit">): Promise<string[]> {
    const ids: string[] = [];
    for (;;) {
      const found = await account.audit.list({ ...filter, limit: 25, beforeId: ids.at(-1) });
      ids.push(...found.map(({ _id }) => _id));
      if (found.length < 25) return ids;
    }
  }

  it("only in their own log: of an account, of the installation or of a user", async () => {
    const other = store.forAccount(`acc_other_${account.id}`);
    const act = { target: { kind: "key", id: account.id, name: "" }, outcome: "read" } as const;
    await account.audit.add(by("usr_1"), { ...act, userId: `usr_${account.id}` });
    await store.audit.installation.add(by("usr_2"), act);
    expect(await other.audit.list({ ...page, targetId: account.id })).toEqual([]);
    expect(await account.audit.list(page)).toMatchObject([{ actor: { id: "usr_1" } }]);
    const own = await store.audit.installation.list({ ...page, targetId: account.id });
    expect(own).toMatchObject([{ actor: { id: "usr_2" } }]);
    expect(await store.audit.listOfUser(`usr_${account.id}`, page)).toMatchObject([
      { actor: { id: "usr_1" } },
    ]);
  });
});
