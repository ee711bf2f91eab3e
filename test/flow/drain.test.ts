import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { startFakeRelay } from "../harness/fake-relay.ts";
import { email, post } from "../harness/http.ts";
import {
  type Script,
  type ScriptedServer,
  silence,
  startScriptedServer,
} from "../harness/scripted-server.ts";
import {
  eventually,
  type Hermod,
  newSettings,
  removeData,
  spawnHermod,
  startHermod,
} from "../harness/start-hermod.ts";
import { allMessages, untilAllCaptured } from "../harness/stored.ts";
import { acceptsConnections } from "../harness/tcp-proxy.ts";

const CLIENTS = 12;

let hermod: Hermod | undefined;
afterEach(async () => {
  await hermod?.dispose();
  hermod = undefined;
});

function portOf({ firstRun }: Hermod): number {
  return Number(new URL(firstRun.base_url).port);
}

const refusesConnections = async (port: number) => !(await acceptsConnections(port)) || undefined;

/** Sends only a part of a request. */
async function beginRequest({ firstRun }: Hermod, port: number) {
  const body = JSON.stringify(email({ subject: "Under way" }));
  const socket = net.connect(port, "127.0.0.1");
  await once(socket, "connect");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const write = (text: string) => new Promise((resolve) => socket.write(text, resolve));
  const head = `POST /v1/email/send HTTP/1.1\r\nHost: x\r\nX-API-Key: ${firstRun.api_key}\r\n`;
  await write(`${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`);
  await write(body.slice(0, 10));
  return { finish: () => write(body.slice(10)), closed, answer: () => answer };
}

/** Posts messages until an answer is missing; returns the ids of the 202s, and every other answer. */
async function client(running: Hermod): Promise<{ ids: string[]; others: number[] }> {
  const ids: string[] = [];
  const others: number[] = [];
  for (;;) {
    const answer = await post(running, email()).catch(() => undefined);
    if (!answer) return { ids, others };
    if (answer.status === 202) ids.push(answer.accepted.message_id);
    else others.push(answer.status);
  }
}

