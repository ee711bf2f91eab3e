import { afterEach, describe, expect, it } from "vitest";
import { openSmtpConnection, type SmtpConnectionOptions } from "../../src/smtp-client/connection.ts";
import { createOpenConnections } from "../../src/smtp-client/open-connections.ts";
import { SmtpError } from "../../src/smtp-client/smtp-error.ts";
import { createSmtpPool, type SmtpPool, type SmtpPoolOptions } from "../../src/smtp-client/smtp-pool.ts";
import { smtpTimeouts } from "../../src/smtp-client/smtp-timeouts.ts";
import {
  type Peer,
  type Script,
  type ScriptedServer,
  silence,
  startScriptedServer,
} from "../harness/scripted-server.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(script: Script = {}): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  closing.push(server.close);
  return server;
}

function poolTo(
  port: number,
  options: Partial<SmtpPoolOptions> = {},
  changes: Partial<SmtpConnectionOptions> = {},
): SmtpPool {
  const timeouts = smtpTimeouts(3000);
  const connection = { host: "127.0.0.1", port, tls: "none", serverName: "mx.test", timeouts } as const;
  const open = () => openSmtpConnection({ ...connection, ...changes });
  const pool = createSmtpPool({ open, maxConnections: 2, ...options });
  closing.push(pool.close);
  return pool;
}

const source = Buffer.from("Subject: x\r\n\r\nA line.\r\n");
const to = (address: string) => ({ from: "hello@example.com", to: [address] });
const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error) => error);

/** Answers the final dot only after `release`. */
function holding(): { readonly end: (peer: Peer) => Promise<void>; release(): void; held(): number } {
  const held: (() => void)[] = [];
  return {
    end: async (peer) => {
      await new Promise<void>((resolve) => held.push(resolve));
      peer.say("250 queued");
    },
    release: () => held.shift()?.(),
    held: () => held.length,
  };
}

