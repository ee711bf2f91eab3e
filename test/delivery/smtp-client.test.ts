import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { phrase } from "../../src/shared/phrase.ts";
import {
  openSmtpConnection,
  type SmtpConnection,
  type SmtpConnectionOptions,
} from "../../src/smtp-client/connection.ts";
import { heloName } from "../../src/smtp-client/helo-name.ts";
import { SmtpError } from "../../src/smtp-client/smtp-error.ts";
import { smtpTimeouts } from "../../src/smtp-client/smtp-timeouts.ts";
import type { TlsPeer } from "../../src/transport-security/tls-demand.ts";
import {
  offering,
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from "../harness/scripted-server.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(script: Script = {}, host?: string): Promise<ScriptedServer> {
  const server = await startScriptedServer(script, host);
  closing.push(server.close);
  return server;
}

async function connect(
  { host, port }: ScriptedServer,
  changes: Partial<SmtpConnectionOptions> = {},
): Promise<SmtpConnection> {
  const connection = await openSmtpConnection({
    host,
    port,
    tls: "none",
    serverName: "mx.test",
    timeouts: smtpTimeouts(2000),
    ...changes,
  });
  closing.push(connection.close);
  return connection;
}

const envelope = { from: "hello@example.com", to: ["ada@example.org"] };
const message = (body: string, headers = "Subject: x") => Buffer.from(`${headers}\r\n\r\n${body}`);
const plain = message("A line.\r\n");

/** The error of a rejected promise. */
async function failureOf(promise: Promise<unknown>): Promise<SmtpError> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof SmtpError) return error;
  throw new Error(`not an SmtpError: ${error}`);
}

describe("a transaction", () => {
  it("is sent in one write if the server offers PIPELINING, and the message in another", async () => {
    const server = await serve();
    const connection = await connect(server);
    const reply = await connection.send(envelope, plain);
    expect(reply).toMatchObject({ code: 250, text: "250 2.0.0 queued" });
    expect(server.peers[0]?.chunks.slice(1)).toEqual([
      `MAIL FROM:<hello@example.com> SIZE=${plain.length}\r\nRCPT TO:<ada@example.org>\r\nDATA\r\n`,
      "Subject: x\r\n\r\nA line.\r\n.\r\n",
    ]);
  });

  it("is sent step by step without it, and for several recipients", async () => {
    const server = await serve({ EHLO: offering() });
    await (await connect(server)).send(envelope, plain);
    expect(server.peers[0]?.chunks.slice(1)).toEqual([
      "MAIL FROM:<hello@example.com>\r\n",
      "RCPT TO:<ada@example.org>\r\n",
      "DATA\r\n",
      "Subject: x\r\n\r\nA line.\r\n.\r\n",
    ]);
    const pipelining = await serve();
    await (await connect(pipelining)).send({ from: "", to: ["a@x.test", "b@x.test"] }, plain);
    expect(pipelining.peers[0]?.chunks.slice(1, 4)).toEqual([
      `MAIL FROM:<> SIZE=${plain.length}\r\n`,
      "RCPT TO:<a@x.test>\r\n",
      "RCPT TO:<b@x.test>\r\n",
    ]);
  });

  it("is followed by others on the same connection", async () => {
    const server = await serve();
    const connection = await connect(server);
    for (let i = 0; i < 5; i++) await connection.send(envelope, plain);
    expect(server.messages).toHaveLength(5);
    expect(server.peers).toHaveLength(1);
    expect(connection.isUsable()).toBe(true);
  });

  it("ends with an empty message when the recipient is refused and the server still wants one", async () => {
    const server = await serve({ RCPT: "550 5.1.1 nobody", end: "554 5.5.1 no valid recipients" });
    const connection = await connect(server);
    const error = await failureOf(connection.send(envelope, plain));
    expect(error).toMatchObject({ phase: "rcpt", reply: { code: 550 }, dataBegun: false });
    expect(server.messages.map(({ raw }) => raw)).toEqual([""]);
    // The connection is as good as new.
    await connection.reset();
    server.script = {};
    await connection.send(envelope, plain);
    expect(server.messages.at(-1)?.raw).toBe(plain.toString());
  });

  it("leaves a server that refuses the sender and accepts the recipient, because it might deliver the empty message", async () => {
    const server = await serve({ MAIL: "550 5.7.1 not you" });
    const connection = await connect(server);
    expect(await failureOf(connection.send(envelope, plain))).toMatchObject({ phase: "mail" });
    expect(connection.isUsable()).toBe(false);
    expect(server.messages).toEqual([]);
  });

  it("ends without a message when DATA is refused", async () => {
    const server = await serve({ DATA: "451 4.3.0 not now" });
    const connection = await connect(server);
    const error = await failureOf(connection.send(envelope, plain));
    expect(error).toMatchObject({ phase: "data", reply: { code: 451 }, dataBegun: false });
    expect(server.messages).toEqual([]);
    await connection.reset();
    expect(connection.isUsable()).toBe(true);
  });

  it("is sent to all recipients or to none", async () => {
    const server = await serve({
      RCPT: (peer) => peer.say(peer.commands.at(-1)?.includes("bad") ? "550 5.1.1 no" : "250 ok"),
    });
    const connection = await connect(server);
    const error = await failureOf(connection.send({ from: "", to: ["a@x.test", "bad@x.test"] }, plain));
    expect(error.phase).toBe("rcpt");
    expect(server.peers[0]?.commands).not.toContain("DATA");
  });
});

