import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MailNetwork, startMailNetwork } from "../harness/mail-network.ts";
import { tally } from "../harness/stored.ts";
import { startClusterWorld } from "./cluster-world.ts";
import type { History } from "./history.ts";
import { whatWaits } from "./queue.ts";
import { runNemesis } from "./run.ts";
import { startSingleWorld } from "./single-world.ts";
import type { World } from "./world.ts";

const { MONGODB_URL, HERMOD_TEST_REPLICA_SET_DIR: replicaSetDirectory = "" } = process.env;
const SEED = Number(process.env.HERMOD_TEST_NEMESIS_SEED ?? 1);
const SECONDS = Number(process.env.HERMOD_TEST_NEMESIS_SECONDS ?? 8);
const PER_SECOND = Number(process.env.HERMOD_TEST_NEMESIS_PER_SECOND ?? 30);
const ONLY = process.env.HERMOD_TEST_NEMESIS_FAULTS?.split(",");
const domains = Array.from({ length: 12 }, (_, index) => `domain-${index}.test`);
const CONCURRENCY = 50;
const SETTINGS = {
  HERMOD_LOG_LEVEL: "warn",
  HERMOD_SMTP_TIMEOUT_MS: "5000",
  HERMOD_DRAIN_MS: "3000",
  HERMOD_WORKER_CONCURRENCY: String(CONCURRENCY),
};
/** Remaining messages may take long to arrive on a busy machine. The timeout ends a hanging run. */
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
  const { history, verdict } = await runNemesis(struck, {
    seed: SEED,
    seconds: SECONDS,
    perSecond: PER_SECOND,
    mostInFlight: CONCURRENCY * struck.processes.filter(({ roles }) => /worker|all/.test(roles)).length,
    domains,
    only: ONLY,
    onProgress: say,
  });
  const { counts, violations, recoveredMs } = verdict;
  const waits = history.submissions
    .flatMap(({ tries }) => tries.map(({ startedMs, endedMs }) => endedMs - startedMs))
    .sort((a, b) => a - b);
  const report = {
    strikes: Object.fromEntries(tally(history.strikes.map(({ name }) => name))),
    ...counts,
    violations,
    medianAnswerMs: Math.round(waits[Math.floor(waits.length / 2)] ?? 0),
    longestAnswerMs: Math.round(waits.at(-1) ?? 0),
    recoveredSeconds: Object.fromEntries(
      Object.entries(recoveredMs).map(([name, ms = Number.NaN]) => [name, Math.round(ms / 1000)]),
    ),
  };
  say(JSON.stringify(report));
  const { doubledBeyondBound, ...lists } = violations;
  const found = doubledBeyondBound + Object.values(lists).flat().length;
  if (found > 0) say(`what was seen, and the logs, are in ${await keep(history, struck)}`);
  expect(violations).toEqual({
    lost: [],
    doubledWithoutCause: [],
    deliveredAfterNo: [],
    neverSettled: [],
    doubledBeyondBound: 0,
    falselyReady: [],
    falselyUnready: [],
    recoveredLate: [],
  });
}

/** Stores the history for an analysis. */
async function keep(history: History, { processes, withStore }: World): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), `hermod-nemesis-seed-${SEED}-`));
  await writeFile(path.join(directory, "history.json"), JSON.stringify(history));
  const waiting = await withStore(whatWaits).catch((error: unknown) => ({ error: String(error) }));
  await writeFile(path.join(directory, "waiting.json"), JSON.stringify(waiting));
  for (const { name, log } of processes) await writeFile(path.join(directory, `${name}.log`), log());
  return directory;
}

describe.skipIf(MONGODB_URL)(`a nemesis of ${SECONDS} seconds, with seed ${SEED}`, () => {
  it("loses nothing, doubles nothing and reports no false state with one process on the embedded engine", {
    timeout,
  }, async () => {
    world = await startSingleWorld(network, SETTINGS);
    await prove(world);
  });
});

/** A separate run, because it kills nodes of the replica set. */
describe.skipIf(!MONGODB_URL || !replicaSetDirectory)(
  `a nemesis of ${SECONDS} seconds, with seed ${SEED}`,
  () => {
    it("loses nothing, doubles nothing and reports no false state with a cluster", { timeout }, async () => {
      world = await startClusterWorld(network, SETTINGS, {
        url: MONGODB_URL ?? "",
        directory: replicaSetDirectory,
      });
      await prove(world);
    });
  },
);
