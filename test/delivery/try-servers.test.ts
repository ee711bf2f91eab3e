import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDownAddresses } from "../../src/delivery/routing/down-addresses.ts";
import type { MxHost } from "../../src/delivery/routing/mx-route.ts";
import { createDirectTransport, type DirectTransportOptions } from "../../src/delivery/transports/direct.ts";
import { createSmtpTransport, type SmtpTransportOptions } from "../../src/delivery/transports/smtp.ts";
import type { Transport } from "../../src/delivery/transports/transport.ts";
import { phrase } from "../../src/shared/phrase.ts";
import { smtpTimeouts } from "../../src/smtp-client/smtp-timeouts.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import type { SmtpTransportSettings } from "../../src/store/policy-document.ts";
import { createDemandTls } from "../../src/transport-security/demand-tls.ts";
import type { DemandTls, TlsPeer } from "../../src/transport-security/tls-demand.ts";
import { repetitions } from "../harness/repetitions.ts";
import {
  hangUp,
  offering,
  type Script,
  type ScriptedServer,
  silence,
  startScriptedServer,
  thenSilence,
} from "../harness/scripted-server.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const closing: (() => unknown)[] = [];
let port: number;
let nowMs: number;
const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };

beforeEach(async () => {
  port = await freePort();
  nowMs = Date.UTC(2026, 0, 1);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server on the port that all servers of a test share, like MX hosts. */
async function serve(host: string, script: Script = {}): Promise<ScriptedServer> {
  const server = await startScriptedServer(script, host, port);
  closing.push(server.close);
  return server;
}

const host = (n: number, ...more: string[]): MxHost => ({
  exchange: `mx${n}.test`,
  preference: n,
  addresses: [`127.0.0.${n}`, ...more].map((address) => ({ address, family: 4 as const })),
  authenticated: false,
});

function direct(hosts: readonly MxHost[], changes: Partial<DirectTransportOptions> = {}): Transport {
  const transport = createDirectTransport({
    settings: { kind: "direct", tls: "opportunistic", maxConnections: 5 },
    route: async () => ({ kind: "hosts", hosts, implicit: false, dropped: [] }),
    port,
    heloName: "out.example.com",
    timeouts: smtpTimeouts(2000),
    clock,
    demandTls: createDemandTls({ setting: changes.settings?.tls ?? "opportunistic" }),
    ...changes,
  });
  closing.push(transport.close);
  return transport;
}

function relay(
  settings: Partial<SmtpTransportSettings>,
  changes: Partial<SmtpTransportOptions> = {},
): Transport {
  const transport = createSmtpTransport({
    settings: { kind: "smtp", servers: [], tls: "none", maxConnections: 5, ...settings },
    heloName: "out.example.com",
    timeouts: smtpTimeouts(2000),
    clock,
    ...changes,
  });
  closing.push(transport.close);
  return transport;
}

const send = (transport: Transport, recipient = "ada@example.org", startAt = 0, messageId = "msg_1") =>
  transport.deliver({
    message: { _id: messageId, recipient } as MessageDocument,
    startAt,
    envelope: { from: "hello@example.com", to: [recipient] },
    source: Buffer.from("Subject: x\r\n\r\nA line.\r\n"),
    converted: () => Promise.reject(new Error("there is nothing to convert")),
  });

describe("the walk over servers", () => {
  it("continues after an unusable server, and stops after a verdict on the message", async () => {
    const second = await serve("127.0.0.2", { greeting: "554 5.7.1 not you" });
    const third = await serve("127.0.0.3", { RCPT: "450 4.2.0 later", DATA: "503 no" });
    const fourth = await serve("127.0.0.4");
    const outcome = await send(direct([host(1), host(2), host(3), host(4)]));
    expect(outcome).toMatchObject({
      kind: "deferred",
      reply: { via: `direct mx3.test[127.0.0.3]:${port}`, code: 450, enhancedStatusCode: "4.2.0" },
    });
    expect([second, third, fourth].map(({ peers }) => peers.length)).toEqual([1, 1, 0]);
  });

  it("stops where a server may have the message", async () => {
    await serve("127.0.0.1", { end: hangUp });
    const second = await serve("127.0.0.2");
    expect(await send(direct([host(1), host(2)]))).toMatchObject({
      kind: "deferred",
      reply: { category: "network" },
    });
    expect(second.peers).toHaveLength(0);
  });

  it("continues when the connection is lost before the final dot", async () => {
    await serve("127.0.0.1", { DATA: hangUp });
    await serve("127.0.0.2");
    expect(await send(direct([host(1), host(2)]))).toMatchObject({ kind: "delivered", reply: { code: 250 } });
  });

  /** Commands after which a reply may concern only this server. */
  const commands = ["MAIL", "RCPT", "DATA"] as const;
  const ofThisServer = [
    "452 4.3.1 insufficient system storage",
    "451 4.4.3 directory server failure",
    "454 4.3.0 not now",
    "451 local error in processing",
    "450 try again",
    "421 4.3.2 closing",
  ];
  it.each(commands.flatMap((command) => ofThisServer.map((reply) => [command, reply] as const)))(
    "continues when %s is answered %s, which concerns only that server",
    async (command, reply) => {
      const first = await serve("127.0.0.1", { [command]: reply });
      await serve("127.0.0.2");
      expect(await send(direct([host(1), host(2)]))).toMatchObject({
        kind: "delivered",
        reply: { via: `direct mx2.test[127.0.0.2]:${port}` },
      });
      expect([first.peers.length, first.messages.filter(({ raw }) => raw !== "")]).toEqual([1, []]);
    },
  );

  it.each([
    ["greeting", "421 4.7.0 too many connections from your address"],
    ["greeting", "450 4.7.1 greylisted, come back later"],
    ["MAIL", "421 4.7.28 rate limit exceeded"],
    ["MAIL", "451 4.3.2 rate limited, slow down"],
    ["MAIL", "451 4.7.1 this sender is not welcome today"],
    ["RCPT", "450 Greylisted, try again in 300 seconds"],
    ["RCPT", "451 4.7.1 greylisting in action"],
    ["RCPT", "450 4.2.1 mailbox receiving too much mail"],
    ["RCPT", "452 mailbox is full"],
    ["DATA", "452 4.5.3 too many recipients"],
  ] as const)(
    "stops when the answer to %s is %s, which the next server would also give",
    async (at, reply) => {
      await serve("127.0.0.1", { [at]: reply });
      const second = await serve("127.0.0.2");
      expect(await send(direct([host(1), host(2)]))).toMatchObject({
        kind: "deferred",
        reply: { via: `direct mx1.test[127.0.0.1]:${port}`, code: Number.parseInt(reply, 10) },
      });
      expect(second.peers).toHaveLength(0);
    },
  );

  it.each(["452 4.3.1 insufficient system storage", "421 4.3.2 closing", "451 try again"])(
    "continues after the final dot when the answer is %s: the message was not accepted",
    async (end) => {
      await serve("127.0.0.1", { end });
      await serve("127.0.0.2");
      expect(await send(direct([host(1), host(2)]))).toMatchObject({
        kind: "delivered",
        reply: { via: `direct mx2.test[127.0.0.2]:${port}` },
      });
    },
  );

  it.each([
    "450 4.7.1 greylisted, come back later",
    "451 4.7.28 rate limit exceeded",
    "452 4.2.2 mailbox full",
  ])("stops after the final dot when the answer is %s", async (end) => {
    await serve("127.0.0.1", { end });
    const second = await serve("127.0.0.2");
    expect(await send(direct([host(1), host(2)]))).toMatchObject({
      kind: "deferred",
      reply: { code: Number.parseInt(end, 10) },
    });
    expect(second.peers).toHaveLength(0);
  });

  it("continues among the servers of a relay in the same way", async () => {
    await serve("127.0.0.1", { MAIL: "452 4.3.1 insufficient system storage" });
    await serve("127.0.0.2");
    const servers = [1, 2].map((n) => ({ host: `127.0.0.${n}`, port }));
    expect(await send(relay({ servers }))).toMatchObject({
      kind: "delivered",
      reply: { via: `smtp 127.0.0.2:${port}` },
    });
  });

  it("does not contact a server again that refused temporarily over a reused connection", async () => {
    const first = await serve("127.0.0.1");
    await serve("127.0.0.2");
    const transport = direct([host(1), host(2)]);
    await send(transport);
    first.script = { MAIL: "452 4.3.1 insufficient system storage" };
    expect((await send(transport)).reply.via).toContain("mx2.test");
    expect(first.peers[0]?.commands.filter((command) => command.startsWith("MAIL"))).toHaveLength(2);
    expect(first.peers).toHaveLength(1);
  });

  it.each([
    ["an answer to the message, whatever came before", ["421 busy", undefined, "451 4.3.0 later"], 3],
    ["an answer to the message, whatever comes after", ["MAIL 452 4.3.1 full", "421 busy", undefined], 1],
    ["the refusal that came latest in a conversation", ["MAIL 451 no", "RCPT 451 no", "MAIL 451 no"], 2],
    ["the one tried last among equals", ["MAIL 451 one", "MAIL 451 two", "MAIL 451 three"], 3],
    ["any answer rather than none", [undefined, "421 busy", undefined], 2],
  ] as const)("reports servers that all failed: %s", async (_what, answers, telling) => {
    for (const [index, answer] of answers.entries()) {
      if (answer === undefined) continue;
      const [, command = answer.startsWith("421") ? "greeting" : "MAIL", reply = ""] =
        /^(?:([A-Z]+) )?(.*)$/.exec(answer) ?? [];
      await serve(`127.0.0.${index + 1}`, { [command]: reply });
    }
    expect(await send(direct([host(1), host(2), host(3)]))).toMatchObject({
      kind: "unreachable",
      reply: { via: `direct mx${telling}.test[127.0.0.${telling}]:${port}` },
    });
  });

  it("reports the action of a server rather than an unreachable one, when none accepted it", async () => {
    await serve("127.0.0.2", { greeting: "421 4.3.2 busy" });
    expect(await send(direct([host(1), host(2)]))).toMatchObject({
      kind: "unreachable",
      reply: { via: `direct mx2.test[127.0.0.2]:${port}`, code: 421 },
    });
  });

  it("retries at once, and only once, when a reused connection failed", async () => {
    const server = await serve("127.0.0.1");
    const transport = direct([host(1)]);
    await send(transport);
    server.script = { MAIL: (peer) => (peer.number === 0 ? peer.reset() : peer.say("250 ok")) };
    expect(await send(transport)).toMatchObject({ kind: "delivered" });
    server.script = { MAIL: hangUp };
    expect(await send(transport)).toMatchObject({ kind: "unreachable" });
    expect(server.peers).toHaveLength(3);
  });

  it("bounces a message that no server can receive, without contacting any", async () => {
    const server = await serve("127.0.0.1", { EHLO: offering() });
    expect(await send(direct([host(1)]), "jörg@example.org")).toMatchObject({
      kind: "bounced",
      reply: { enhancedStatusCode: "5.6.7", category: "policy" },
    });
    expect(server.peers[0]?.commands).toHaveLength(1);
  });

  it("ends after eight addresses, and stores the position of a later attempt", async () => {
    const addresses = Array.from({ length: 10 }, (_, i) => `127.0.1.${i + 1}`);
    const late = await serve("127.0.1.9");
    const transport = direct([host(1, ...addresses)]);
    expect(await send(transport)).toMatchObject({ kind: "unreachable", resumeAt: 8 });
    expect(late.peers).toHaveLength(0);
    nowMs += 61_000;
    expect(await send(transport, "ada@example.org", 8)).toMatchObject({ kind: "delivered" });
  });

  it("begins with the server that asked for time, not with the failed ones before it", async () => {
    const addresses = Array.from({ length: 10 }, (_, i) => `127.0.1.${i + 1}`);
    const late = await serve("127.0.1.10", { RCPT: "450 4.7.1 greylisted, come back later" });
    const transport = direct([host(1, ...addresses)]);
    const first = await send(transport);
    const second = await send(transport, "ada@example.org", first.resumeAt);
    expect(second).toMatchObject({ kind: "deferred", resumeAt: 10 });
    late.script = {};
    expect(await send(transport, "ada@example.org", second.resumeAt)).toMatchObject({ kind: "delivered" });
  });

  it("reaches a working server in as many attempts as there are groups of eight before it", async () => {
    const worlds = fc.record({
      dead: fc.integer({ min: 1, max: 24 }),
      place: fc.integer({ min: 0, max: 24 }),
      equals: fc.boolean(),
      messageId: fc.string({ minLength: 1, maxLength: 5 }),
      random: fc.infiniteStream(fc.double({ min: 0, max: 0.99, noNaN: true })),
    });
    const property = fc.asyncProperty(worlds, async ({ dead, place, equals, messageId, random }) => {
      const living = Math.min(place, dead);
      const server = await serve(`127.0.2.${living + 1}`);
      const hosts = Array.from(
        { length: dead + 1 },
        (_, n): MxHost => ({
          exchange: `mx${n}.test`,
          preference: equals && n < dead ? 1 : n + 1,
          addresses: [{ address: `127.0.2.${n + 1}`, family: 4 }],
          authenticated: false,
        }),
      );
      // The DNS gives hosts of one preference in another order each time.
      const shuffled = () =>
        hosts
          .map((host) => ({ host, at: host.preference + Number(random.next().value) }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ host }) => host);
      const route = async () => ({ kind: "hosts", hosts: shuffled(), implicit: false, dropped: [] }) as const;
      // Each attempt may run in another process, which knows no unreachable addresses yet.
      const attempt = (startAt: number) =>
        send(direct([], { route }), "ada@example.org", startAt, `msg_${messageId}`);
      let startAt = 0;
      let attempts = 0;
      for (;;) {
        const outcome = await attempt(startAt);
        attempts++;
        if (outcome.kind === "delivered") break;
        expect(attempts).toBeLessThan(Math.ceil((dead + 1) / 8));
        startAt = outcome.resumeAt ?? 0;
      }
      expect(server.messages).toHaveLength(1);
      for (const close of closing.splice(0).reverse()) await close();
    });
    await fc.assert(property, { numRuns: repetitions(25, 60) });
  });
});

describe("addresses that are known to be down", () => {
  it("are not tried while there are others", async () => {
    const second = await serve("127.0.0.2");
    const transport = direct([host(1), host(2)]);
    await send(transport);
    const first = await serve("127.0.0.1");
    expect(await send(transport)).toMatchObject({ kind: "delivered" });
    expect([first.peers.length, second.messages.length]).toEqual([0, 2]);
  });

  it("are tried last when the others fail", async () => {
    const second = await serve("127.0.0.2");
    const transport = direct([host(1), host(2)]);
    await send(transport);
    await serve("127.0.0.1");
    second.script = { greeting: "421 busy", MAIL: "421 busy" };
    expect(await send(transport)).toMatchObject({
      kind: "delivered",
      reply: { via: `direct mx1.test[127.0.0.1]:${port}` },
    });
  });

  it("are reported at once when there is no other, with the reason and the time", async () => {
    const transport = direct([host(1), host(2)]);
    await send(transport);
    nowMs += 4_000;
    await serve("127.0.0.1");
    expect(await send(transport)).toMatchObject({
      kind: "unreachable",
      reply: {
        via: `direct mx1.test[127.0.0.1]:${port}`,
        detail: expect.stringMatching(/ECONNREFUSED.*since 2026-01-01T00:00:00\.000Z/),
        category: "network",
      },
    });
  });

  it("are probed by one message after a while, and used by all when it succeeds", async () => {
    const transport = direct([host(1)]);
    await send(transport);
    const server = await serve("127.0.0.1", { greeting: silence });
    nowMs += 60_000;
    const probe = send(transport);
    await expect.poll(() => server.peers.length).toBe(1);
    expect((await send(transport)).kind).toBe("unreachable");
    expect(server.peers).toHaveLength(1);
    server.script = {};
    server.peers[0]?.say("421 4.3.2 awake, but busy");
    await probe;
    expect((await send(transport)).kind).toBe("delivered");
  });

  it("stay down, since the first failure, when the probe fails", async () => {
    const transport = direct([host(1)]);
    await send(transport);
    nowMs += 61_000;
    expect((await send(transport)).reply.detail).not.toContain("since");
    nowMs += 1_000;
    expect((await send(transport)).reply.detail).toContain("since 2026-01-01T00:00:00.000Z");
  });

  it("include those without a greeting", async () => {
    const server = await serve("127.0.0.1", { greeting: silence });
    const transport = direct([host(1)], { timeouts: { ...smtpTimeouts(2000), greetingMs: 40 } });
    await send(transport);
    await send(transport);
    expect(server.peers).toHaveLength(1);
  });

  it("exclude those that answer in any way", async () => {
    const server = await serve("127.0.0.1", { greeting: "554 5.7.1 no" });
    const transport = direct([host(1)]);
    await send(transport);
    await send(transport);
    expect(server.peers).toHaveLength(2);
  });

  it("are shared by all transports with the same memory", async () => {
    const down = createDownAddresses({ clock });
    await send(direct([host(1)], { down }));
    const server = await serve("127.0.0.1");
    const servers = [{ host: "127.0.0.1", port }];
    expect((await send(relay({ servers }, { down }))).kind).toBe("unreachable");
    expect(server.peers).toHaveLength(0);
    // From another source address the result may differ.
    const elsewhere = relay({ servers }, { down, source: { address: "127.0.0.9" } });
    expect((await send(elsewhere)).kind).toBe("delivered");
  });
});

describe("TLS to the servers of a domain", () => {
  const EHLO = offering("STARTTLS", "PIPELINING");
  const unverified = { kind: "direct", tls: "verified", maxConnections: 5 } as const;
  const required = { kind: "direct", tls: "required", maxConnections: 5 } as const;
  const failing: readonly (readonly [string, Script])[] = [
    ["is answered 4xx", { EHLO, STARTTLS: "454 4.7.0 not now" }],
    ["is answered 5xx", { EHLO, STARTTLS: "502 5.5.1 what?" }],
    ["is answered with garbage", { EHLO, STARTTLS: Buffer.from("220 go\r\ngarbage") }],
    ["hangs", { EHLO, STARTTLS: thenSilence("220 go") }],
  ];
  const timeouts = { ...smtpTimeouts(2000), handshakeMs: 40 };

  it.each(failing)("that %s falls back to plain text if allowed", async (_name, script) => {
    const server = await serve("127.0.0.1", script);
    const transport = direct([host(1)], { timeouts });
    expect(await send(transport)).toMatchObject({ kind: "delivered" });
    expect(server.messages).toMatchObject([{ encrypted: false }]);
    // The next message does not wait for the same failure.
    await send(transport);
    expect(server.peers).toHaveLength(2);
    nowMs += 61_000;
    server.script = { EHLO };
    await send(transport);
    expect(server.messages.at(-1)).toMatchObject({ encrypted: true });
  });

  it.each(failing)("that %s gives way to the next server where it is required", async (_name, script) => {
    const first = await serve("127.0.0.1", script);
    const second = await serve("127.0.0.2", { EHLO });
    const outcome = await send(direct([host(1), host(2)], { timeouts, settings: required }));
    expect(outcome.kind).toBe("delivered");
    expect([first.messages.length, second.messages]).toMatchObject([0, [{ encrypted: true }]]);
    await second.close();
    closing.splice(closing.indexOf(second.close), 1);
    const alone = await send(direct([host(1)], { timeouts, settings: required }));
    expect(alone).toMatchObject({ kind: "unreachable", reply: { category: "tls" } });
  });

  it("is not given up for a connection that is lost under it", async () => {
    const server = await serve("127.0.0.1", { EHLO, MAIL: hangUp });
    expect(await send(direct([host(1)]))).toMatchObject({ kind: "unreachable" });
    expect(server.peers.map(({ encrypted }) => encrypted)).toEqual([true]);
  });

  it("verified requires a certificate for the server's name", async () => {
    const server = await serve("127.0.0.1", { EHLO });
    expect(await send(direct([host(1)], { settings: unverified }))).toMatchObject({
      kind: "unreachable",
      reply: { category: "tls", detail: expect.stringContaining("does not prove mx1.test") },
    });
    expect(server.messages).toEqual([]);
  });

  it("follows the demand of the domain for each server, if known", async () => {
    const first = await serve("127.0.0.1", { EHLO });
    const second = await serve("127.0.0.2", { EHLO });
    const asked: string[] = [];
    const peers: TlsPeer[] = [];
    const demandTls: DemandTls = async (domain, { exchange }) => {
      asked.push(`${domain} ${exchange}`);
      const verify = (peer: TlsPeer) => {
        peers.push(peer);
        return exchange === "mx1.test" ? phrase("dane.no_match") : undefined;
      };
      return { level: "required", verify, key: exchange };
    };
    const outcome = await send(direct([host(1), host(2), host(3)], { demandTls }));
    expect(outcome).toMatchObject({
      kind: "delivered",
      reply: { via: `direct mx2.test[127.0.0.2]:${port}` },
    });
    expect(asked).toEqual(["example.org mx1.test", "example.org mx2.test"]);
    expect(peers.map(({ serverName }) => serverName)).toEqual(["mx1.test", "mx2.test"]);
    expect([first.messages.length, second.messages.length]).toEqual([0, 1]);
  });

  it("separates connections under different demands", async () => {
    const server = await serve("127.0.0.1", { EHLO });
    const demandTls: DemandTls = async (domain) => ({ level: "required", key: domain });
    const transport = direct([host(1)], { demandTls });
    for (const recipient of ["a@one.test", "a@two.test", "b@one.test"]) await send(transport, recipient);
    expect(server.peers).toHaveLength(2);
  });

  it("skips servers that the domain does not list, and reports it when there is no other", async () => {
    const first = await serve("127.0.0.1", { EHLO });
    const second = await serve("127.0.0.2", { EHLO });
    const demandTls: DemandTls = async (_domain, { exchange }) =>
      exchange === "mx1.test"
        ? { refused: phrase("tls.mta_sts", { domain: "example.org", host: exchange }) }
        : { level: "required", key: "x" };
    expect((await send(direct([host(1), host(2)], { demandTls }))).kind).toBe("delivered");
    expect(await send(direct([host(1)], { demandTls }))).toMatchObject({
      kind: "unreachable",
      reply: {
        category: "tls",
        detail: "mx1.test must not be used: the MTA-STS policy of example.org does not name mx1.test",
      },
    });
    expect([first.peers.length, second.peers.length]).toEqual([0, 1]);
  });

  it("is not given up for an upstream relay with credentials", async () => {
    const server = await serve("127.0.0.1", { EHLO, STARTTLS: "454 4.7.0 not now" });
    const servers = [{ host: "127.0.0.1", port }];
    const settings = { servers, tls: "opportunistic", username: "u", password: "p" } as const;
    expect(await send(relay(settings))).toMatchObject({ kind: "unreachable", reply: { category: "tls" } });
    expect(server.peers).toHaveLength(1);
  });
});

describe("the source of a policy", () => {
  it("sets the address and the name that the server sees", async () => {
    const server = await serve("127.0.0.1");
    const source = { address: "127.0.0.7", address6: "::1", heloName: "seven.example.com" };
    await send(direct([host(1)], { source }));
    await send(relay({ servers: [{ host: "127.0.0.1", port }] }, { source: { address: "127.0.0.8" } }));
    expect(server.peers.map(({ remoteAddress }) => remoteAddress)).toEqual(["127.0.0.7", "127.0.0.8"]);
    expect(server.peers.map(({ commands }) => commands[0])).toEqual([
      "EHLO seven.example.com",
      "EHLO out.example.com",
    ]);
  });

  it("with a missing address is named, and does not count against the server", async () => {
    await serve("127.0.0.1");
    const down = createDownAddresses({ clock });
    const outcome = await send(direct([host(1)], { down, source: { address: "192.0.2.77" } }));
    expect(outcome).toMatchObject({ kind: "unreachable", reply: { category: "network" } });
    expect(outcome.reply.detail).toContain("the source address 192.0.2.77 cannot be used");
    expect((await send(direct([host(1)], { down }))).kind).toBe("delivered");
  });
});

describe("an upstream relay of an account's policy", () => {
  const servers = () => [{ host: "relay.test", port }];
  const only = (address: string) => async () => [{ address, family: 4 as const }];
  const refuse = (address: string) => (address === "127.0.0.1" ? "not_public" : undefined);

  it("is never connected to at a forbidden address, and the address is not shown", async () => {
    const server = await serve("127.0.0.1");
    const outcome = await send(relay({ servers: servers() }, { refuse, findAddresses: only("127.0.0.1") }));
    expect(outcome).toMatchObject({ kind: "unreachable", reply: { via: `smtp relay.test:${port}` } });
    expect(outcome.reply.detail).toContain("has no address that a policy of the account may use");
    expect(outcome.reply.detail).not.toContain("127");
    expect(server.peers).toHaveLength(0);
    const literal = relay({ servers: [{ host: "127.0.0.1", port }] }, { refuse });
    expect((await send(literal)).kind).toBe("unreachable");
    expect(server.peers).toHaveLength(0);
  });

  it("is checked by each address of its name, at each resolution", async () => {
    const inside = await serve("127.0.0.1");
    const outside = await serve("127.0.0.2", { end: "250 ok" });
    const answers = [["127.0.0.1", "127.0.0.2"], ["127.0.0.1"]];
    const findAddresses = async () =>
      (answers.shift() ?? []).map((address) => ({ address, family: 4 as const }));
    const transport = relay({ servers: servers() }, { refuse, findAddresses });
    expect((await send(transport)).kind).toBe("delivered");
    expect((await send(transport)).kind).toBe("unreachable");
    expect([inside.peers.length, outside.messages.length]).toEqual([0, 1]);
  });

  it("gives way to the next one", async () => {
    await serve("127.0.0.2");
    const findAddresses = (host: string) => only(host === "relay.test" ? "127.0.0.1" : "127.0.0.2")();
    const both = [...servers(), { host: "other.test", port }];
    expect(await send(relay({ servers: both }, { refuse, findAddresses }))).toMatchObject({
      kind: "delivered",
      reply: { via: `smtp other.test:${port}` },
    });
  });
});

describe("an upstream relay with a name", () => {
  it("is resolved, and every address of it is tried before the next relay", async () => {
    const server = await serve("127.0.0.2");
    const findAddresses = async (name: string) => {
      if (name === "gone.test") throw new Error("getaddrinfo ENOTFOUND gone.test");
      return ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 as const }));
    };
    const servers = [
      { host: "gone.test", port },
      { host: "relay.test", port },
    ];
    expect(await send(relay({ servers }, { findAddresses }))).toMatchObject({
      kind: "delivered",
      reply: { via: `smtp relay.test:${port}` },
    });
    expect(server.messages).toHaveLength(1);
    expect(await send(relay({ servers: servers.slice(0, 1) }, { findAddresses }))).toMatchObject({
      kind: "unreachable",
      reply: { via: `smtp gone.test:${port}`, category: "dns" },
    });
  });
});
