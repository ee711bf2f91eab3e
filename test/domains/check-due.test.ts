import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCheckDomain } from "../../src/domains/check-domain.ts";
import { createCheckDue } from "../../src/domains/check-due.ts";
import type { DomainRecords, ReadDomain } from "../../src/domains/read-domain.ts";
import type { WantedRecord } from "../../src/domains/wanted-records.ts";
import { generateDkimKeyPair } from "../../src/message/dkim/keys.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { RecordOutcome } from "../../src/store/domain-document.ts";
import { newDomain } from "../../src/store/domain-store.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const setup = { spfTerms: [], bounceDomain: undefined };

let opened: TestStore;
let time: TestTime;
/** Two processes with the same database. */
let stores: readonly [Store, Store];
let looked: string[];
let privateKey: string;
beforeAll(async () => {
  opened = await openTestStore();
  const pair = await generateDkimKeyPair("rsa-sha256");
  privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  stores = [createStore(opened.db, testSealing), createStore(opened.db, testSealing)];
});
afterAll(() => opened.close());
beforeEach(async () => {
  time = createTestTime(Date.parse("2030-01-01T00:00:00Z"));
  looked = [];
  await opened.db.collection("domains").deleteMany({});
  await opened.db.collection("domainKeys").deleteMany({});
  await opened.db.collection("domainEvents").deleteMany({});
});

/** A result in which all records have this outcome. */
function found(wanted: readonly WantedRecord[], outcome: RecordOutcome): DomainRecords {
  const common = { outcome, authoritative: true, problem: "", note: "", aliases: [], found: [] };
  return { nameServers: ["ns1.example.com"], findings: wanted.map(({ key }) => ({ key, ...common })) };
}

/** The background work of one process. */
function turnOf(store: Store, read: ReadDomain, { signal } = new AbortController()) {
  const { clock } = time;
  const retentionMs = DAY_MS;
  const onChange = () => undefined;
  const checkDomain = createCheckDomain({ store, read, setup, clock, retentionMs, onChange });
  return createCheckDue({
    store: store.acrossAccounts,
    checkDomain,
    clock,
    log: createLogger("silent"),
    signal,
  });
}

const noting: ReadDomain = async (name, wanted) => {
  looked.push(name);
  return found(wanted, "right");
};

async function add(name: string, accountId = "acc_1"): Promise<void> {
  const account = stores[0].forAccount(accountId);
  const now = time.clock.now();
  const key = {
    domain: name,
    selector: "hm1r",
    algorithm: "rsa-sha256",
    privateKey,
    signsFrom: now,
  } as const;
  await account.domainKeys.insertFirst(name, [{ ...key, createdAt: now }], testAudit);
  await account.domains.add(newDomain(name, now), testAudit);
}

const find = (name: string, accountId = "acc_1") => stores[0].forAccount(accountId).domains.find(name);

describe("due domains", () => {
  it("are each checked by one of two processes, for all accounts", async () => {
    const names = Array.from({ length: 30 }, (_, n) => `${n}.example.com`);
    for (const [n, name] of names.entries()) await add(name, `acc_${n % 3}`);
    await Promise.all(stores.map((store) => turnOf(store, noting)()));
    expect(looked.toSorted()).toEqual(names.toSorted());
    await Promise.all(stores.map((store) => turnOf(store, noting)()));
    expect(looked).toHaveLength(30);
  });

  it("are checked again after minutes during setup, then less often, and daily when verified", async () => {
    await add("example.com");
    const unseen: ReadDomain = async (_name, wanted) => found(wanted, "missing");
    const waits: number[] = [];
    for (let read = 0; read < 60; read++) {
      const before = time.clock.now().getTime();
      await turnOf(stores[0], unseen)();
      waits.push((((await find("example.com"))?.nextCheckAt.getTime() ?? 0) - before) / MINUTE_MS);
      time.pass((waits.at(-1) ?? 0) * MINUTE_MS);
    }
    expect(waits[0]).toBeGreaterThan(1.7);
    expect(waits[0]).toBeLessThan(2.3);
    expect(waits.at(-1)).toBeGreaterThan(8);
    expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
    await turnOf(stores[0], noting)();
    const domain = await find("example.com");
    expect(domain?.status).toBe("verified");
    const days = ((domain?.nextCheckAt.getTime() ?? 0) - time.clock.now().getTime()) / DAY_MS;
    expect(Math.abs(days - 1)).toBeLessThan(0.11);
  });

  it("are spread if they were added at the same time", async () => {
    for (let n = 0; n < 20; n++) await add(`${n}.example.com`);
    await turnOf(stores[0], noting)();
    const next = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => (await find(`${n}.example.com`))?.nextCheckAt.getTime()),
    );
    expect(new Set(next).size).toBe(20);
  });

  it("pass to another process if the one that has claimed them ends", async () => {
    await add("example.com");
    const [domain] = await stores[0].acrossAccounts.domains.listDue(time.clock.now(), 1);
    expect(domain).toBeDefined();
    // The process has claimed it, and ended.
    const until = new Date(time.clock.now().getTime() + 5 * MINUTE_MS);
    expect(domain && (await stores[0].acrossAccounts.domains.claim(domain, until))).toBe(true);
    await turnOf(stores[1], noting)();
    expect(looked).toEqual([]);
    time.pass(5 * MINUTE_MS);
    await turnOf(stores[1], noting)();
    expect(looked).toEqual(["example.com"]);
    expect((await find("example.com"))?.status).toBe("verified");
  });

  it("are not delayed by a failing one, which is checked again", async () => {
    await add("bad.example.com");
    await add("good.example.com");
    const read: ReadDomain = async (name, wanted) => {
      if (name === "bad.example.com") throw new Error("no");
      return noting(name, wanted);
    };
    await turnOf(stores[0], read)();
    expect(looked).toEqual(["good.example.com"]);
    time.pass(5 * MINUTE_MS);
    await turnOf(stores[0], noting)();
    expect(looked).toContain("bad.example.com");
  });

  it("are left to another process by one that is stopping", async () => {
    for (let n = 0; n < 30; n++) await add(`${n}.example.com`);
    const ending = new AbortController();
    const read: ReadDomain = async (name, wanted) => {
      ending.abort();
      return noting(name, wanted);
    };
    await turnOf(stores[0], read, ending)();
    const count = looked.length;
    expect(count).toBeLessThanOrEqual(8);
    await turnOf(stores[1], noting)();
    expect(looked).toHaveLength(30);
    expect(new Set(looked).size).toBe(30);
  });

  it("are found despite a damaged one", async () => {
    await add("good.example.com");
    const nextCheckAt = new Date(time.clock.now().getTime() - DAY_MS);
    await opened.db
      .collection<{ _id: string }>("domains")
      .insertOne({ _id: "acc_1.damaged", nextCheckAt } as never);
    await turnOf(stores[0], noting)();
    expect(looked).toEqual(["good.example.com"]);
  });

  it("cause one event for each change of status, and none without a change", async () => {
    await add("example.com");
    for (let day = 0; day < 3; day++) {
      await Promise.all(stores.map((store) => turnOf(store, noting)()));
      time.pass(2 * DAY_MS);
    }
    expect(looked).toHaveLength(3);
    const events = await opened.db.collection("domainEvents").find().toArray();
    expect(events).toMatchObject([
      { accountId: "acc_1", domain: "example.com", from: "unverified", to: "verified" },
    ]);
  });
});
