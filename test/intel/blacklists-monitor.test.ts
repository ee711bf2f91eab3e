import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import { createCheckRound } from "../../src/intel/blacklists/check-round.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { createRunBlacklists } from "../../src/watches/run-blacklists.ts";
import { testAudit } from "../harness/audit.ts";
import { blacklistZone, openBlacklist } from "../harness/dns-blacklist.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";
import { ACCOUNT, openWatchWorld, type WatchWorld } from "../harness/watch-world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ADDRESS = "11.22.33.44";
const spamcop = openBlacklist("spamcop");
const KEY = `spamcop ${ADDRESS}`;

let opened: TestStore;
let dns: DnsServer;
let time: TestTime;
let world: WatchWorld;
let runs: (() => Promise<void>)[];
beforeAll(async () => {
  opened = await openTestStore();
  dns = await startDnsServer();
});
afterAll(async () => {
  await dns.close();
  await opened.close();
});
beforeEach(async () => {
  time = createTestTime(Date.parse("2030-01-01T00:00:00Z"));
  for (const name of [
    ...["workspaces", "intelClients", "watchedDomains", "watchedChecks", "scorePoints", "watchChanges"],
    ...["blacklistStates", "blacklistWatches", "blacklistTrusts"],
  ])
    await opened.db.collection(name).deleteMany({});
  world = await openWatchWorld({ db: opened.db, time, lists: [spamcop] });
  // Two processes with one database.
  runs = [process(), process()];
  dns.serve(blacklistZone(spamcop));
});

function process() {
  const { clock } = time;
  const resolver = createResolver({ servers: [dns.address], clock });
  return createRunBlacklists({
    store: world.store.acrossAccounts,
    lists: [spamcop],
    clock,
    log: createLogger("silent"),
    checkRound: createCheckRound({ resolver, clock }),
    signal: new AbortController().signal,
  });
}