describe("a message that must no longer be sent from here", () => {
  /** Permits this number of checks. */
  const timesYes = (times: number) => {
    let asked = 0;
    return () => ++asked <= times;
  };

  it("is not begun", async () => {
    const server = await serve();
    const connection = await connect(server);
    const failure = await failureOf(connection.send(envelope, plain, timesYes(0)));
    expect(failure).toMatchObject({ abandoned: true, dataBegun: false });
    expect(connection.isUsable()).toBe(true);
    await connection.send(envelope, plain);
    expect(server.peers[0]?.commands.filter((line) => line.startsWith("MAIL"))).toHaveLength(1);
  });

  it.each([1, 2])("is cancelled with RSET before DATA, after %i answers", async (answers) => {
    const server = await serve({ EHLO: offering("8BITMIME") });
    const connection = await connect(server);
    const failure = await failureOf(connection.send(envelope, plain, timesYes(answers)));
    expect(failure).toMatchObject({ abandoned: true, dataBegun: false });
    await connection.reset();
    expect(connection.isUsable()).toBe(true);
    const commands = server.peers[0]?.commands ?? [];
    expect(commands).not.toContain("DATA");
    expect(commands.at(-1)).toBe("RSET");
  });

  it("is left without an octet of it when the server waits for it", async () => {
    const server = await serve();
    const connection = await connect(server);
    const failure = await failureOf(connection.send(envelope, plain, timesYes(1)));
    expect(failure).toMatchObject({ abandoned: true, dataBegun: false });
    await server.peers[0]?.closed;
    expect(server.peers[0]?.chunks.at(-1)).toMatch(/DATA\r\n$/);
    expect(server.messages).toEqual([]);
  });

  it.each([
    ["amid its blocks", 10],
    ["before the final dot, which does not go with the last of them", 17],
  ])("is left %s", async (_, answers) => {
    // Sixteen blocks of 64 KB.
    const large = message("line\r\n".repeat((16 * 65_536 - 14) / 6), "Subject: x");
    const server = await serve({ EHLO: offering("PIPELINING") });
    const connection = await connect(server);
    const failure = await failureOf(connection.send(envelope, large, timesYes(answers)));
    expect(failure).toMatchObject({ abandoned: true, dataBegun: false });
    await server.peers[0]?.closed;
    expect(server.messages).toEqual([]);
    expect(server.peers[0]?.chunks.join("")).not.toContain("\r\n.\r\n");
  });
});

