import { once } from "node:events";
import net from "node:net";
import { createSecureContext } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fault } from "../../src/shared/fault.ts";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import { NO_DELAY, startRelay, type TestRelay } from "../harness/relay.ts";
import { openAuthenticated, openWire, plain, type SmtpWire } from "../harness/smtp-wire.ts";

let relay: TestRelay;
const open: SmtpWire[] = [];
const relays: TestRelay[] = [];

beforeAll(async () => {
  relay = await startRelay();
});
afterEach(async () => {
  for (const wire of open.splice(0)) wire.close();
  relay.core.submitted.splice(0);
  for (const other of relays.splice(0)) await other.close();
});
afterAll(() => relay.close());

async function kept(wire: Promise<SmtpWire>): Promise<SmtpWire> {
  const opened = await wire;
  open.push(opened);
  return opened;
}

async function another(...options: Parameters<typeof startRelay>): Promise<TestRelay> {
  const started = await startRelay(...options);
  relays.push(started);
  return started;
}

async function atData(to = relay): Promise<SmtpWire> {
  const wire = await kept(openAuthenticated(to.port));
  await wire.say("MAIL FROM:<hello@example.com>");
  await wire.say("RCPT TO:<ann@example.net>");
  expect(await wire.say("DATA")).toMatch(/^354 /);
  return wire;
}

const HEAD = "Subject: x\r\n\r\n";
const END = "\r\n.\r\n";
/** Commands that an attacker hides behind a false end. */
const SMUGGLED = "MAIL FROM:<hello@example.com>\r\nRCPT TO:<bob@example.net>\r\nDATA\r\nSubject: y\r\n\r\ny";

/** Contents that are refused as one message. */
const refused: readonly (readonly [string, string, string])[] = [
  ["bare LF", `${HEAD}a\nb`, "550 5.6.0"],
  ["bare CR", `${HEAD}a\rb`, "550 5.6.0"],
  ["CR CR LF", `${HEAD}a\r\r\nb`, "550 5.6.0"],
  ["LF CR", `${HEAD}a\n\rb`, "550 5.6.0"],
  ["a line feed first", "\nSubject: x\r\n\r\nx", "550 5.6.0"],
  ["NUL", `${HEAD}a\0b`, "550 5.6.0"],
  ["NUL in the header", "Subject: \0x\r\n\r\nx", "550 5.6.0"],
  ["a line of 999 octets", HEAD + "x".repeat(999), "550 5.6.0"],
  ["a line of 100,000 octets", HEAD + "x".repeat(100_000), "550 5.6.0"],
  ["LF dot LF", `${HEAD}a\n.\n${SMUGGLED}`, "550 5.6.0"],
  ["LF dot CRLF", `${HEAD}a\n.\r\n${SMUGGLED}`, "550 5.6.0"],
  ["CRLF dot LF", `${HEAD}a\r\n.\n${SMUGGLED}`, "550 5.6.0"],
  ["CR dot CR", `${HEAD}a\r.\r${SMUGGLED}`, "550 5.6.0"],
  ["CR dot CRLF", `${HEAD}a\r.\r\n${SMUGGLED}`, "550 5.6.0"],
  ["CRLF dot CR", `${HEAD}a\r\n.\r${SMUGGLED}`, "550 5.6.0"],
  ["LF LF dot CR LF", `${HEAD}a\n\n.\r\n${SMUGGLED}`, "550 5.6.0"],
  ["CRLF NUL dot CRLF", `${HEAD}a\r\n\0.\r\n${SMUGGLED}`, "550 5.6.0"],
  ["CRLF dot NUL CRLF", `${HEAD}a\r\n.\0\r\n${SMUGGLED}`, "550 5.6.0"],
  ["LF dot dot", `${HEAD}a\n..b`, "550 5.6.0"],
  ["more octets than are taken", HEAD + `${"x".repeat(998)}\r\n`.repeat(2001), "552 5.3.4"],
];