describe("SIGTERM", () => {
  it("answers every stored message and stores every answered message, under load", async () => {
    hermod = await startHermod();
    const clients = Array.from({ length: CLIENTS }, () => client(hermod as Hermod));
    await eventually(async () => ((await allMessages(hermod as Hermod)).length > 50 ? true : undefined));
    expect(await hermod.stop()).toBe(0);
    const results = await Promise.all(clients);
    expect(results.flatMap(({ others }) => others)).toEqual([]);
    const answered = results.flatMap(({ ids }) => ids).toSorted();
    expect(answered.length).toBeGreaterThan(50);
    hermod = await hermod.restart();
    const stored = await untilAllCaptured(hermod);
    expect(stored.map(({ id }) => id).toSorted()).toEqual(answered);
  });

  it("finishes a running request, accepts no new connection, and ends with status 0", async () => {
    hermod = await startHermod();
    const port = portOf(hermod);
    const request = await beginRequest(hermod, port);
    const stopped = hermod.stop();
    await eventually(() => refusesConnections(port));
    await request.finish();
    await request.closed;
    expect(request.answer()).toMatch(/^HTTP\/1\.1 202 /);
    expect(request.answer().toLowerCase()).toContain("connection: close");
    expect(await stopped).toBe(0);
    expect(hermod.log()).toContain('"msg":"stopped"');
    hermod = await hermod.restart();
    expect(await untilAllCaptured(hermod)).toMatchObject([{ subject: "Under way" }]);
  });

  it("closes a client that never finishes its request after the drain time", async () => {
    hermod = await startHermod({ settings: { HERMOD_DRAIN_MS: "500" } });
    const request = await beginRequest(hermod, portOf(hermod));
    expect(await hermod.stop()).toBe(0);
    await request.closed;
    hermod = await hermod.restart();
    expect(await allMessages(hermod)).toEqual([]);
  });

  it("finishes the running delivery once, and leaves waiting ones to the next start", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let waiting = 0;
    const relay = await startFakeRelay({
      onMailFrom: (_address, _session, done) => {
        waiting++;
        held.then(() => done());
      },
    });
    try {
      hermod = await startHermod({ settings: { HERMOD_WORKER_CONCURRENCY: "1" } });
      const server = { host: "127.0.0.1", port: relay.port };
      const transport = { kind: { case: "smtp" as const, value: { servers: [server], tls: "none" } } };
      await hermod.core.policies.putPolicy({ policy: { name: "relay", transports: [transport] } });
      for (const subject of ["First", "Second"]) {
        const { status } = await post(hermod, email({ subject, routing_policy: "relay" }));
        expect(status).toBe(202);
      }
      await eventually(async () => (waiting === 1 ? true : undefined));
      const port = portOf(hermod);
      const stopped = hermod.stop();
      await eventually(() => refusesConnections(port));
      expect(relay.received).toEqual([]);
      release();
      expect(await stopped).toBe(0);
      expect(relay.received).toHaveLength(1);

      hermod = await hermod.restart();
      await eventually(async () => (relay.received.length >= 2 ? true : undefined));
      const delivered = await eventually(async () => {
        const messages = await allMessages(hermod as Hermod, "delivered");
        return messages.length === 2 ? messages : undefined;
      });
      expect(delivered.map(({ subject, attempts }) => [subject, attempts])).toEqual([
        ["Second", 1],
        ["First", 1],
      ]);
      expect(relay.received).toHaveLength(2);
    } finally {
      release();
      await relay.close();
    }
  });

  describe("with silent servers", () => {
    const steps = ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "end"] as const;
    const servers = new Map<string, ScriptedServer>();
    const nameservers = createSocket("udp4");
    afterEach(async () => {
      for (const server of servers.values()) await server.close();
      servers.clear();
      nameservers.close();
    });

    /** For each step a server that is silent from that step on. The last one answers when the others are left. */
    async function serveSilently(): Promise<void> {
      for (const step of steps) {
        const script: Script =
          step === "end"
            ? {
                end: async (peer) => {
                  await servers.get("RCPT")?.peers[0]?.closed;
                  peer.say("250 queued");
                },
              }
            : { [step]: silence };
        servers.set(step, await startScriptedServer(script));
      }
    }

    it("leaves them after the drain time, ends, and delivers nothing twice", async () => {
      await serveSilently();
      nameservers.bind(0, "127.0.0.1");
      await once(nameservers, "listening");
      const asked = once(nameservers, "message");
      hermod = await startHermod({
        settings: {
          HERMOD_DRAIN_MS: "500",
          HERMOD_DNS_SERVERS: `127.0.0.1:${nameservers.address().port}`,
        },
      });
      const direct = { kind: { case: "direct" as const, value: {} } };
      await hermod.core.policies.putPolicy({ policy: { name: "direct", transports: [direct] } });
      await post(hermod, email({ subject: "DNS", routing_policy: "direct" }));
      for (const [step, { port }] of servers) {
        const value = { servers: [{ host: "127.0.0.1", port }], tls: "none" };
        const name = step.toLowerCase();
        await hermod.core.policies.putPolicy({
          policy: { name, transports: [{ kind: { case: "smtp" as const, value } }] },
        });
        await post(hermod, email({ subject: step, routing_policy: name }));
      }
      const reached = (step: string) => {
        const { peers = [], messages = [] } = servers.get(step) ?? {};
        if (step === "greeting") return peers.length > 0;
        if (step === "end") return messages.length > 0;
        return peers.some(({ commands }) => commands.some((command) => command.startsWith(step)));
      };
      await eventually(async () => (steps.every(reached) ? true : undefined));
      await asked;

      const startedMs = performance.now();
      expect(await hermod.stop()).toBe(0);
      // Servers have ten minutes otherwise, and a busy machine needs some time.
      expect(performance.now() - startedMs).toBeLessThan(15_000);
      expect(hermod.log()).toContain('"msg":"stopped"');
      expect(hermod.log()).not.toMatch(/"level":[56]0|something was left open|put off/);

      for (const server of servers.values()) server.script = {};
      hermod = await hermod.restart({ HERMOD_DNS_SERVERS: "" });
      const delivered = await eventually(async () => {
        const messages = await allMessages(hermod as Hermod, "delivered");
        return messages.length === steps.length ? messages : undefined;
      });
      expect(delivered.map(({ subject, attempts }) => [subject, attempts]).toSorted()).toEqual(
        steps.map((step) => [step, 1]).toSorted(),
      );
      for (const { messages } of servers.values()) expect(messages).toHaveLength(1);
    });
  });

  it("also ends it in order during its start", async () => {
    const env = await newSettings();
    try {
      const starting = spawnHermod(env);
      await eventually(
        async () => existsSync(path.join(env.HERMOD_DATA_DIR ?? "", "grpc-token")) || undefined,
      );
      expect(await starting.stop()).toBe(0);
      expect(starting.log()).toContain('"msg":"stopped"');
    } finally {
      await removeData(env);
    }
  });

  it("ends it immediately when it is sent twice", async () => {
    hermod = await startHermod();
    const request = await beginRequest(hermod, portOf(hermod));
    const stopped = hermod.stop();
    await eventually(() => refusesConnections(portOf(hermod as Hermod)));
    process.kill(hermod.pid, "SIGTERM");
    expect(await stopped).toBe(1);
    await request.closed;
  });
});