describe("the message", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["a dot alone", ".\r\n", "..\r\n"],
    ["dots that begin lines", "a\r\n.b\r\n..c\r\n.\r\nd.\r\n", "a\r\n..b\r\n...c\r\n..\r\nd.\r\n"],
    ["no line end at its end", "a", "a\r\n"],
    ["a dot at its end", "a\r\n.", "a\r\n..\r\n"],
    ["a lone LF before a dot", "a\n.\r\nb\r\n", "a\n..\r\nb\r\n"],
    ["a lone CR at its end", "a\r", "a\r\r\n"],
    ["empty lines at its end", "a\r\n\r\n\r\n", "a\r\n\r\n\r\n"],
  ];
  it.each(cases)("arrives complete with %s", async (_name, body, wire) => {
    const server = await serve();
    const connection = await connect(server);
    await connection.send(envelope, Buffer.from(body));
    await connection.send(envelope, plain);
    expect(server.messages.map(({ raw }) => raw)).toEqual([wire, plain.toString()]);
  });

  it("arrives complete when it is empty", async () => {
    const server = await serve();
    await (await connect(server)).send(envelope, Buffer.alloc(0));
    expect(server.messages.map(({ raw }) => raw)).toEqual([""]);
  });

  it("arrives complete when it is large, wherever a block ends", async () => {
    const server = await serve({ EHLO: offering("PIPELINING") });
    const connection = await connect(server);
    for (const length of [65_533, 65_534, 65_535, 65_536, 65_537, 131_072, 900_001]) {
      const source = Buffer.from(`${"x".repeat(length % 7)}\r\n${".y\r\n".repeat(length / 4)}`);
      const untouched = Buffer.from(source);
      await connection.send(envelope, source);
      expect(server.messages.at(-1)?.raw).toBe(source.toString().replaceAll("\n.", "\n.."));
      expect(source.equals(untouched)).toBe(true);
    }
  });

  it("over the size limit of the server is refused locally, and no connection is used for it", async () => {
    const server = await serve({ EHLO: offering("SIZE 100") });
    const connection = await connect(server);
    const error = await failureOf(connection.send(envelope, message("x".repeat(200))));
    expect(error).toMatchObject({ refusedAs: "5.3.4", phase: "mail" });
    expect(server.peers[0]?.commands).toHaveLength(1);
    await connection.send(envelope, plain);
    expect(server.messages).toHaveLength(1);
  });

  it.each(["SIZE", "SIZE 0", "SIZE nonsense"])("has no limit if %s announces none", async (keyword) => {
    const server = await serve({ EHLO: offering(keyword) });
    await (await connect(server)).send(envelope, message("x".repeat(200)));
    expect(server.messages[0]?.mail).toMatch(/ SIZE=216$/);
  });

  it("is declared as 8-bit if it is and the server supports it", async () => {
    const server = await serve();
    const connection = await connect(server);
    await connection.send(envelope, message("Ü\r\n"));
    await connection.send(envelope, plain);
    expect(server.messages.map(({ mail }) => mail.includes("BODY=8BITMIME"))).toEqual([true, false]);
    expect(server.messages.every(({ mail }) => !mail.includes("SMTPUTF8"))).toBe(true);
  });

  it("is refused locally when its body is 8-bit and the server does not support it", async () => {
    const server = await serve({ EHLO: offering() });
    const connection = await connect(server);
    const error = await failureOf(connection.send(envelope, message("Ü\r\n")));
    expect(error).toMatchObject({ refusedAs: "5.6.3", phase: "mail" });
    expect(server.peers[0]?.commands).toHaveLength(1);
    expect(connection.isUsable()).toBe(true);
  });
});

describe("internationalized addresses", () => {
  it.each([
    ["in the envelope", { from: "hello@example.com", to: ["jörg@example.org"] }, plain],
    ["in the header", envelope, message("x\r\n", "To: jörg@example.org")],
  ])("%s need SMTPUTF8", async (_where, addresses, source) => {
    const server = await serve();
    await (await connect(server)).send(addresses, source);
    expect(server.messages[0]?.mail).toContain(" SMTPUTF8");
    const old = await serve({ EHLO: offering("8BITMIME") });
    const connection = await connect(old);
    expect(await failureOf(connection.send(addresses, source))).toMatchObject({ refusedAs: "5.6.7" });
    expect(old.peers[0]?.commands).toHaveLength(1);
    expect(connection.isUsable()).toBe(true);
  });

  it("in a header submitted without SMTPUTF8 are sent unchanged", async () => {
    const server = await serve({ EHLO: offering() });
    const source = message("x\r\n", "To: jörg@example.org");
    await (await connect(server)).send({ ...envelope, legacyHeader: true }, source);
    expect(server.messages[0]?.mail).not.toContain("SMTPUTF8");
    expect(server.messages[0]?.raw).toBe(source.toString());
  });

  it("need nothing if only the domain is: it is sent as A-labels", async () => {
    const server = await serve({ EHLO: offering() });
    await (await connect(server)).send({ from: "a@müller.test", to: ["b@пример.test"] }, plain);
    expect(server.messages[0]).toMatchObject({
      mail: "MAIL FROM:<a@xn--mller-kva.test>",
      rcpt: ["RCPT TO:<b@xn--e1afmkfd.test>"],
    });
  });
});