/** Lets time pass, and runs the turns of both processes. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 5 * MINUTE_MS) {
    time.pass(Math.min(left, 5 * MINUTE_MS));
    await Promise.all(runs.map((run) => run()));
    await world.turn();
  }
}

const stateNow = async () => (await world.store.blacklistStates.find([KEY])).get(KEY)?.state;
const kinds = async () => (await world.changes()).map(({ kind }) => kind);
const list = (entries: Readonly<Record<string, string>>) => dns.serve(blacklistZone(spamcop, entries));

describe("a sending address", () => {
  it("is reported as listed after a confirmation check, and as delisted after two checks", async () => {
    await world.add("nordwind.example.com", { sendingIps: [ADDRESS] });
    await pass(HOUR_MS);
    expect(await stateNow()).toBe("clean");
    list({ [ADDRESS]: "127.0.0.2" });
    await pass(3 * HOUR_MS);
    expect(await stateNow()).toBe("listed");
    expect((await kinds()).slice(1).toSorted()).toEqual([
      "blacklist.listed",
      "finding.opened",
      "watched_domain.status_changed",
    ]);
    expect(await world.find("nordwind.example.com")).toMatchObject({ listings: 1, status: "warning" });
    const { workspaces } = world.store.forAccount(ACCOUNT);
    expect((await workspaces.list())[0]?.tally.listings).toBe(1);
    list({});
    await pass(6 * HOUR_MS);
    expect(await stateNow()).toBe("clean");
    expect(await kinds()).toContain("blacklist.delisted");
    expect(await world.find("nordwind.example.com")).toMatchObject({ listings: 0, status: "healthy" });
  });

  it("is queried once for all domains that send from it, and all of them are updated", async () => {
    const reversed = "44.33.22.11.bl.spamcop.net";
    const before = dns.count(reversed, "A");
    const names = Array.from({ length: 12 }, (_, n) => `d${n}.example.com`);
    for (const name of names) await world.add(name, { sendingIps: [ADDRESS] });
    list({ [ADDRESS]: "127.0.0.2" });
    await pass(HOUR_MS);
    expect((await kinds()).filter((kind) => kind === "blacklist.listed")).toHaveLength(names.length);
    expect(dns.count(reversed, "A") - before).toBeLessThanOrEqual(3);
  });

  it("is not clean while the list gives no credible answer", async () => {
    // A dead list lists everything.
    const everything = { A: ["127.0.0.2"] };
    dns.serve({
      "44.33.22.11.bl.spamcop.net": everything,
      "2.0.0.127.bl.spamcop.net": everything,
      "1.0.0.127.bl.spamcop.net": everything,
    });
    await world.add("nordwind.example.com", { sendingIps: [ADDRESS] });
    await pass(2 * HOUR_MS);
    expect(await stateNow()).toBe("unreliable");
    expect(await kinds()).toEqual(["watched_domain.status_changed"]);
  });

  it("is removed when no domain sends from it any more", async () => {
    const { _id } = await world.add("nordwind.example.com", { sendingIps: [ADDRESS] });
    await pass(HOUR_MS);
    await world.store.forAccount(ACCOUNT).watches.remove(_id, testAudit);
    await pass(6 * HOUR_MS);
    expect(await opened.db.collection("blacklistStates").countDocuments({ listId: "spamcop" })).toBe(0);
    expect(await opened.db.collection("blacklistWatches").countDocuments({})).toBe(0);
  });
});

it("delivers the state of an ended process through another process", async () => {
  await world.add("nordwind.example.com", { sendingIps: [ADDRESS] });
  await pass(HOUR_MS);
  const state = (await world.store.blacklistStates.find([KEY])).get(KEY);
  if (!state) throw new Error("nothing is known");
  // The process has stored a state, and ended before it updated the watches.
  await world.store.acrossAccounts.blacklists.keep([{ ...state, state: "error", untold: true }]);
  await pass(5 * MINUTE_MS);
  const [watch] = await opened.db.collection("blacklistWatches").find({ key: KEY }).toArray();
  expect(watch).toMatchObject({ state: "error" });
  expect(await opened.db.collection("blacklistStates").countDocuments({ untold: true })).toBe(0);
});

it("queries a list within its budget, across processes", async () => {
  for (let n = 0; n < 60; n++) await world.add(`d${n}.example.com`, { sendingIps: [`11.22.34.${n}`] });
  const meagre = openBlacklist("spamcop", { queriesPerDay: 120 });
  const { clock } = time;
  const resolver = createResolver({ servers: [dns.address], clock });
  const run = createRunBlacklists({
    store: world.store.acrossAccounts,
    lists: [meagre],
    clock,
    log: createLogger("silent"),
    checkRound: createCheckRound({ resolver, clock }),
    signal: new AbortController().signal,
  });
  const before = dns.queries.length;
  for (let n = 0; n < 24 * 6; n++) {
    time.pass(10 * MINUTE_MS);
    await run();
  }
  expect(dns.queries.length - before).toBeLessThanOrEqual(120);
  expect(dns.queries.length - before).toBeGreaterThan(60);
});

it("counts the whole remaining budget as spent when a process ends during a round", async () => {
  const { blacklists } = world.store.acrossAccounts;
  const { clock } = time;
  const inTen = () => new Date(clock.now().getTime() + 10 * MINUTE_MS);
  const held = await blacklists.hold("spamcop", clock.now(), inTen());
  if (!held) throw new Error("somebody has it");
  const allowance = { queries: 100, at: clock.now() };
  await blacklists.release({ ...held, allowance, heldUntil: clock.now() });
  expect(await blacklists.hold("spamcop", clock.now(), inTen())).toMatchObject({ allowance });
  expect(await blacklists.hold("spamcop", clock.now(), inTen())).toBeUndefined();
  // The process has ended, and its claim expires.
  time.pass(11 * MINUTE_MS);
  expect(await blacklists.hold("spamcop", clock.now(), inTen())).toMatchObject({ allowance: { queries: 0 } });
});
