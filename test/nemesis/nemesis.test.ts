import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MailNetwork, startMailNetwork } from "../harness/mail-network.ts";
import { tally } from "../harness/stored.ts";
import { startClusterWorld } from "./cluster-world.ts";
import { runNemesis } from "./run.ts";
import { startSingleWorld } from "./single-world.ts";
import type { World } from "./world.ts";

const { MONGODB_URL, HERMOD_TEST_REPLICA_SET_DIR: replicaSetDirectory = "" } = process.env;
const SEED = Number(process.env.HERMOD_TEST_NEMESIS_SEED ?? 1);
const SECONDS = Number(process.env.HERMOD_TEST_NEMESIS_SECONDS ?? 25);
const PER_SECOND = Number(process.env.HERMOD_TEST_NEMESIS_PER_SECOND ?? 30);
const domains = Array.from({ length: 12 }, (_, index) => `domain-${index}.test`);
const CONCURRENCY = 50;
const SETTINGS = {
  HERMOD_LOG_LEVEL: "warn",
  HERMOD_SMTP_TIMEOUT_MS: "5000",
  HERMOD_DRAIN_MS: "3000",
  HERMOD_WORKER_CONCURRENCY: String(CONCURRENCY),
};
/** What is left over may take long to arrive on a busy machine; it ends what hangs. */
const timeout = 600_000 + 3_000 * SECONDS;

let network: MailNetwork;
let world: World | undefined;

beforeEach(async () => {
  network = await startMailNetwork(Object.fromEntries(domains.map((domain) => [domain, {}])));
});
afterEach(async () => {
  await world?.dispose();
  await network.close();
});

async function prove(struck: World): Promise<void> {
  const say = (line: string) => void process.stdout.write(`nemesis, seed ${SEED}: ${line}\n`);
  const result = await runNemesis(struck, {
    seed: SEED,
    seconds: SECONDS,
    perSecond: PER_SECOND,
    mostInFlight: CONCURRENCY * struck.processes.filter(({ delivers }) => delivers).length,
    domains,
    onProgress: say,
  });
  const { counts, ...faults } = result.verdict;
  const waits = result.submissions
    .flatMap(({ tries }) => tries.map(({ startedMs, endedMs }) => endedMs - startedMs))
    .sort((a, b) => a - b);
  const report = {
    world: struck.name,
    seed: SEED,
    strikes: Object.fromEntries(tally(result.strikes.map(({ name }) => name))),
    ...counts,
    ...Object.fromEntries(
      Object.entries(faults).map(([name, list]) => [name, typeof list === "number" ? list : list.length]),
    ),
    medianAnswerMs: Math.round(waits[Math.floor(waits.length / 2)] ?? 0),
    longestAnswerMs: Math.round(waits.at(-1) ?? 0),
    recoveredSeconds: Math.round(result.recoveredMs / 1000),
  };
  say(JSON.stringify(report));
  expect(faults).toEqual({
    lost: [],
    doubledWithoutCause: [],
    deliveredAfterNo: [],
    neverSettled: [],
    stillUnready: [],
    doubledBeyondBound: 0,
  });
}

describe.skipIf(MONGODB_URL)(`a nemesis of ${SECONDS} seconds, with seed ${SEED}`, () => {
  it("makes one process on the embedded engine lose, double and pretend nothing", { timeout }, async () => {
    world = await startSingleWorld(network, SETTINGS);
    await prove(world);
  });
});

/** It kills nodes of the replica set: in a run of its own. */
describe.skipIf(!MONGODB_URL || !replicaSetDirectory)(
  `a nemesis of ${SECONDS} seconds, with seed ${SEED}`,
  () => {
    it("makes a cluster lose, double and pretend nothing", { timeout }, async () => {
      world = await startClusterWorld(network, SETTINGS, {
        url: MONGODB_URL ?? "",
        directory: replicaSetDirectory,
      });
      await prove(world);
    });
  },
);