describe("addresses that would break out of their command", () => {
  const bad = ["a@x.test\r\nDATA", "a\n@x.test", "a\0@x.test", "a@x.test> SIZE=1", "<a@x.test", "a b@x.test"];
  it.each([...bad, "a\t@x.test", "a\u2028@x.test"])(
    "%j is refused before anything is sent",
    async (address) => {
      const server = await serve();
      const connection = await connect(server);
      const asRecipient = await failureOf(connection.send({ from: "", to: [address] }, plain));
      const asSender = await failureOf(connection.send({ from: address, to: ["a@x.test"] }, plain));
      expect([asRecipient.refusedAs, asSender.refusedAs]).toEqual(["5.1.3", "5.1.7"]);
      expect(server.peers[0]?.commands).toHaveLength(1);
    },
  );

  it("a missing recipient is refused too", async () => {
    const connection = await connect(await serve());
    expect((await failureOf(connection.send({ from: "", to: [] }, plain))).refusedAs).toBe("5.1.3");
    expect((await failureOf(connection.send({ from: "", to: [""] }, plain))).refusedAs).toBe("5.1.3");
  });
});

describe("the greeting", () => {
  it("is answered with HELO if EHLO is not supported", async () => {
    const server = await serve({ EHLO: "502 5.5.1 what?", HELO: "250-SIZE 1\r\n250 PIPELINING" });
    const connection = await connect(server, { heloName: "out.example.com" });
    await connection.send(envelope, plain);
    expect(server.peers[0]?.commands.slice(0, 3)).toEqual([
      "EHLO out.example.com",
      "HELO out.example.com",
      "MAIL FROM:<hello@example.com>",
    ]);
  });

  it("with a refusal is reported unchanged", async () => {
    const error = await failureOf(connect(await serve({ greeting: "554 5.7.1 blocked" })));
    expect(error).toMatchObject({ phase: "connect", reply: { code: 554 }, down: false });
  });

  it("has the extensions of the server, and again after STARTTLS", async () => {
    const server = await serve({
      EHLO: (peer) =>
        peer.say(
          peer.encrypted ? offering("auth plain LOGIN", "requiretls", "DSN") : offering("STARTTLS", "SIZE 5"),
        ),
    });
    const { capabilities } = await connect(server, { tls: "required" });
    expect(capabilities).toMatchObject({
      auth: ["PLAIN", "LOGIN"],
      requireTls: true,
      dsn: true,
      size: false,
    });
    expect(capabilities).toMatchObject({
      startTls: false,
      maxSizeBytes: undefined,
      enhancedStatusCodes: false,
    });
  });

  it.each([
    ["mail.example.com", "127.0.0.1", "mail.example.com"],
    ["MÜLLER.example", "127.0.0.1", "xn--mller-kva.example"],
    ["192.0.2.1", "127.0.0.1", "[192.0.2.1]"],
    ["[IPv6:2001:db8::1]", "127.0.0.1", "[IPv6:2001:db8::1]"],
  ])("has the name %s for %s as %s", (configured, local, said) => {
    expect(heloName(configured, local)).toBe(said);
  });

  it.each(["evil\r\nMAIL", "two words", ""])("never has the name %j", (configured) => {
    expect(heloName(configured, "::ffff:192.0.2.7")).toMatch(
      /^(\[192\.0\.2\.7\]|[a-z0-9_-]+(\.[a-z0-9_-]+)+)$/,
    );
  });
});

describe("the source address", () => {
  it("is visible to the server", async () => {
    const server = await serve();
    await connect(server, { localAddress: "127.0.0.2" });
    expect(server.peers[0]?.remoteAddress).toBe("127.0.0.2");
  });

  it.each(["192.0.2.77", "::1", "nonsense"])(
    "%s cannot be used, which does not count against the server",
    async (address) => {
      const error = await failureOf(connect(await serve(), { localAddress: address }));
      expect(error.message).toContain(`the source address ${address} cannot be used`);
      expect(error).toMatchObject({ down: false, phase: "connect" });
    },
  );
});