/** Contents that arrive as intended: without the added dots, and otherwise unchanged. */
const taken: readonly (readonly [string, string, string])[] = [
  ["a line of 998 octets", HEAD + "x".repeat(998), HEAD + "x".repeat(998)],
  ["stuffed dots", `${HEAD}..\r\n...\r\n..a\r\na..`, `${HEAD}.\r\n..\r\n.a\r\na..`],
  ["a dot before other octets", `${HEAD}.a`, `${HEAD}a`],
  ["octets of no encoding", `${HEAD}\u00ff\u0080\u0001\u007f`, `${HEAD}\u00ff\u0080\u0001\u007f`],
  ["a stuffed dot first", "..Subject: x", ".Subject: x"],
  ["trailing white space and empty lines", `${HEAD}a \t\r\n\r\n\r\n`, `${HEAD}a \t\r\n\r\n\r\n`],
];

describe("the content of a message", () => {
  it.each(refused)(
    "with %s is refused after its end, and the session continues",
    async (_, content, code) => {
      const wire = await atData();
      wire.write(Buffer.from(content + END, "latin1"));
      expect((await wire.reply()).slice(0, 9)).toBe(code);
      expect(await wire.say("NOOP")).toBe("250 2.0.0 OK\r\n");
      expect(wire.heard()).toBe("");
      expect(relay.core.submitted).toEqual([]);
    },
  );

  it.each(taken)("with %s arrives unchanged", async (_, content, expected) => {
    const wire = await atData();
    wire.write(Buffer.from(content + END, "latin1"));
    expect(await wire.reply()).toMatch(/^250 2\.0\.0 /);
    expect(relay.core.submitted[0]?.source.toString("latin1")).toBe(`${expected}\r\n`);
  });

  it.each([...refused.filter(([, content]) => content.length < 1000), ...taken])(
    "with %s is checked equally octet by octet",
    async (_, content, expected) => {
      const wire = await atData();
      wire.socket.setNoDelay(true);
      for (const octet of Buffer.from(content + END, "latin1")) {
        wire.write(Buffer.from([octet]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      const answer = await wire.reply();
      if (/^5\d\d /.test(expected)) expect(answer.slice(0, 9)).toBe(expected);
      else expect(relay.core.submitted[0]?.source.toString("latin1")).toBe(`${expected}\r\n`);
    },
  );

  it("may be empty", async () => {
    const wire = await atData();
    expect(await wire.say(".")).toMatch(/^250 /);
    expect(relay.core.submitted[0]?.source.length).toBe(0);
  });

  it("of more than a megabyte is streamed, octet for octet", async () => {
    const wire = await atData();
    const line = `..${"y".repeat(70)}\r\n`;
    wire.write(HEAD + line.repeat(20_000) + END.slice(2));
    expect(await wire.reply()).toMatch(/^250 /);
    const [submitted] = relay.core.submitted;
    expect(submitted?.streamed).toBe(true);
    expect(submitted?.source.equals(Buffer.from(HEAD + line.slice(1).repeat(20_000)))).toBe(true);
  });

  it.each([100, 1_500_000])("that ends early after %i octets is not delivered", async (octets) => {
    const wire = await atData();
    wire.write(`${HEAD}${`${"x".repeat(98)}\r\n`.repeat(octets / 100)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    wire.close();
    await relay.untilSessions(0);
    expect(relay.core.submitted).toEqual([]);
  });

  it("that the core refuses in the middle is read to its end, and the session continues", async () => {
    relay.core.failing.submitStream = fault("store.unavailable");
    try {
      const wire = await atData();
      wire.write(HEAD + `${"x".repeat(98)}\r\n`.repeat(18_000));
      wire.write(END.slice(2));
      expect(await wire.reply()).toMatch(/^451 4\.3\.0 /);
      expect(await wire.say("NOOP")).toMatch(/^250 /);
    } finally {
      delete relay.core.failing.submitStream;
    }
  });
});

describe("commands", () => {
  it("before the greeting end the session", async () => {
    const wire = await kept(openWire(relay.port, { greeted: false }));
    wire.write("EHLO client.test\r\n");
    expect(await wire.reply()).toMatch(/^(?:554 5\.5\.1 |220 )/);
  });

  it("after STARTTLS in one segment are not executed, before the handshake or after it", async () => {
    const wire = await kept(openWire(relay.port));
    await wire.say("EHLO client.test");
    wire.write("STARTTLS\r\nNOOP\r\nEHLO evil.test\r\nMAIL FROM:<hello@example.com>\r\n");
    expect(await wire.reply()).toMatch(/^220 /);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(wire.heard()).toBe("");
  });

  it("before TLS are discarded with it", async () => {
    const wire = await kept(openWire(relay.port));
    await wire.say("EHLO client.test");
    await wire.startTls();
    expect(await wire.say(plain("key", "secret"))).toMatch(/^503 5\.5\.1 /);
  });

  it.each([
    ["longer than 2,048 octets", `NOOP ${"x".repeat(2100)}`],
    ["longer than that without an end", "x".repeat(100_000)],
    ["with a bare CR", "NOOP\rNOOP\r\n"],
    ["with a bare LF", "NOOP\n"],
    ["with a NUL", "NOOP\0\r\n"],
    ["that are no UTF-8", Buffer.from([0x4e, 0xff, 0x0d, 0x0a])],
  ])("%s end the session with 500 5.5.2", async (_, bytes) => {
    const wire = await kept(openWire(relay.port));
    wire.write(bytes);
    if (typeof bytes === "string" && bytes.startsWith("NOOP x")) wire.write("\r\n");
    expect(await wire.reply()).toMatch(/^500 5\.5\.2 /);
    await wire.ended;
  });

  it.each([
    ["unknown ones", "BLAH", 25],
    ["ones out of order", "DATA", 25],
    ["NOOP", "NOOP", 120],
    ["EHLO", "EHLO client.test", 120],
  ])("in a flood (%s) end the session with 421", async (_, line, count) => {
    const wire = await kept(openWire(relay.port));
    wire.write(`${line}\r\n`.repeat(count));
    await wire.ended;
    expect(wire.heard()).toMatch(/\r\n421 4\.7\.0 .*\r\n$/);
  });

  it("a client that reads no replies is no longer read from", async () => {
    const wire = await kept(openAuthenticated(relay.port));
    wire.socket.pause();
    wire.write("RCPT TO:<a@example.net>\r\n".repeat(200_000));
    const other = await kept(openAuthenticated(relay.port));
    expect(await other.say("NOOP")).toMatch(/^250 /);
  });
});

describe("timeouts", () => {
  it("end a silent session, and one that sends a message byte by byte forever; others continue", async () => {
    const slow = await another({ idleTimeoutMs: 400, dataTimeoutMs: 900 });
    const [idle, dribbling] = [await kept(openWire(slow.port)), await atData(slow)];
    const timer = setInterval(() => dribbling.write("x"), 50);
    try {
      await idle.ended;
      expect(idle.heard()).toMatch(/^421 4\.4\.2 /);
      await dribbling.ended;
      expect(dribbling.heard()).toMatch(/^421 4\.4\.2 /);
    } finally {
      clearInterval(timer);
    }
    expect(slow.core.submitted).toEqual([]);
    const fresh = await kept(openAuthenticated(slow.port));
    expect(await fresh.say("NOOP")).toMatch(/^250 /);
  });

  it("do not run while the core is slow", async () => {
    const slow = await another({ idleTimeoutMs: 200 });
    const submit = slow.core.submit;
    slow.core.submit = async (...given) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      return submit(...given);
    };
    const wire = await atData(slow);
    expect(await wire.say(`${HEAD}x\r\n.`)).toMatch(/^250 /);
  });
});

describe("authentication", () => {
  const tryKey = async (to: TestRelay, username: string, password: string) => {
    const wire = await kept(openWire(to.tlsPort, { secure: true }));
    await wire.say("EHLO client.test");
    const answer = await wire.say(plain(username, password));
    wire.close();
    return answer.slice(0, 9);
  };

  /** Sends a wrong password, and resolves when the core checks it, without waiting for the reply. */
  const guess = async (to: TestRelay, username: string) => {
    const wire = await kept(openWire(to.tlsPort, { secure: true }));
    await wire.say("EHLO client.test");
    const { authenticate } = to.core;
    await new Promise<void>((resolve) => {
      to.core.authenticate = async (credential) => {
        if (credential.username === username) resolve();
        return authenticate(credential);
      };
      wire.write(`${plain(username, "wrong")}\r\n`);
    });
    to.core.authenticate = authenticate;
    return wire;
  };

  it("is refused three times in a session, which then ends", async () => {
    const wire = await kept(openWire(relay.tlsPort, { secure: true }));
    await wire.say("EHLO client.test");
    expect(await wire.say(plain("key", "wrong"))).toMatch(/^535 5\.7\.8 /);
    expect(await wire.say("AUTH LOGIN")).toMatch(/^334 /);
    await wire.say(Buffer.from("key").toString("base64"));
    expect(await wire.say(Buffer.from("wrong").toString("base64"))).toMatch(/^535 5\.7\.8 /);
    expect(await wire.say(plain("nobody", "secret"))).toMatch(/^535 5\.7\.8 /);
    await wire.ended;
    expect(wire.heard()).toMatch(/^421 4\.7\.0 /);
  });

  it("by LOGIN works, also with the name in the command", async () => {
    const [name, secret] = ["key", "secret"].map((text) => Buffer.from(text).toString("base64"));
    for (const command of ["AUTH LOGIN", `AUTH LOGIN ${name}`]) {
      const wire = await kept(openWire(relay.tlsPort, { secure: true }));
      await wire.say("EHLO client.test");
      await wire.say(command);
      if (command === "AUTH LOGIN") await wire.say(name ?? "");
      expect(await wire.say(secret ?? "")).toMatch(/^235 2\.7\.0 /);
    }
  });

  it.each([
    ["AUTH PLAIN ????", "501 5.5.4"],
    [`AUTH PLAIN ${Buffer.from("other\0key\0secret").toString("base64")}`, "535 5.7.8"],
    [`AUTH PLAIN ${Buffer.from(`\0key\0${"x".repeat(6000)}`).toString("base64")}`, "535 5.7.8"],
    ["AUTH CRAM-MD5", "504 5.5.4"],
    ["AUTH XOAUTH2 eA==", "504 5.5.4"],
  ])("%.40s is answered %s", async (line, answer) => {
    const wire = await kept(openWire(relay.tlsPort, { secure: true }));
    await wire.say("EHLO client.test");
    expect((await wire.say(line)).slice(0, 9)).toBe(answer);
  });

  it("without a decision is 454 4.7.0", async () => {
    relay.core.failing.authenticate = fault("core.unavailable");
    try {
      expect(await tryKey(relay, "key", "secret")).toBe("454 4.7.0");
    } finally {
      delete relay.core.failing.authenticate;
    }
  });

  it("with correct credentials passes at once, regardless of wrong ones from its address and for its name", async () => {
    const guessed = await another({ throttle: { ...NO_DELAY, delayMs: 3_600_000, maxDelayMs: 3_600_000 } });
    const guesses: SmtpWire[] = [];
    for (let n = 0; n < 25; n++) guesses.push(await guess(guessed, n % 2 ? "key" : `name-${n}`));
    expect(await tryKey(guessed, "key", "secret")).toBe("235 2.7.0");
    expect(guesses.map((wire) => wire.heard())).toEqual(Array(25).fill(""));
  });

  it("with wrong ones ends its session at once when too many answers are delayed", async () => {
    const throttle = { windowMs: 60_000, delayMs: 3_600_000, maxDelayMs: 3_600_000 };
    const few = await another({ throttle: { ...throttle, maxHeld: 100, maxHeldPerClient: 2 } });
    await guess(few, "one");
    await guess(few, "two");
    while ((await tryKey(few, "three", "wrong")) !== "421 4.7.0");
    expect(few.authFailures).toContain("throttled");
    expect(await tryKey(few, "key", "secret")).toBe("235 2.7.0");
  });

  it("is required of a single address before it may have many sessions", async () => {
    const few = await another({ maxUnauthenticated: 2 });
    const known = await kept(openAuthenticated(few.port));
    const oldest = await kept(openWire(few.port));
    await kept(openWire(few.port));
    const newest = await kept(openWire(few.port));
    await oldest.ended;
    expect(oldest.heard()).toMatch(/^421 4\.7\.0 /);
    expect(await newest.say("NOOP")).toMatch(/^250 /);
    expect(await known.say("NOOP")).toMatch(/^250 /);
  });
});

describe("TLS", () => {
  it("is 1.2 or newer", async () => {
    const wire = await kept(openWire(relay.port));
    const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    await expect(wire.startTls(old)).rejects.toThrow();
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const other = await kept(openWire(relay.port));
      const secured = await other.startTls({ minVersion: version, maxVersion: version });
      expect(secured.getProtocol()).toBe(version);
    }
  });

  it("has no cipher without forward secrecy", async () => {
    const wire = await kept(openWire(relay.port));
    await expect(
      wire.startTls({ maxVersion: "TLSv1.2", ciphers: "AES128-SHA:AES256-GCM-SHA384" }),
    ).rejects.toThrow();
  });

  it("shows a new certificate from the next session on", async () => {
    const own = await another();
    const next = issueCertificate({ subject: "renewed.test" });
    own.replaceCertificate({ cert: Buffer.from(next.pem), key: Buffer.from(next.keyPem) });
    const wire = await kept(openWire(own.port));
    expect((await wire.startTls()).getPeerCertificate().subject.CN).toBe("renewed.test");
    expect(() => createSecureContext({ cert: next.pem, key: next.keyPem })).not.toThrow();
  });

  it("that fails ends its session and no other", async () => {
    const wire = await kept(openWire(relay.port));
    expect(await wire.say("STARTTLS")).toMatch(/^220 /);
    wire.write("this is no handshake\r\n".repeat(10));
    await wire.ended;
    expect(await (await kept(openAuthenticated(relay.port))).say("NOOP")).toMatch(/^250 /);
  });
});

describe("the end of the relay", () => {
  it("waits for transactions, closes idle sessions, and refuses new ones", async () => {
    const own = await startRelay();
    const [busy, idle] = [await atData(own), await kept(openAuthenticated(own.port))];
    const closing = own.close(10_000);
    await idle.ended;
    expect(idle.heard()).toMatch(/^421 4\.3\.2 /);
    const late = await kept(openWire(own.port, { greeted: false }));
    expect(await late.reply()).toMatch(/^421 4\.3\.2 /);
    expect(await busy.say(`${HEAD}x\r\n.`)).toMatch(/^250 2\.0\.0 /);
    await busy.ended;
    expect(busy.heard()).toMatch(/^421 4\.3\.2 /);
    await closing;
    expect(own.core.submitted).toHaveLength(1);
    expect(own.sessions()).toBe(0);
  });

  it("closes the session of a client that keeps its side open", async () => {
    const own = await startRelay();
    const client = net.connect({ port: own.port, host: "127.0.0.1", allowHalfOpen: true });
    await once(client, "data");
    await own.close(10_000);
    expect(own.sessions()).toBe(0);
    client.destroy();
  });

  it("does not wait forever", async () => {
    const own = await startRelay();
    const busy = await atData(own);
    await own.close(200);
    if (!busy.socket.closed) await new Promise((resolve) => busy.socket.once("close", resolve));
    expect(own.core.submitted).toEqual([]);
  });
});