describe("a pool of connections", () => {
  it("uses one connection for consecutive messages", async () => {
    const server = await serve();
    const pool = poolTo(server.port);
    for (let i = 0; i < 10; i++) await pool.send(to("a@x.test"), source);
    expect([server.peers.length, server.messages.length]).toEqual([1, 10]);
  });

  it("opens at most its limit, and serves waiting callers in order", async () => {
    const { end, release, held } = holding();
    const server = await serve({ end });
    const pool = poolTo(server.port);
    const order: number[] = [];
    const sends = Array.from({ length: 6 }, (_, i) =>
      pool.send(to(`a${i}@x.test`), source).then(() => order.push(i)),
    );
    for (let i = 0; i < 6; i++) {
      await expect.poll(held).toBeGreaterThan(0);
      release();
      await expect.poll(() => order.length).toBe(i + 1);
    }
    await Promise.all(sends);
    expect(server.peers).toHaveLength(2);
    const came = server.messages.map(({ rcpt }) => rcpt[0]?.slice(0, 11));
    // The first two are sent at the same time.
    expect(came.slice(2)).toEqual([2, 3, 4, 5].map((i) => `RCPT TO:<a${i}`));
  });

  it("prefers the most recent connection, so that the others can close", async () => {
    const { end, release, held } = holding();
    const server = await serve({ end });
    const pool = poolTo(server.port, { idleMs: 300 });
    const both = [pool.send(to("a@x.test"), source), pool.send(to("b@x.test"), source)];
    await expect.poll(held).toBe(2);
    release();
    release();
    await Promise.all(both);
    server.script = {};
    const before = server.peers.map(({ commands }) => commands.length);
    for (let i = 0; i < 4; i++) await pool.send(to("c@x.test"), source);
    const used = server.peers.filter(({ commands }, i) => commands.length > (before[i] ?? 0));
    expect(used).toHaveLength(1);
  });

  it("closes a connection after an idle time", async () => {
    const server = await serve();
    const pool = poolTo(server.port, { idleMs: 30 });
    await pool.send(to("a@x.test"), source);
    await expect.poll(() => server.peers[0]?.commands.at(-1)).toBe("QUIT");
    await pool.send(to("a@x.test"), source);
    expect(server.peers).toHaveLength(2);
  });

  it("closes a connection after a number of messages", async () => {
    const server = await serve();
    const pool = poolTo(server.port, { messagesPerConnection: 3 });
    for (let i = 0; i < 7; i++) await pool.send(to("a@x.test"), source);
    await expect
      .poll(() => server.peers.map(({ commands }) => commands.at(-1)))
      .toEqual(["QUIT", "QUIT", "DATA"]);
  });

  it("reuses a connection after a refusal, once the server has reset the transaction", async () => {
    const server = await serve({ RCPT: "550 5.1.1 nobody", DATA: "503 no" });
    const pool = poolTo(server.port);
    const error = await failureOf(pool.send(to("a@x.test"), source));
    expect(error).toMatchObject({ phase: "rcpt", reused: false });
    server.script = {};
    await pool.send(to("a@x.test"), source);
    expect(server.peers).toHaveLength(1);
    expect(server.peers[0]?.commands).toContain("RSET");
  });

  it("reuses a connection without a message, without a command", async () => {
    const server = await serve();
    const pool = poolTo(server.port);
    const error = await failureOf(pool.send(to("a b@x.test"), source));
    expect(error).toMatchObject({ refusedAs: "5.1.3" });
    await pool.send(to("a@x.test"), source);
    expect(server.peers.map(({ commands }) => commands.slice(1))).toEqual([
      [expect.stringMatching(/^MAIL/), "RCPT TO:<a@x.test>", "DATA"],
    ]);
  });

  it("closes a connection on which RSET fails, or which is closing", async () => {
    for (const script of [
      { MAIL: "450 not now", RCPT: "503 no", DATA: "503 no", RSET: "500 what?" },
      { MAIL: "421 closing" },
    ]) {
      const server = await serve(script);
      const pool = poolTo(server.port);
      await failureOf(pool.send(to("a@x.test"), source));
      server.script = {};
      await pool.send(to("a@x.test"), source);
      expect(server.peers).toHaveLength(2);
    }
  });

  it("does not use a connection on which the server has ended the session", async () => {
    const server = await serve();
    const pool = poolTo(server.port);
    await pool.send(to("a@x.test"), source);
    server.peers[0]?.say("421 4.4.2 too long idle");
    server.peers[0]?.hangUp();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await pool.send(to("a@x.test"), source);
    expect(server.peers).toHaveLength(2);
  });

  it("reports that a connection had served before it failed, and can use a new one", async () => {
    const server = await serve();
    const pool = poolTo(server.port);
    await pool.send(to("a@x.test"), source);
    server.script = { MAIL: (peer) => (peer.number === 0 ? peer.hangUp() : peer.say("250 ok")) };
    expect(await failureOf(pool.send(to("a@x.test"), source))).toMatchObject({
      reused: true,
      dataBegun: false,
    });
    await pool.send(to("a@x.test"), source);
    await pool.send(to("a@x.test"), source, { fresh: true });
    expect(server.peers).toHaveLength(3);
  });

  it("notifies all waiting callers of an unreachable server, instead of letting each find out", async () => {
    const port = await freePort();
    const pool = poolTo(port, { maxConnections: 1 });
    const errors = await Promise.all(
      Array.from({ length: 20 }, () => failureOf(pool.send(to("a@x.test"), source))),
    );
    expect(new Set(errors).size).toBe(1);
    const silent = await serve({ greeting: silence });
    const waiting = poolTo(
      silent.port,
      { maxConnections: 1 },
      { timeouts: { ...smtpTimeouts(3000), greetingMs: 50 } },
    );
    const late = await Promise.all(
      Array.from({ length: 50 }, () => failureOf(waiting.send(to("a@x.test"), source))),
    );
    expect(late.every((error) => error instanceof SmtpError && error.down)).toBe(true);
    expect(silent.peers).toHaveLength(1);
  });

  it("keeps the slot of a connection that failed to open for the next one", async () => {
    const server = await serve({ greeting: "421 too many" });
    const pool = poolTo(server.port, { maxConnections: 1 });
    const errors = await Promise.all(
      Array.from({ length: 3 }, () => failureOf(pool.send(to("a@x.test"), source))),
    );
    expect(errors.map(({ phase }) => phase)).toEqual(["connect", "connect", "connect"]);
    server.script = {};
    await pool.send(to("a@x.test"), source);
    expect(server.messages).toHaveLength(1);
  });

  it("that is closed sends QUIT at once on idle connections, and after their message on the others", async () => {
    const { end, release, held } = holding();
    const server = await serve({ end });
    const pool = poolTo(server.port);
    const sending = pool.send(to("a@x.test"), source);
    await expect.poll(held).toBe(1);
    pool.close();
    release();
    await sending;
    await expect.poll(() => server.peers[0]?.commands.at(-1)).toBe("QUIT");
  });
});

