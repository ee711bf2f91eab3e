import { readdir, readFile } from "node:fs/promises";
import { expect, onTestFinished as finish, it } from "vitest";
import { startDnsServer } from "../harness/dns-server.ts";
import {
  offering,
  type Peer,
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from "../harness/scripted-server.ts";
import { startSharedStore } from "../harness/shared-store.ts";
import {
  eventually,
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";
import { tally } from "../harness/stored.ts";
import { envelopeTo, plainSource } from "../harness/submission.ts";
import { freePort } from "../harness/tcp-proxy.ts";

/** Messages to each server. */
const MESSAGES = 24;
const PAUSED = "paused.workers.test";
/** Includes the expiry of leases on a busy machine. */
const PATIENCE_MS = 150_000;
/** Minimum number of started attempts at each server. */
const HELD = 4;

/** Extensions of each server. */
const pipelining = offering("PIPELINING", "8BITMIME");
const steps = [
  { name: "data", step: "DATA", text: "354 go ahead", offered: pipelining },
  { name: "rcpt", step: "RCPT", text: "250 ok", offered: offering("8BITMIME") },
  { name: "greeting", step: "greeting", text: "220 scripted.test", offered: pipelining },
] as const;
const domainsOf = (name: string) => Array.from({ length: MESSAGES }, (_, i) => `domain-${i}.${name}.example`);

interface Scene {
  readonly core: Hermod;
  readonly paused: HermodProcess;
  readonly servers: readonly ScriptedServer[];
}

/** Starts a core, and two workers that deliver to these servers. */
async function startScene(scripts: readonly Script[]): Promise<Scene> {
  const store = await startSharedStore();
  finish(store.close);
  const port = await freePort();
  const servers: ScriptedServer[] = [];
  for (const [n, script] of scripts.entries()) {
    const server = await startScriptedServer(script, `127.0.0.${n + 1}`, port);
    finish(server.close);
    servers.push(server);
  }
  const dns = await startDnsServer(
    Object.fromEntries(
      steps.flatMap(({ name }, n) => [
        ...domainsOf(name).map((domain) => [domain, { MX: [`10 mx.${name}.example`] }]),
        [`mx.${name}.example`, { A: [servers[n]?.host ?? ""] }],
      ]),
    ),
  );
  finish(dns.close);
  const settings = {
    ...store.settings,
    HERMOD_DNS_SERVERS: dns.address,
    HERMOD_MX_PORT: String(port),
    HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
    HERMOD_MTA_STS: "false",
    HERMOD_DRAIN_MS: "0",
    HERMOD_DESTINATION_CONCURRENCY: "1000",
    HERMOD_GRPC_TOKEN: "t".repeat(43),
  };
  const core = await startHermod({ settings, roles: "core" });
  finish(core.dispose);
  const transports = [{ kind: { case: "direct" as const, value: { maxConnections: 100 } } }];
  await core.core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
  const join = async (name: string) => {
    const own = await newSettings();
    finish(() => removeData({ HERMOD_DATA_DIR: own.HERMOD_DATA_DIR }));
    const address = core.firstRun.grpc.address;
    const env = { ...own, ...settings, HERMOD_GRPC_ADDRESS: address, HERMOD_HELO_NAME: name };
    const worker = await startProcess(env, "worker");
    finish(worker.kill);
    return worker;
  };
  const paused = await join(PAUSED);
  await join("other.workers.test");
  return { core, paused, servers };
}

/** An answer that a server holds until it is released. */
function holding(text: string) {
  const peers: Peer[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answer = async (peer: Peer) => {
    peers.push(peer);
    await released;
    return text;
  };
  return { peers, answer, release };
}

/** Running attempts. */
async function underWay({ adminUrl }: HermodProcess): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^hermod_deliveries_in_flight (\d+)$/m.exec(metrics)?.[1]);
}

/** Resolves when the process is suspended: the signal is only a request. */
async function stop({ pid }: HermodProcess): Promise<void> {
  process.kill(pid, "SIGSTOP");
  const threads = `/proc/${pid}/task`;
  await eventually(async () => {
    const stats = (await readdir(threads)).map((id) => readFile(`${threads}/${id}/stat`, "utf8"));
    const states = (await Promise.all(stats)).map((stat) => stat[stat.lastIndexOf(")") + 2]);
    return states.every((state) => state === "T") || undefined;
  });
}

/** The connections of the suspended worker, as far as it has identified itself. */
function ofPaused({ peers }: ScriptedServer): Peer[] {
  return peers.filter(({ commands }) => commands.includes(`EHLO ${PAUSED}`));
}

it("a worker suspended for longer than its leases sends nothing that others have sent", async () => {
  const held = steps.map(({ text }) => holding(text));
  const scripts = steps.map(({ step, offered }, n) => ({ EHLO: offered, [step]: held[n]?.answer }));
  const { core, paused, servers } = await startScene(scripts);
  for (const { name } of steps) {
    const recipients = domainsOf(name).map((domain) => `ada@${domain}`);
    await core.core.submissions.submit(envelopeTo(core, recipients), plainSource());
  }
  await eventually(async () => {
    if (held.some(({ peers }) => peers.length < 2 * HELD)) return undefined;
    const known = servers.map((server) => ofPaused(server).length);
    const greeted = known.reduce((sum, count) => sum + count, 0);
    // It has not identified itself to the server without a greeting.
    const each = known.map((count, n) => (steps[n]?.name === "greeting" ? undefined : count));
    const waiting = (await underWay(paused)) - greeted;
    return each.every((count = waiting) => count >= HELD) || undefined;
  });
  await stop(paused);
  // The answers are available when it continues, as is everything else that has happened.
  for (const { release } of held) release();
  const all = steps.length * MESSAGES;
  await eventually(async () => {
    const { messages } = await core.core.messages.listMessages({ pageSize: all, state: "delivered" });
    return messages.length === all || undefined;
  }, PATIENCE_MS);
  process.kill(paused.pid, "SIGCONT");
  await eventually(async () => (await underWay(paused)) === 0 || undefined);
  for (const [n, server] of servers.entries()) {
    const arrivals = tally(server.messages.flatMap(({ rcpt }) => rcpt));
    expect([steps[n]?.name, [...arrivals].filter(([, count]) => count > 1)]).toEqual([steps[n]?.name, []]);
    expect([steps[n]?.name, arrivals.size]).toEqual([steps[n]?.name, MESSAGES]);
    // Deliveries in progress were aborted: with RSET, or with the connection.
    if (steps[n]?.step !== "RCPT") continue;
    for (const { commands } of ofPaused(server)) expect(commands).not.toContain("DATA");
  }
});
