import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkParts } from "../../src/intel/run-checks.ts";
import { createStore } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";
import { ACCOUNT, openWatchWorld, type WatchWorld } from "../harness/watch-world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NAME = "nordwind.example.com";

let opened: TestStore;
let time: TestTime;
let world: WatchWorld;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());
beforeEach(async () => {
  time = createTestTime(Date.parse("2030-01-01T00:00:00Z"));
  for (const name of [
    ...["workspaces", "intelClients", "watchedDomains", "watchedChecks", "scorePoints", "watchChanges"],
    ...["blacklistStates", "blacklistWatches"],
  ])
    await opened.db.collection(name).deleteMany({});
  world = await openWatchWorld({ db: opened.db, time });
});

/** Lets time pass, in steps of a minute. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE_MS) {
    time.pass(Math.min(left, MINUTE_MS));
    await world.turn();
  }
}

const kinds = async () =>
  (await world.changes()).map(({ kind, checkId = "" }) => `${kind} ${checkId}`.trim());

describe("a watched domain", () => {
  it.each(["ends", "fails"])("shows that a check runs until the check %s", async (outcome) => {
    const seen: unknown[] = [];
    await opened.db.collection("intelClients").deleteMany({});
    const checked: WatchWorld = await openWatchWorld({
      db: opened.db,
      time,
      runChecks: async (_domain, _reason, onPart) => {
        seen.push((await checked.find(NAME)).checking);
        for (const part of checkParts) onPart?.(part);
        if (outcome === "fails") throw new Error("the process has a fault");
        return [];
      },
    });
    await checked.add(NAME);
    await checked.turn();
    expect(seen).toEqual([{ since: time.clock.now(), done: [] }]);
    expect(await checked.find(NAME)).not.toHaveProperty("checking");
  });

  it("is checked immediately, and reports only its status", async () => {
    world.sights.set(NAME, { "auth.dmarc.policy": "warn", "auth.dmarc.rua": "fail" });
    await world.add(NAME);
    expect(await world.find(NAME)).toMatchObject({ status: "pending", score: null });
    await world.turn();
    const domain = await world.find(NAME);
    expect(domain).toMatchObject({ status: "warning", findingIds: ["auth.dmarc.policy", "auth.dmarc.rua"] });
    expect(domain.findings).toEqual({ critical: 0, warning: 1, info: 1 });
    expect(domain.score).toBeGreaterThan(50);
    expect(await kinds()).toEqual(["watched_domain.status_changed"]);
    expect(await world.store.forAccount(ACCOUNT).watches.history(domain._id)).toHaveLength(1);
  });

  it("is reported after a confirmation check by the zone's own servers", async () => {
    await world.add(NAME);
    await world.turn();
    world.sights.set(NAME, { "auth.spf.all": "fail" });
    await pass(7 * HOUR_MS);
    const seen = world.looks.filter(({ at }) => at.getTime() > Date.parse("2030-01-01T00:00:00Z"));
    expect(seen.map(({ reason }) => reason)).toEqual(["due", "second"]);
    expect(Number(seen[1]?.at) - Number(seen[0]?.at)).toBe(5 * MINUTE_MS);
    expect(await kinds()).toEqual([
      "watched_domain.status_changed",
      "watched_domain.status_changed",
      "finding.opened auth.spf.all",
    ]);
    expect(await world.find(NAME)).toMatchObject({ status: "critical" });
  });

  it("is not reported for a result that the confirmation check contradicts", async () => {
    await world.add(NAME);
    await world.turn();
    world.sights.set(NAME, { "auth.spf.all": "fail" });
    while (world.looks.length < 2) await pass(MINUTE_MS);
    world.sights.delete(NAME);
    await pass(HOUR_MS);
    expect(await kinds()).toEqual(["watched_domain.status_changed"]);
    expect(await world.find(NAME)).toMatchObject({ status: "healthy" });
  });

  it("keeps its score through two days of errors, and is unknown after that", async () => {
    await world.add(NAME);
    await world.turn();
    const { score, coverage } = await world.find(NAME);
    world.sights.set(NAME, Object.fromEntries((await checksOf()).map((id) => [id, "error" as const])));
    await pass(40 * HOUR_MS);
    expect(await world.find(NAME)).toMatchObject({ status: "healthy", score, coverage });
    expect((await world.find(NAME)).lastError).toContain("It is seen as error.");
    await pass(20 * HOUR_MS);
    expect(await world.find(NAME)).toMatchObject({ status: "error", score: null, grade: null });
    world.sights.delete(NAME);
    await pass(7 * HOUR_MS);
    expect(await world.find(NAME)).toMatchObject({ status: "healthy", score });
  });

  it("is checked again after 5 and 15 minutes and an hour if a check failed", async () => {
    world.sights.set(NAME, { "auth.spf.exists": "error" });
    await world.add(NAME);
    await world.turn();
    await pass(10 * HOUR_MS);
    const minutes = world.looks.map(
      ({ at }) => (at.getTime() - Date.parse("2030-01-01T00:00:00Z")) / MINUTE_MS,
    );
    expect(minutes.slice(0, 4)).toEqual([0, 5, 20, 80]);
    expect(minutes[4]).toBeGreaterThanOrEqual(80 + 0.9 * 360);
    expect(minutes[4]).toBeLessThanOrEqual(81 + 1.1 * 360);
  });

  it("accepts a repair at once if its owner requests the check", async () => {
    world.sights.set(NAME, { "auth.spf.all": "fail" });
    await world.add(NAME);
    await world.turn();
    world.sights.delete(NAME);
    await world.check(NAME);
    expect(world.looks.at(-1)).toMatchObject({ reason: "asked" });
    expect(await world.find(NAME)).toMatchObject({ status: "healthy", findingIds: [] });
    expect((await kinds()).slice(1)).toEqual([
      "watched_domain.status_changed",
      "finding.resolved auth.spf.all",
    ]);
  });

  it("is not checked while it is paused, and is checked when it is resumed", async () => {
    const { _id: id, subjects } = await world.add(NAME, { paused: true });
    await pass(12 * HOUR_MS);
    expect(world.looks).toEqual([]);
    const { watches } = world.store.forAccount(ACCOUNT);
    const settings = { role: "sending", dkimSelectors: [], sendingIps: [], paused: false, subjects } as const;
    await watches.update(id, settings, undefined, testAudit);
    await pass(MINUTE_MS);
    expect(await world.find(NAME)).toMatchObject({ status: "healthy", paused: false });
  });

  it("is checked by one of several processes, and by another one if that process has ended", async () => {
    await world.add(NAME);
    const other = createStore(opened.db, testSealing).acrossAccounts.watches;
    const [seen] = await other.listDue(time.clock.now(), 10);
    if (!seen) throw new Error("nothing is due");
    // The process claims the check run, and ends.
    await other.claim(seen, new Date(time.clock.now().getTime() + 5 * MINUTE_MS));
    await Promise.all([world.turn(), world.turn()]);
    expect(world.looks).toEqual([]);
    await pass(6 * MINUTE_MS);
    expect(world.looks).toHaveLength(1);
  });

  it("stores no results if the domain is changed during the check run", async () => {
    const before = await world.add(NAME);
    const { watches } = world.store.forAccount(ACCOUNT);
    const { subjects } = before;
    await watches.update(
      before._id,
      { role: "parked", dkimSelectors: [], sendingIps: [], paused: false, subjects },
      undefined,
      testAudit,
    );
    const standing = { status: "healthy", score: 100 } as never;
    const looked = {
      standing,
      checks: [],
      listed: [],
      checkedAt: time.clock.now(),
      dueAt: time.clock.now(),
      failures: 0,
      changes: [],
      events: [],
    };
    expect(await world.store.acrossAccounts.watches.keep(before, looked, undefined)).toBeUndefined();
    expect(await world.find(NAME)).toMatchObject({ role: "parked", status: "pending" });
  });

  it("is counted by its state in its workspace and its client", async () => {
    world.sights.set("b.example.com", { "auth.spf.all": "fail" });
    for (const name of ["a.example.com", "b.example.com", "c.example.com"]) await world.add(name);
    await world.turn();
    const [workspace] = await world.store.forAccount(ACCOUNT).workspaces.list();
    expect(workspace?.tally).toMatchObject({ domains: 3, scored: 3 });
    const { byStatus = {} } = workspace?.tally ?? {};
    expect(byStatus).toMatchObject({ healthy: 2, critical: 1, pending: 0 });
    await world.store.forAccount(ACCOUNT).watches.remove((await world.find("b.example.com"))._id, testAudit);
    const [after] = await world.store.forAccount(ACCOUNT).workspaces.list();
    expect(after?.tally).toMatchObject({ domains: 2, scored: 2, scoreSum: 200 });
  });
});

async function checksOf(): Promise<string[]> {
  const domain = await world.find(NAME);
  const known = await world.store.acrossAccounts.watches.findChecks(domain);
  return (known?.checks ?? []).map(({ id }) => id);
}

/** Increase it for a manual test: 10,000 domains keep their periods on one worker. */
const MANY = Number(process.env.HERMOD_TEST_WATCHES ?? 200);