describe("TLS", () => {
  const withTls = offering("PIPELINING", "STARTTLS");

  it("is started if offered, and protects everything after it", async () => {
    const server = await serve({ EHLO: withTls });
    const connection = await connect(server, { tls: "opportunistic" });
    await connection.send(envelope, plain);
    expect(connection.encrypted).toBe(true);
    expect(server.messages[0]?.encrypted).toBe(true);
  });

  it("from the first octet is supported too", async () => {
    const server = await serve({
      greeting: async (peer) => {
        await peer.startTls();
        peer.say("220 hello");
      },
    });
    const connection = await connect(server, { tls: "implicit" });
    await connection.send(envelope, plain);
    expect(server.messages[0]?.encrypted).toBe(true);
  });

  it("passes the certificate to the verifier, and is aborted when that refuses", async () => {
    const server = await serve({ EHLO: withTls });
    const seen: TlsPeer[] = [];
    const verify = (peer: TlsPeer) => {
      seen.push(peer);
      return phrase("dane.no_match");
    };
    const error = await failureOf(connect(server, { tls: "required", verify }));
    expect(error).toMatchObject({
      tls: true,
      phase: "starttls",
      message: "DANE: no TLSA record matches the certificate",
    });
    expect(seen[0]).toMatchObject({ serverName: "mx.test", authorized: false });
    expect(seen[0]?.authorizationError).toMatch(/SIGNED|CERT/i);
    const pem = readFileSync(path.join(import.meta.dirname, "../fixtures/tls/relay.crt"), "utf8");
    expect(pem.replaceAll(/-.*-|\s/g, "")).toBe(seen[0]?.certificate.raw.toString("base64"));
    expect(server.peers[0]?.commands).toHaveLength(2);
  });

  it("is aborted when the verifier throws", async () => {
    const verify = () => {
      throw new TypeError("no such field");
    };
    const error = await failureOf(connect(await serve({ EHLO: withTls }), { tls: "required", verify }));
    expect(error).toMatchObject({ tls: true, message: "the certificate cannot be checked: no such field" });
  });

  it("required is a TLS failure if it is not offered", async () => {
    const error = await failureOf(connect(await serve(), { tls: "required" }));
    expect(error).toMatchObject({ tls: true, phase: "starttls", reply: undefined });
  });

  it.each(["454 4.7.0 not now", "502 5.5.1 what?"])("is a TLS failure when answered %s", async (STARTTLS) => {
    const error = await failureOf(
      connect(await serve({ EHLO: withTls, STARTTLS }), { tls: "opportunistic" }),
    );
    expect(error).toMatchObject({ tls: true, phase: "starttls", reply: { text: STARTTLS } });
  });
});

describe("credentials", () => {
  const auth = { username: "ada", password: "s3cret" };
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  const offer = (...mechanisms: string[]): Script => ({ EHLO: offering("STARTTLS", ...mechanisms) });

  it("are sent with PLAIN", async () => {
    const server = await serve(offer("AUTH LOGIN PLAIN"));
    await connect(server, { tls: "required", auth });
    expect(server.peers[0]?.commands.at(-1)).toBe(`AUTH PLAIN ${encoded("\0ada\0s3cret")}`);
  });

  it("are sent with LOGIN if there is no PLAIN", async () => {
    const server = await serve({
      ...offer("AUTH=LOGIN"),
      AUTH: (peer) => peer.say(peer.commands.at(-1) === encoded("s3cret") ? "235 ok" : "334 VXNlcm5hbWU6"),
    });
    await connect(server, { tls: "required", auth });
    expect(server.peers[0]?.commands.slice(-3)).toEqual(["AUTH LOGIN", encoded("ada"), encoded("s3cret")]);
  });

  it("are never sent without TLS", async () => {
    const server = await serve({ EHLO: offering("AUTH PLAIN") });
    expect(await failureOf(connect(server, { tls: "opportunistic", auth }))).toMatchObject({ phase: "auth" });
    expect(server.peers[0]?.commands).toHaveLength(1);
  });

  it("that are refused, or not requested, are an error that does not show them", async () => {
    const refusing = await serve({ ...offer("AUTH PLAIN"), AUTH: "535 5.7.8 no" });
    const refused = await failureOf(connect(refusing, { tls: "required", auth }));
    expect(refused).toMatchObject({ phase: "auth", reply: { code: 535 } });
    const unasked = await failureOf(connect(await serve(offer()), { tls: "required", auth }));
    expect(unasked).toMatchObject({ phase: "auth", reply: undefined });
    expect(`${refused}${unasked}`).not.toMatch(/s3cret|czNjcmV0/);
  });
});

it("sends QUIT when requested", async () => {
  const server = await serve();
  const connection = await connect(server);
  const ended = new Promise<void>((resolve) => connection.onClosed(resolve));
  connection.quit();
  await ended;
  expect(server.peers[0]?.commands.at(-1)).toBe("QUIT");
  expect(connection.isUsable()).toBe(false);
});
