import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CrashFleet, startFleet, startSingle } from "../harness/crash-fleet.ts";
import { type CrashLoad, createCrashLoad } from "../harness/crash-load.ts";
import { countDuplicates, type Kill } from "../harness/in-flight.ts";
import { type MailNetwork, startMailNetwork } from "../harness/mail-network.ts";
import type { MxBehaviour } from "../harness/mx-behaviour.ts";
import { miscounted } from "../harness/recount.ts";
import { replicaSet } from "../harness/replica-set.ts";
import { eventually } from "../harness/start-hermod.ts";
import { openStoreClient, withStore } from "../harness/store-client.ts";
import { allMessages, tally } from "../harness/stored.ts";

const { MONGODB_URL, HERMOD_TEST_REPLICA_SET_DIR: replicaSetDir = "" } = process.env;
const MESSAGES = Number(process.env.HERMOD_TEST_CRASH_MESSAGES ?? 300);
const ROUNDS = Number(process.env.HERMOD_TEST_CRASH_KILLS ?? 2);
const ROUND_MS = 5_000;
const CLIENTS = 16;
const WORKERS = 3;
const CONCURRENCY = 20;
const CORE_EVERY = 3;
/** The number of remaining messages must decrease within this time. */
const STALL_MS = 60_000;
/** Deferred messages are made due at this interval, to accelerate the test. */
const MAKE_DUE_MS = 1_000;
/**
 * Interval for messages that a killed worker had hidden from their next owner. It is longer than the allowed silence
 * of a connection to a dead node: messages in progress must not be made due.
 */
const REVEAL_MS = 30_000;

/** Eight kinds of servers, in turn. None causes a duplicate by itself. The first four accept immediately. */
const PROMPT_KINDS = 4;
const kinds: readonly MxBehaviour[] = [
  {},
  { replyDelayMs: 2 },
  { replyDelayMs: 20 },
  { tls: "none" },
  { messagesPerConnection: 20 },
  { maxConnections: 3, replyDelayMs: 5 },
  { dropsAt: "before_dot", drops: 5 },
  { greylistMs: 1 },
];
const domains = Array.from({ length: 40 }, (_, index) => `domain-${index}.test`);

let network: MailNetwork;
let fleet: CrashFleet;

beforeEach(async () => {
  network = await startMailNetwork(
    Object.fromEntries(domains.map((domain, index) => [domain, kinds[index % kinds.length] ?? {}])),
  );
});
afterEach(async () => {
  await fleet.dispose();
  await network.close();
});

/** Until the returned function is called. */
function keepMakingDue(): () => Promise<void> {
  let going = true;
  const stored = openStoreClient(fleet.hermod());
  const loop = (async () => {
    while (going) {
      await stored.db
        .collection("messages")
        .updateMany(
          { state: "deferred", nextAttemptAt: { $gt: new Date() } },
          { $set: { nextAttemptAt: new Date() } },
        )
        .catch(() => undefined);
      await sleep(MAKE_DUE_MS);
    }
    await stored.close();
  })();
  return () => {
    going = false;
    return loop;
  };
}

async function whatIsLeft(db: Db): Promise<string> {
  const left = { state: { $ne: "delivered" } };
  const [count, messages, workers, leases] = await Promise.all([
    db.collection("messages").countDocuments(left),
    db.collection("messages").find(left).limit(5).toArray(),
    db.collection("workers").find().toArray(),
    db.collection("partitions").find().limit(100).toArray(),
  ]);
  return JSON.stringify({ at: new Date(), count, messages, workers, leases });
}

/** While there is progress, on any machine. */
async function untilDelivered(): Promise<void> {
  const { db, close } = openStoreClient(fleet.hermod());
  const messages = db.collection("messages");
  const hidden = () => ({ held: true, nextAttemptAt: { $gt: new Date() } });
  for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
    const before = left;
    const sinceMs = Date.now();
    const ask = async () => {
      const now = await messages.countDocuments({ state: { $ne: "delivered" } });
      if (Date.now() - sinceMs > REVEAL_MS)
        await messages.updateMany(hidden(), { $set: { nextAttemptAt: new Date() } });
      return now < before ? now : undefined;
    };
    try {
      left = await eventually(() => ask().catch(() => undefined), STALL_MS);
    } catch (cause) {
      throw new Error(`Nothing was delivered for ${STALL_MS} ms: ${await whatIsLeft(db)}`, { cause });
    }
    await sleep(200);
  }
  await close();
}

