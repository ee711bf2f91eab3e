import { once } from "node:events";
import net from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeCore, startRelay, type TestRelay } from "../harness/relay.ts";
import { openAuthenticated, openWire, type SmtpWire } from "../harness/smtp-wire.ts";

const relays: TestRelay[] = [];
const open: { close?(): void; destroy?(): void }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) (one.close ?? one.destroy)?.call(one);
  for (const relay of relays.splice(0)) await relay.close();
});

async function another(...options: Parameters<typeof startRelay>): Promise<TestRelay> {
  const started = await startRelay(...options);
  relays.push(started);
  return started;
}

async function kept(wire: Promise<SmtpWire>): Promise<SmtpWire> {
  const opened = await wire;
  open.push(opened);
  return opened;
}

/** A silent connection, from an address of this machine. */
async function silent(port: number, localAddress = "127.0.0.1"): Promise<net.Socket> {
  const socket = net.connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  socket.resume();
  open.push(socket);
  await once(socket, "connect");
  return socket;
}

describe("session slots", () => {
  it("remain for clients that authenticate if 4 addresses hold their maximum of silent connections", async () => {
    const relay = await another({ maxUnauthenticated: 30 }, { maxSessions: 100 });
    for (let n = 0; n < 30; n++) {
      for (const last of [2, 3, 4, 5]) await silent(n % 2 ? relay.port : relay.tlsPort, `127.0.0.${last}`);
    }
    await relay.untilSessions(50);
    for (let n = 0; n < 25; n++) {
      const wire = await kept(openAuthenticated(relay.port));
      expect(await wire.say("NOOP")).toMatch(/^250 /);
    }
    expect(relay.sessions()).toBeLessThanOrEqual(100);
  });

  it("are freed by connections that never begin their TLS handshake", async () => {
    const relay = await another({ authenticateWithinMs: 200 });
    const socket = await silent(relay.tlsPort);
    await once(socket, "close");
    expect(relay.sessions()).toBe(0);
  });

  it("are freed by clients that do not authenticate in time, whatever they send", async () => {
    const relay = await another({ authenticateWithinMs: 300 });
    const wire = await kept(openWire(relay.port));
    const known = await kept(openAuthenticated(relay.port));
    // Slowly: its commands are counted, too.
    const talking = setInterval(() => wire.write("NOOP\r\n"), 20);
    await wire.ended;
    clearInterval(talking);
    expect(wire.heard()).toMatch(/421 4\.7\.0 Authentication took too long/);
    expect(await known.say("NOOP")).toMatch(/^250 /);
    await relay.untilSessions(1);
  });
});

describe("slots of authenticated sessions", () => {
  /** A relay with 8 slots. The part of a key's name before the dash is its account. */
  async function shared(): Promise<TestRelay> {
    const relay = await another({}, { maxSessions: 8 });
    relay.core.authenticate = async ({ username = "" }) =>
      ({ accountId: username.replace(/-.*/, ""), keyId: username }) as Awaited<
        ReturnType<FakeCore["authenticate"]>
      >;
    return relay;
  }

  async function inTransaction(relay: TestRelay, key: string): Promise<SmtpWire> {
    const wire = await kept(openAuthenticated(relay.port, key));
    expect(await wire.say("MAIL FROM:<hello@example.com>")).toMatch(/^250 /);
    return wire;
  }

  async function send(wire: SmtpWire): Promise<string> {
    await wire.say("RCPT TO:<ann@example.net>");
    await wire.say("DATA");
    return wire.say("Subject: x\r\n\r\nx\r\n.");
  }

  it("remain for other owners, although one opens as many sessions as possible", async () => {
    const relay = await shared();
    for (let n = 0; n < 8; n++) await kept(openAuthenticated(relay.port, `greedy-${n % 3}`));
    for (const owner of ["ann", "ben", "cleo", "dora"]) {
      const wire = await kept(openAuthenticated(relay.port, owner));
      expect(await wire.say("NOOP")).toMatch(/^250 /);
    }
    expect(relay.sessions()).toBeLessThanOrEqual(8);
  });

  it("are never taken from a transaction, but from an idle session of the largest owner", async () => {
    const relay = await shared();
    const greedy: SmtpWire[] = [];
    for (const key of ["greedy-1", "greedy-1", "greedy-1", "greedy-1"]) {
      greedy.push(await inTransaction(relay, key));
    }
    await expect(openAuthenticated(relay.port, "greedy-1")).rejects.toThrow(/^421 4\.3\.2 .* of this key/);
    for (const key of ["greedy-2", "greedy-2"]) greedy.push(await inTransaction(relay, key));
    await expect(openAuthenticated(relay.port, "greedy-3")).rejects.toThrow(
      /^421 4\.3\.2 .* of this account/,
    );
    await relay.untilSessions(6);

    const others: SmtpWire[] = [];
    for (const owner of ["ann", "ben"]) others.push(await kept(openAuthenticated(relay.port, owner)));
    const late = await kept(openWire(relay.port, { greeted: false }));
    await late.ended;
    expect(late.heard()).toMatch(/^421 4\.3\.2 /);

    const [first, ...rest] = greedy;
    if (!first) throw new Error("nobody is there");
    expect(await send(first)).toMatch(/^250 /);
    expect(await first.say("NOOP")).toMatch(/^250 /);
    others.push(await kept(openAuthenticated(relay.port, "cleo")));
    await first.ended;
    expect(first.heard()).toMatch(/^421 4\.3\.2 /);
    for (const wire of others) expect(await wire.say("NOOP")).toMatch(/^250 /);
    for (const wire of rest) expect(await send(wire)).toMatch(/^250 /);
    expect(relay.core.submitted).toHaveLength(6);
  });
});