/** Three check runs for each domain take minutes. */
const MANY_MS = Math.max(180_000, MANY * 300);

it(`${MANY} domains keep their periods, spread over the day`, { timeout: MANY_MS }, async () => {
  for (let from = 0; from < MANY; from += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, MANY - from) }, (_, n) => world.add(`d${from + n}.example.com`)),
    );
  const perTurn: number[] = [];
  for (let minute = 0; minute < 14 * 60; minute += 5) {
    time.pass(5 * MINUTE_MS);
    const before = world.looks.length;
    // As many turns as a process runs in five minutes.
    for (let turn = 0; turn < 150 && (turn === 0 || world.looks.length - before === turn * 200); turn++)
      await world.turn();
    perTurn.push(world.looks.length - before);
  }
  const of = new Map<string, number[]>();
  for (const { name, at } of world.looks) of.set(name, [...(of.get(name) ?? []), at.getTime()]);
  expect(of.size).toBe(MANY);
  for (const times of of.values()) {
    expect(times).toHaveLength(3);
    for (const [index, at] of times.entries()) {
      const sinceMs = at - (times[index - 1] ?? at);
      if (index > 0) expect(sinceMs).toBeGreaterThanOrEqual(0.9 * 6 * HOUR_MS - 5 * MINUTE_MS);
      if (index > 0) expect(sinceMs).toBeLessThanOrEqual(1.1 * 6 * HOUR_MS + 5 * MINUTE_MS);
    }
  }
  // The first check runs are concurrent, the third are spread.
  const third = perTurn.slice(-36);
  expect(Math.max(...third)).toBeLessThan(MANY / 4);
});