/** Seconds from the answer to the arrival, ascending, for messages that only a kill can delay. */
function waits({ accepted }: CrashLoad): number[] {
  const prompt = domains.filter((_, index) => index % kinds.length < PROMPT_KINDS);
  return [...accepted]
    .filter(([, { domain }]) => prompt.includes(domain))
    .map(([id, { atMs }]) => ((network.receipts.get(id)?.[0]?.atMs ?? Number.NaN) - atMs) / 1000)
    .toSorted((a, b) => a - b);
}

async function prove(strike: (round: number) => Promise<readonly Kill[]>): Promise<void> {
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await fleet.hermod().core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
  const load = createCrashLoad({ hermod: fleet.hermod, domains, clients: CLIENTS });
  const stopMakingDue = keepMakingDue();
  const startedMs = performance.now();
  const kills: Kill[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const roundEnd = sleep(ROUND_MS);
    const loading = load.submit(Math.ceil(MESSAGES / ROUNDS));
    await sleep(randomInt(200, 1_500));
    kills.push(...(await strike(round)));
    await Promise.all([loading, roundEnd]);
  }
  const loadedMs = performance.now();
  await untilDelivered();
  const drainedMs = performance.now();
  await stopMakingDue();

  const stored = await allMessages(fleet.hermod());
  const duplicates = countDuplicates(network.receipts, kills);
  const ids = [...load.accepted.keys()];
  const lost = ids.filter((id) => !network.receipts.has(id));
  const wrong = await withStore(fleet.hermod(), miscounted);
  const bound = kills.reduce((sum, { mostInFlight }) => sum + mostInFlight, 0);
  const waited = waits(load);
  const report = {
    accepted: ids.length,
    lost: lost.length,
    duplicates: duplicates.extra,
    bound,
    unexplained: duplicates.unexplained.length,
    kills: Object.fromEntries(tally(kills.map(({ what }) => what))),
    primaryAwaySeconds: kills.flatMap(({ recoveredMs, atMs }) =>
      recoveredMs === undefined ? [] : ((recoveredMs - atMs) / 1000).toFixed(1),
    ),
    mostByOneKill: Math.max(...duplicates.byKill.values()),
    attempts: stored.reduce((sum, { attempts }) => sum + attempts, 0),
    ...load.counts,
    medianWaitSeconds: waited[Math.floor(waited.length / 2)]?.toFixed(2),
    longestWaitSeconds: waited.at(-1)?.toFixed(2),
    loadSeconds: Math.round((loadedMs - startedMs) / 1000),
    drainSeconds: Math.round((drainedMs - loadedMs) / 1000),
  };
  process.stdout.write(`delivery crash: ${JSON.stringify(report)}\n`);

  expect(load.unexpected).toEqual([]);
  expect(lost).toEqual([]);
  expect(stored.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(new Set(stored.map(({ state }) => state))).toEqual(new Set(["delivered"]));
  expect([...network.receipts.keys()].toSorted()).toEqual(ids.toSorted());
  expect(wrong.found).toEqual(wrong.expected);
  expect(duplicates.unexplained).toEqual([]);
  for (const [kill, count] of duplicates.byKill) expect(count).toBeLessThanOrEqual(kill.mostInFlight);
}

/** A round takes longer if a killed process starts slowly. */
const timeout = 120_000 + 6 * ROUNDS * ROUND_MS + 20 * MESSAGES;

describe.skipIf(MONGODB_URL)(`${ROUNDS} kills of one process on the embedded engine`, () => {
  it("lose none of the delivered messages, and repeat only messages in flight", {
    timeout,
  }, async () => {
    fleet = await startSingle({ settings: network.settings, concurrency: CONCURRENCY });
    await prove(async () => [await fleet.killWorker(0)]);
  });
});

/** A separate run with all processes, because it kills the replica set's primary. */
describe.skipIf(!MONGODB_URL || !replicaSetDir)(`${ROUNDS} kills of three workers, core and primary`, () => {
  it("lose none of the delivered messages, and repeat only messages in flight", {
    timeout,
  }, async () => {
    fleet = await startFleet({ settings: network.settings, concurrency: CONCURRENCY }, WORKERS);
    const set = replicaSet(replicaSetDir, MONGODB_URL ?? "");
    const primaryRounds = [Math.floor(ROUNDS / 3), Math.floor((2 * ROUNDS) / 3)];
    await prove(async (round) => {
      const kills = [fleet.killWorker(randomInt(WORKERS))];
      if (round % CORE_EVERY === 1) kills.push(fleet.killCore());
      if (primaryRounds.includes(round)) {
        const mostInFlight = WORKERS * CONCURRENCY;
        kills.push(set.killPrimary().then((times) => ({ what: "primary", mostInFlight, ...times })));
      }
      return Promise.all(kills);
    });
  });
});