describe("behind a proxy", () => {
  const proxied = (more = {}) => another(more, { proxyNetworks: ["127.0.0.0/8"] });
  const V1 = "PROXY TCP4 192.0.2.7 198.51.100.1 4097 587\r\n";
  const V2 = Buffer.concat([
    Buffer.from("0d0a0d0a000d0a515549540a2121002b", "hex"),
    Buffer.from("20010db800000000000000000000000720010db80000000000000000000000010fff024b", "hex"),
    // A value that the relay does not read.
    Buffer.from("04000400000000", "hex"),
  ]);

  /** The address under which a message arrives. */
  async function clientAddress(relay: TestRelay, wire: SmtpWire): Promise<string | undefined> {
    await wire.say("EHLO client.test");
    await wire.startTls();
    await wire.say("EHLO client.test");
    await wire.say(`AUTH PLAIN ${Buffer.from("\0key\0secret").toString("base64")}`);
    for (const command of ["MAIL FROM:<hello@example.com>", "RCPT TO:<ann@example.net>", "DATA"]) {
      await wire.say(command);
    }
    expect(await wire.say("Subject: x\r\n\r\nx\r\n.")).toMatch(/^250 /);
    return relay.core.submitted.at(-1)?.envelope.credential?.clientAddress;
  }

  it.each([
    ["version 1", V1, "192.0.2.7"],
    ["version 2", V2, "2001:db8::7"],
    ["version 1, of nobody known", "PROXY UNKNOWN\r\n", "127.0.0.1"],
    ["version 2, of the proxy itself", Buffer.from("0d0a0d0a000d0a515549540a20000000", "hex"), "127.0.0.1"],
  ])("a client has the address from the proxy: %s", async (_, header, address) => {
    const relay = await proxied();
    const wire = await kept(openWire(relay.port, { greeted: false }));
    wire.write(header);
    expect(await wire.reply()).toMatch(/^220 /);
    expect(await clientAddress(relay, wire)).toBe(address);
  });

  it("the header may arrive octet by octet, and before TLS", async () => {
    const relay = await proxied();
    const socket = net.connect(relay.tlsPort, "127.0.0.1");
    open.push(socket);
    socket.setNoDelay(true);
    for (const octet of Buffer.from(V1)) {
      socket.write(Buffer.from([octet]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { connect } = await import("node:tls");
    const secured = connect({ socket, rejectUnauthorized: false });
    expect(String((await once(secured, "data"))[0])).toMatch(/^220 /);
  });

  it("limits apply to clients, not to the proxy", async () => {
    const relay = await proxied({ maxUnauthenticated: 1 });
    const arrive = async (address: string) => {
      const wire = await kept(openWire(relay.port, { greeted: false }));
      wire.write(`PROXY TCP4 ${address} 198.51.100.1 1 587\r\n`);
      expect(await wire.reply()).toMatch(/^220 /);
      return wire;
    };
    const one = await arrive("192.0.2.1");
    const other = await arrive("192.0.2.2");
    const again = await arrive("192.0.2.1");
    await one.ended;
    for (const wire of [other, again]) expect(await wire.say("NOOP")).toMatch(/^250 /);
  });

  it.each([
    ["an SMTP command", "EHLO client.test\r\n"],
    ["half a header", "PROXY TCP4 192.0"],
    ["nothing", ""],
    ["another version", Buffer.from("0d0a0d0a000d0a515549540a11110000", "hex")],
  ])("a proxy that sends %s is refused", async (_, said) => {
    const relay = await proxied({ proxyHeaderWithinMs: 200 });
    const wire = await kept(openWire(relay.port, { greeted: false }));
    wire.write(said);
    await wire.ended;
    expect(wire.heard()).toBe("");
    expect(relay.sessions()).toBe(0);
  });

  it("other hosts that send a proxy header are refused, and not trusted", async () => {
    const relay = await another({}, { proxyNetworks: ["192.0.2.0/24"] });
    const early = await kept(openWire(relay.port, { greeted: false }));
    early.write(V1);
    await early.ended;
    const late = await kept(openWire(relay.port));
    expect(await late.say(V1.trim())).toMatch(/^554 5\.7\.1 /);
    await late.ended;
    const binary = await kept(openWire(relay.port));
    binary.write(V2);
    await binary.ended;
    expect(binary.heard()).toMatch(/^500 5\.5\.2 /);
  });
});