describe("connections to one destination", () => {
  const quits = (server: ScriptedServer) =>
    server.peers.filter(({ commands }) => commands.at(-1) === "QUIT").length;

  it("are counted in all pools: idle ones in one give way to new ones in another", async () => {
    const [one, other] = [await serve(), await serve()];
    const [first, second] = [poolTo(one.port), poolTo(other.port)];
    const connections = createOpenConnections(() => ({ concurrency: 2 }));
    const both = (pool: SmtpPool) =>
      Promise.all(["a", "b"].map((name) => pool.send(to(`${name}@x.test`), source, { connections })));
    await both(first);
    expect([one.peers.length, quits(one)]).toEqual([2, 0]);
    await second.send(to("c@x.test"), source, { connections });
    await expect.poll(() => quits(one)).toBe(1);
    await both(second);
    await expect.poll(() => quits(one)).toBe(2);
    expect([other.peers.length, quits(other)]).toEqual([2, 0]);
  });

  it("over a lowered limit end: idle ones at once, those in use after their message", async () => {
    const { end, release, held } = holding();
    const server = await serve();
    const pool = poolTo(server.port, { maxConnections: 4 });
    let concurrency = 4;
    const connections = createOpenConnections(() => ({ concurrency }));
    const send = (name: string) => pool.send(to(`${name}@x.test`), source, { connections });
    await Promise.all(["a", "b", "c", "d"].map(send));
    server.script = { end };
    const sending = [send("e"), send("f")];
    await expect.poll(held).toBe(2);
    concurrency = 1;
    connections.trim();
    await expect.poll(() => quits(server)).toBe(2);
    release();
    await expect.poll(() => quits(server)).toBe(3);
    release();
    await Promise.all(sending);
    server.script = {};
    await send("g");
    expect([server.peers.length, quits(server)]).toEqual([4, 3]);
  });

  it("that are only borrowed are kept for a burst, and not longer", async () => {
    const server = await serve();
    const pool = poolTo(server.port);
    const connections = createOpenConnections(() => ({ concurrency: 1, isLent: true }));
    for (const name of ["a", "b"]) await pool.send(to(`${name}@x.test`), source, { connections });
    expect(server.peers).toHaveLength(1);
    await expect.poll(() => quits(server), { timeout: 10_000 }).toBe(1);
  });

  it("count for the destination of their last message", async () => {
    const server = await serve();
    const pool = poolTo(server.port);
    const limits = [1, 1];
    const [one, other] = limits.map((_, n) => createOpenConnections(() => ({ concurrency: limits[n] ?? 0 })));
    await pool.send(to("a@x.test"), source, { connections: one });
    await pool.send(to("b@x.test"), source, { connections: other });
    limits[0] = 0;
    one?.trim();
    await pool.send(to("c@x.test"), source, { connections: other });
    expect(server.peers).toHaveLength(1);
    limits[1] = 0;
    other?.trim();
    await expect.poll(() => quits(server)).toBe(1);
  });

  it("that failed to open, or that the server has ended, no longer count", async () => {
    const server = await serve({ greeting: "421 busy" });
    const pool = poolTo(server.port);
    const connections = createOpenConnections(() => ({ concurrency: 1 }));
    const send = () => pool.send(to("a@x.test"), source, { connections });
    await failureOf(send());
    server.script = {};
    await send();
    const [, peer] = server.peers;
    peer?.hangUp();
    await peer?.closed;
    await send();
    await send();
    expect([server.peers.length, quits(server)]).toEqual([3, 0]);
  });
});

