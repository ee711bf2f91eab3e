import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { CoreClient } from "../../src/rpc/client.ts";
import {
  connectCore,
  eventually,
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";
import { untilAllCaptured } from "../harness/stored.ts";
import { freePort } from "../harness/tcp-proxy.ts";

/** Number of partitions of a new store for several processes. */
const PARTITIONS = 192;
const token = randomBytes(32).toString("base64url");
const ending: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** A metric of a process; 0 if it is missing. */
async function metric({ adminUrl }: HermodProcess, sample: string): Promise<number> {
  const lines = (await (await fetch(`${adminUrl}/metrics`)).text()).split("\n");
  return Number(lines.find((line) => line.startsWith(`${sample} `))?.slice(sample.length) ?? 0);
}

const handedOver = (running: HermodProcess, via: string) =>
  metric(running, `hermod_handover_total{via="${via}"}`);

async function untilMetric(running: HermodProcess, sample: string, value: number): Promise<void> {
  await eventually(async () => ((await metric(running, sample)) === value ? true : undefined), 60_000);
}

/** Every partition has a worker that receives messages from this core. */
const untilSubscribed = (core: HermodProcess) => untilMetric(core, "hermod_dispatch_partitions", PARTITIONS);

async function sendMany(core: CoreClient, apiKey: string, count: number): Promise<void> {
  const recipients = Array.from({ length: count }, (_, number) => `ada@domain-${number}.example`);
  await Promise.all(
    recipients.map((to) =>
      core.sendEmail({
        apiKey,
        email: { from: "hello@example.com", to: [to], subject: "Hello", text: "Hello, Ada." },
      }),
    ),
  );
}

const send = (hermod: Hermod, count: number) => sendMany(hermod.core, hermod.firstRun.api_key, count);

interface Counter {
  readonly of: HermodProcess;
  readonly via: string;
  /** Expected increase per sent message. */
  readonly by: number;
}

/**
 * Sends until all messages have used the expected path: while a store is too slow to extend leases, messages are
 * found by polling instead.
 */
async function untilHandedOver(
  core: Pick<Hermod, "core">,
  sendAll: () => Promise<unknown>,
  counters: readonly Counter[],
): Promise<void> {
  const read = () => Promise.all(counters.map(({ of, via }) => handedOver(of, via)));
  await eventually(async () => {
    const before = await read();
    await sendAll();
    await untilAllCaptured(core);
    const after = await read();
    return counters.every(({ by }, at) => (after[at] ?? 0) - (before[at] ?? 0) === by) ? true : undefined;
  }, 90_000);
}

it("hands messages over without a stream within one process", async () => {
  const hermod = await startHermod();
  ending.push(hermod.dispose);
  await untilHandedOver(hermod, () => send(hermod, 20), [{ of: hermod, via: "process", by: 20 }]);
  expect(await handedOver(hermod, "stream")).toBe(0);
});

describe.skipIf(!process.env.MONGODB_URL)("between processes", { timeout: 180_000 }, () => {
  async function startCore(): Promise<Hermod> {
    const settings = { HERMOD_GRPC_TOKEN: token, HERMOD_GRPC_PORT: String(await freePort()) };
    const core = await startHermod({ roles: "core", settings });
    ending.push(core.dispose);
    return core;
  }

  /** Starts another process on the first core's database. */
  async function join(first: Hermod, roles: string, more: Readonly<Record<string, string>>) {
    const settings = await newSettings();
    const { MONGODB_URL, MONGODB_DATABASE } = first.env;
    const env = { ...settings, MONGODB_URL, MONGODB_DATABASE, HERMOD_GRPC_TOKEN: token, ...more };
    const running = await startProcess(env, roles);
    ending.push(
      () => removeData({ HERMOD_DATA_DIR: settings.HERMOD_DATA_DIR } as NodeJS.ProcessEnv),
      running.kill,
    );
    return running;
  }

  const joinWorker = (core: Hermod, addresses = core.firstRun.grpc.address) =>
    join(core, "worker", { HERMOD_GRPC_ADDRESS: addresses });

  it("every message reaches its worker through the stream", async () => {
    const core = await startCore();
    const worker = await joinWorker(core);
    await untilSubscribed(core);
    await untilHandedOver(core, () => send(core, 100), [
      { of: core, via: "stream", by: 100 },
      { of: worker, via: "stream", by: 100 },
      { of: core, via: "polling", by: 0 },
    ]);
  });

  it("messages of partitions that move are handed over to their new worker", async () => {
    const core = await startCore();
    const [leaving, staying] = [await joinWorker(core), await joinWorker(core)];
    await untilMetric(core, "hermod_dispatch_partitions", PARTITIONS);
    await leaving.stop();
    await untilSubscribed(core);
    await untilHandedOver(core, () => send(core, 100), [{ of: staying, via: "stream", by: 100 }]);
  });

  it("a restarted core hands messages over again", async () => {
    const core = await startCore();
    const worker = await joinWorker(core);
    await untilSubscribed(core);
    await core.kill();
    const again = await core.restart();
    ending.push(again.dispose);
    await untilSubscribed(again);
    await untilHandedOver(again, () => send(again, 100), [
      { of: again, via: "stream", by: 100 },
      { of: worker, via: "stream", by: 100 },
    ]);
  });

  it("each of two cores hands over its own messages", async () => {
    const first = await startCore();
    const port = String(await freePort());
    const second = await join(first, "core", { HERMOD_GRPC_PORT: port });
    const address = `127.0.0.1:${port}`;
    const client = connectCore(second.env, { address, token });
    ending.push(client.close);
    const worker = await joinWorker(first, `${first.firstRun.grpc.address},${address}`);
    await Promise.all([first, second].map(untilSubscribed));
    const sendBoth = () => Promise.all([send(first, 50), sendMany(client, first.firstRun.api_key, 50)]);
    await untilHandedOver(first, sendBoth, [
      { of: first, via: "stream", by: 50 },
      { of: second, via: "stream", by: 50 },
      { of: worker, via: "stream", by: 100 },
    ]);
  });
});
