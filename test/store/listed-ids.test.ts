import type { CommandStartedEvent, Db } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { systemClock as clock } from "../../src/shared/clock.ts";
import { createBloomFilter } from "../../src/store/bloom-filter.ts";
import { createEventLog } from "../../src/store/event-log.ts";
import { createListedIds } from "../../src/store/listed-ids.ts";
import type { NewSuppression } from "../../src/store/merge-suppression.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { createSuppressionStore, type SuppressionName } from "../../src/store/suppression-store.ts";
import { createWebhookOutbox } from "../../src/store/webhook-outbox.ts";
import { testAudit, testWrites } from "../harness/audit.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";
import { storeCalls } from "../harness/store-calls.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const now = new Date();
const accountId = "acc_test";
const { signal } = new AbortController();

let opened: TestStore;
/** Queries of the suppression list, and writes to it. */
let commands: CommandStartedEvent[];
let onCommand: (event: CommandStartedEvent) => void;

beforeEach(async () => {
  opened = await openTestStore();
  commands = [];
  onCommand = () => undefined;
  opened.db.client.on("commandStarted", (event) => {
    if (event.command[event.commandName] !== "suppressions") return;
    commands.push(event);
    onCommand(event);
  });
});
afterEach(() => opened.close());

/** A store of a process that alone writes to the database. */
const openStore = () => createStore(opened.db, testSealing, { retentionMs: 1_000_000 }, { exclusive: true });
const read = (store: Store, until = signal) => store.acrossAccounts.suppressions.readListed(until);

function entry(address: string, more: Partial<NewSuppression> = {}): NewSuppression {
  return { accountId, addressKey: address, address, reason: "manual", createdAt: now, ...more };
}
const add = (store: Store, added: NewSuppression) =>
  store.forAccount(added.accountId).suppressions.add(added, testAudit);
const nameOf = (address: string, policy?: string): SuppressionName => ({
  accountId,
  addressKey: address,
  policy,
});

/** Adds entries of another account directly, as if they existed before the store was opened. */
async function fill(count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, n) => {
    const address = `person-${n}@example.net`;
    return { _id: `acc_many:${address}:`, ...entry(address, { accountId: "acc_many" }) };
  });
  await opened.db.collection<{ _id: string }>("suppressions").insertMany(entries);
}

/** The database, with a call before each of its queries. */
function onFind(tell: () => void): Db {
  const bound = <T extends object>(target: T, name: string | symbol) => {
    const value = Reflect.get(target, name, target) as unknown;
    return typeof value === "function" ? value.bind(target) : value;
  };
  return new Proxy(opened.db, {
    get: (db, name) =>
      name === "collection"
        ? (collection: string) =>
            new Proxy(db.collection(collection), {
              get: (target, method) => {
                if (method === "find") tell();
                return bound(target, method);
              },
            })
        : bound(db, name),
  });
}

/** Outcome of a message, with the number of commands. */
async function lookUp(store: Store, recipient: string) {
  const check = createCheckSuppression({ suppressions: store.acrossAccounts.suppressions, clock });
  const before = commands.length;
  const recipientDomain = recipient.split("@")[1] ?? "";
  const end = await check(queuedMessage(now, { accountId, recipient, recipientDomain, policy: "news" }));
  return [end?.to ?? "may be sent", commands.length - before];
}