describe("a process that ends", () => {
  const steps = ["greeting", "EHLO", "MAIL", "RCPT", "DATA"] as const;

  it.each(steps)("leaves a silent server at %s at once, and the waiting callers too", async (step) => {
    let reached = () => {};
    const held = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const server = await serve({
      [step]: () => {
        reached();
        return silence({} as Peer);
      },
    });
    const ending = new AbortController();
    const pool = poolTo(server.port, { maxConnections: 1 }, { ending: ending.signal });
    const failures = [1, 2, 3].map(() => failureOf(pool.send(to("a@x.test"), source)));
    await held;
    ending.abort();
    for (const failure of await Promise.all(failures)) {
      expect(failure).toMatchObject({ abandoned: true, dataBegun: false });
    }
    expect(server.messages).toEqual([]);
    expect(await failureOf(pool.send(to("a@x.test"), source))).toMatchObject({ abandoned: true });
  });

  it("lets a server with the complete message answer", async () => {
    const { end, release, held } = holding();
    const server = await serve({ end });
    const ending = new AbortController();
    const pool = poolTo(server.port, {}, { ending: ending.signal });
    const sending = pool.send(to("a@x.test"), source);
    await expect.poll(held).toBe(1);
    ending.abort();
    release();
    expect(await sending).toMatchObject({ code: 250 });
  });

  it("limits the wait for that answer, and reports that the server may have the message", async () => {
    const server = await serve({ end: silence });
    const ending = new AbortController();
    const pool = poolTo(server.port, {}, { ending: ending.signal });
    const sending = failureOf(pool.send(to("a@x.test"), source));
    await expect.poll(() => server.messages.length).toBe(1);
    ending.abort();
    expect(await sending).toMatchObject({ abandoned: false, dataBegun: true });
  });
});

describe("a message that must no longer be sent from here", () => {
  it("receives no connection, however long it has waited for one", async () => {
    const { end, release, held } = holding();
    const server = await serve({ end });
    const pool = poolTo(server.port, { maxConnections: 1 });
    const first = pool.send(to("a@x.test"), source);
    await expect.poll(held).toBe(1);
    let mayFinish = true;
    const second = failureOf(pool.send(to("b@x.test"), source, { mayFinish: () => mayFinish }));
    mayFinish = false;
    release();
    await first;
    expect(await second).toMatchObject({ abandoned: true, dataBegun: false });
    expect(await failureOf(pool.send(to("c@x.test"), source, { mayFinish: () => false }))).toMatchObject({
      abandoned: true,
    });
    const third = pool.send(to("d@x.test"), source);
    await expect.poll(held).toBe(1);
    release();
    await third;
    expect(server.peers).toHaveLength(1);
    expect(server.messages.map(({ rcpt }) => rcpt)).toEqual([["RCPT TO:<a@x.test>"], ["RCPT TO:<d@x.test>"]]);
  });

  it("costs the connection when the server already waits for it", async () => {
    const server = await serve();
    const pool = poolTo(server.port);
    let asked = 0;
    // The pool, and before MAIL.
    const mayFinish = () => ++asked <= 2;
    const failure = await failureOf(pool.send(to("a@x.test"), source, { mayFinish }));
    expect(failure).toMatchObject({ abandoned: true, dataBegun: false });
    await pool.send(to("a@x.test"), source, { mayFinish: () => true });
    expect(server.messages).toHaveLength(1);
    expect(server.peers).toHaveLength(2);
  });
});
