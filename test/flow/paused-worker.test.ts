import { describe, expect, it, type TestContext } from "vitest";
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

const MESSAGES = 24;
const PAUSED = "paused.workers.test";
/** Leases have to run out, on a machine that has other things to do. */
const PATIENCE_MS = 150_000;
/** Attempts that each worker has begun at least. */
const HELD = 4;
const domains = Array.from({ length: MESSAGES }, (_, i) => `domain-${i}.example`);

/** What has the parts of a scene closed when its test has finished, in reverse. */
type Finish = TestContext["onTestFinished"];

interface Scene {
  readonly core: Hermod;
  readonly paused: HermodProcess;
  readonly server: ScriptedServer;
}

/** A core, and two workers whose mail all goes to this server. */
async function startScene(finish: Finish, script: Script): Promise<Scene> {
  const store = await startSharedStore();
  finish(store.close);
  const server = await startScriptedServer(script);
  finish(server.close);
  const dns = await startDnsServer(
    Object.fromEntries([
      ...domains.map((domain) => [domain, { MX: ["10 mx.example"] }]),
      ["mx.example", { A: [server.host] }],
    ]),
  );
  finish(dns.close);
  const settings = {
    ...store.settings,
    HERMOD_DNS_SERVERS: dns.address,
    HERMOD_MX_PORT: String(server.port),
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
  return { core, paused, server };
}

/** An answer that a server holds back until it is let go. */
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

function untilDelivered({ core }: Hermod): Promise<true> {
  return eventually(async () => {
    const { messages } = await core.messages.listMessages({ pageSize: MESSAGES, state: "delivered" });
    return messages.length === MESSAGES ? true : undefined;
  }, PATIENCE_MS);
}

/** Attempts under way. */
async function underWay({ adminUrl }: HermodProcess): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^hermod_deliveries_in_flight (\d+)$/m.exec(metrics)?.[1]);
}

const pipelining = offering("PIPELINING", "8BITMIME");
const steps = [
  { where: "354", step: "DATA", text: "354 go ahead", offered: pipelining },
  { where: "RCPT", step: "RCPT", text: "250 ok", offered: offering("8BITMIME") },
  { where: "a greeting", step: "greeting", text: "220 scripted.test", offered: pipelining },
] as const;

// Each waits for leases that are its own: they may run out at the same time.
describe.concurrent("a worker that is stopped for longer than its leases last", { timeout: 600_000 }, () => {
  it.for(steps)(
    "and waited for $where sends nothing that others have sent",
    async (held, { onTestFinished }) => {
      const { answer, peers, release } = holding(held.text);
      const { core, paused, server } = await startScene(onTestFinished, {
        EHLO: held.offered,
        [held.step]: answer,
      });
      const recipients = domains.map((domain) => `ada@${domain}`);
      await core.core.submissions.submit(envelopeTo(core, recipients), plainSource());
      await eventually(
        async () => ((await underWay(paused)) >= HELD && peers.length >= 2 * HELD) || undefined,
      );
      process.kill(paused.pid, "SIGSTOP");
      // The answers are there when it goes on, and so is everything else that has happened meanwhile.
      release();
      await untilDelivered(core);
      process.kill(paused.pid, "SIGCONT");
      await eventually(async () => (await underWay(paused)) === 0 || undefined);
      const arrivals = tally(server.messages.flatMap(({ rcpt }) => rcpt));
      expect([...arrivals].filter(([, count]) => count > 1)).toEqual([]);
      expect(arrivals.size).toBe(MESSAGES);
      // Those it was stopped amid were taken back: with RSET, or with the connection.
      const begun = server.peers.filter(({ commands }) => commands.includes(`EHLO ${PAUSED}`));
      for (const { commands } of begun) expect(held.step === "RCPT" && commands.includes("DATA")).toBe(false);
    },
  );
});