describe("never sends to a suppressed address", () => {
  it("listed before the start or added later, and sends no query for others", async () => {
    const first = openStore();
    await add(first, entry("before@example.net"));
    const store = openStore();
    // Nothing is read yet, so each address is queried.
    expect(await lookUp(store, "before@example.net")).toEqual(["suppressed", 1]);
    expect(await lookUp(store, "nobody@example.net")).toEqual(["may be sent", 1]);
    await read(store);
    expect(await lookUp(store, "before@example.net")).toEqual(["suppressed", 1]);
    expect(await lookUp(store, "nobody@example.net")).toEqual(["may be sent", 0]);
    expect(await lookUp(store, "later@example.net")).toEqual(["may be sent", 0]);
    await add(store, entry("later@example.net"));
    expect(await lookUp(store, "later@example.net")).toEqual(["suppressed", 1]);
    const removed = await store
      .forAccount(accountId)
      .suppressions.remove(nameOf("later@example.net"), now, testAudit);
    expect(removed).not.toBeNull();
    expect(await lookUp(store, "later@example.net")).toEqual(["may be sent", 1]);
    await add(store, entry("later@example.net"));
    expect(await lookUp(store, "later@example.net")).toEqual(["suppressed", 1]);
  });

  it("within a scope, or of a suppressed domain", async () => {
    const store = openStore();
    await add(store, entry("scoped@example.net", { policy: "news", reason: "unsubscribe" }));
    await add(store, entry("other@example.net", { policy: "offers", reason: "unsubscribe" }));
    await add(store, entry("@example.org"));
    for (const one of [store, openStore()]) {
      await read(one);
      expect(await lookUp(one, "scoped@example.net")).toEqual(["suppressed", 1]);
      expect(await lookUp(one, "other@example.net")).toEqual(["may be sent", 0]);
      expect(await lookUp(one, "anybody@example.org")).toEqual(["suppressed", 1]);
    }
  });

  it("added while the list is read, before or after the current position", async () => {
    await fill(600);
    const store = openStore();
    const adding: Promise<unknown>[] = [];
    const others = ["acc_a", "acc_z"];
    let pages = 0;
    onCommand = ({ command }) => {
      if (command.filter?._id?.$gt === undefined || ++pages !== 2) return;
      for (const one of others) adding.push(add(store, entry("now@example.net", { accountId: one })));
    };
    await read(store);
    await Promise.all(adding);
    expect([pages, adding.length]).toEqual([3, 2]);
    const names = others.map((one) => ({ accountId: one, addressKey: "now@example.net" }));
    const { documents } = await store.acrossAccounts.suppressions.findAmong(names, now);
    expect(documents.map((one) => one.accountId).sort()).toEqual(others);
  });

  it("from before the write of its entry, including entries of a former release", async () => {
    const listed = createListedIds(opened.db);
    await listed.read(signal);
    const outbox = createWebhookOutbox(opened.db, createEventLog(opened.db));
    const store = createSuppressionStore(opened.db, testWrites(opened.db), outbox, listed);
    const former = { _id: "sup_1", ...entry("former@example.net") };
    await opened.db.collection<{ _id: string }>("suppressions").insertOne(former);
    const stored: string[] = [];
    onCommand = ({ commandName, command }) => {
      if (commandName !== "update") return;
      const ids = (command.updates as { q: { _id: string } }[]).map(({ q }) => q._id);
      expect(listed.possible(ids)).toEqual(ids);
      stored.push(...ids);
    };
    await store.acrossAccounts.renameFormer();
    const many = [1, 2, 3].map((n) => entry(`${n}@example.net`, { policy: "news" }));
    await store.forAccount(accountId).addMany(many, now, testAudit);
    expect(stored).toHaveLength(4);
    const names = [nameOf("former@example.net"), ...many.map(({ address }) => nameOf(address, "news"))];
    expect((await store.acrossAccounts.findAmong(names, now)).documents).toHaveLength(4);
  });

  it("while the list is unreadable or the process stops: each address is queried until all is read", async () => {
    await fill(600);
    const stop = new AbortController();
    let pages = 0;
    const listed = createListedIds(
      onFind(() => {
        if (++pages === 2) throw new Error("the store is away");
        if (pages === 3) stop.abort();
      }),
    );
    const ids = ["acc_many:person-599@example.net:", "acc_many:nobody@example.net:"];
    await expect(listed.read(signal)).rejects.toThrow("the store is away");
    expect(listed.possible(ids)).toEqual(ids);
    await listed.read(stop.signal);
    expect(listed.possible(ids)).toEqual(ids);
    // The failed page, and no earlier one.
    await listed.read(signal);
    await listed.read(signal);
    expect([pages, listed.possible(ids)]).toEqual([4, ids.slice(0, 1)]);
  });

  it("if the filter is full: each address is queried", async () => {
    await fill(100);
    const listed = createListedIds(opened.db, createBloomFilter(8));
    await listed.read(signal);
    const outbox = createWebhookOutbox(opened.db, createEventLog(opened.db));
    const store = createSuppressionStore(opened.db, testWrites(opened.db), outbox, listed);
    await store.forAccount(accountId).add(entry("full@example.net"), testAudit);
    const names = ["full@example.net", "nobody@example.net"].map((address) => nameOf(address));
    expect((await store.acrossAccounts.findAmong(names, now)).documents).toHaveLength(1);
    expect(commands.at(-1)?.command.filter._id.$in).toHaveLength(2);
  });

  it("with a damaged entry: the message waits", async () => {
    const first = openStore();
    for (const name of ["damaged", "lost"])
      await add(first, entry(`${name}@example.net`, { detail: `Asked by ${name}` }));
    await damage(opened.db, "suppressions", "acc_test:damaged@example.net:", invalidUtf8("Asked by damaged"));
    await damage(opened.db, "suppressions", "acc_test:lost@example.net:", invalidUtf8("lost@example.net:"));
    const store = openStore();
    await read(store);
    await expect(lookUp(store, "damaged@example.net")).rejects.toThrow(/cannot be read/);
    expect(await lookUp(store, "nobody@example.net")).toEqual(["may be sent", 0]);
  });

  it("with an entry from any function of the store", async () => {
    const store = openStore();
    await read(store);
    let entries = 0;
    for (const call of Object.values(storeCalls)) {
      await call(store);
      const stored = await opened.db
        .collection<NewSuppression & { _id: string }>("suppressions")
        .find()
        .toArray();
      if (stored.length === 0) continue;
      const { documents } = await store.acrossAccounts.suppressions.findAmong(stored, new Date(0));
      expect(documents.map(({ _id }) => _id).sort()).toEqual(stored.map(({ _id }) => _id).sort());
      entries += stored.length;
    }
    expect(entries).toBeGreaterThan(0);
  });
});
