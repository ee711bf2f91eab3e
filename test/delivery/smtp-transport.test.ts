import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { simpleParser } from "mailparser";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SmtpTransportSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { type FakeRelay, smtpReply, startFakeRelay } from "../harness/fake-relay.ts";
import { capturedSource, email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { makeDue, withStore } from "../harness/store-client.ts";
import { tool } from "../harness/tools.ts";

const SMTP_SINK = "/usr/sbin/smtp-sink";
const smtpSink = tool("smtp-sink");

let hermod: Hermod;
let relay: FakeRelay;

beforeAll(async () => {
  hermod = await startHermod({ settings: { HERMOD_SMTP_TIMEOUT_MS: "3000" } });
});
afterAll(() => hermod.dispose());

beforeEach(async () => {
  relay = await startFakeRelay();
});
afterEach(() => relay.close());

let policies = 0;

/** A policy of its own for each test, so that tests do not share connections. */
async function policy(
  smtp: MessageInitShape<typeof SmtpTransportSchema>,
  more: { sandbox?: boolean } = {},
): Promise<string> {
  const name = `relay-${++policies}`;
  const transports = [
    { kind: { case: "smtp" as const, value: { tls: "none", ...smtp } } },
    ...(more.sandbox ? [{ kind: { case: "sandbox" as const, value: {} } }] : []),
  ];
  await hermod.core.policies.putPolicy({ policy: { name, transports } });
  return name;
}

async function sendWith(routing_policy: string, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, accepted } = await post(hermod, email({ routing_policy, ...changes }));
  expect(status).toBe(202);
  return accepted.message_id;
}

/** The message once it has reached one of the states, with its timeline. */
function reached(id: string, ...states: string[]) {
  return eventually(async () => {
    const { message, timeline } = await hermod.core.messages.getMessage({ id });
    return message && states.includes(message.state)
      ? { message, timeline, last: timeline.at(-1) }
      : undefined;
  });
}

const local = (port: number) => [{ host: "127.0.0.1", port }];

describe("an upstream relay", () => {
  it("receives the same bytes as the sandbox", async () => {
    const name = await policy({ servers: local(relay.port) });
    const text = "A line.\r\n.\r\n..two\r\nFrom here\r\n trailing \r\nÜmläut\r\n";
    const id = await sendWith(name, { text, html: "<p>A</p>" });
    const { last } = await reached(id, "delivered");
    expect(last).toMatchObject({ via: `smtp 127.0.0.1:${relay.port}`, replyCode: 250, attempt: 1 });
    const [mail] = relay.received;
    expect(mail).toMatchObject({ from: "hello@example.com", to: ["ada@example.org"] });

    // The same submission again, captured: the same bytes, except for ids and date.
    const { accepted } = await post(hermod, email({ text, html: "<p>A</p>" }));
    const captured = await eventually(() => capturedSource(hermod, accepted.message_id));
    const plain = (source: Buffer) =>
      source
        .toString("latin1")
        .replace(/^Date: .*$/m, "")
        .replace(/msg_[0-9a-z]{26}/, "")
        .replaceAll(/=_[^"\r\n]*/g, "");
    expect(plain(mail?.source ?? Buffer.alloc(0))).toBe(plain(captured));
  });

  it("receives many messages over few connections", async () => {
    const name = await policy({ servers: local(relay.port), maxConnections: 2 });
    const ids = await Promise.all(Array.from({ length: 40 }, () => sendWith(name)));
    await Promise.all(ids.map((id) => reached(id, "delivered")));
    expect(relay.received.length).toBe(40);
    // Two at once; on a busy machine an idle one may time out.
    expect(relay.connections()).toBeLessThan(10);
  });

  it("that has closed the idle connection is connected again at once", async () => {
    const name = await policy({ servers: local(relay.port) });
    await reached(await sendWith(name), "delivered");
    relay.dropConnections();
    const id = await sendWith(name);
    const { last } = await reached(id, "delivered", "deferred");
    expect(last).toMatchObject({ kind: "delivered", attempt: 1 });
  });

  it("with a permanent refusal bounces the message, which is not retried", async () => {
    relay.answerRecipient(() => smtpReply(550, "5.1.1 no such user"));
    // A separate address, because it receives nothing afterwards.
    const id = await sendWith(await policy({ servers: local(relay.port) }), { to: "nobody@example.org" });
    const { message, last } = await reached(id, "bounced");
    expect(last).toMatchObject({ kind: "bounced", replyCode: 550, enhancedStatusCode: "5.1.1" });
    expect(message.nextAttemptAt).toBeUndefined();
  });

  it("with a temporary refusal is retried later, until it accepts", async () => {
    relay.answerData(() => smtpReply(451, "4.7.1 greylisted"));
    const id = await sendWith(await policy({ servers: local(relay.port) }));
    const { message, last } = await reached(id, "deferred");
    expect(last).toMatchObject({ kind: "deferred", replyCode: 451, enhancedStatusCode: "4.7.1", attempt: 1 });
    const waitMs = Number(message.nextAttemptAt?.seconds) * 1000 - Number(message.createdAt?.seconds) * 1000;
    expect(waitMs).toBeGreaterThanOrEqual(59_000);
    expect(waitMs).toBeLessThanOrEqual(70_000);
    relay.answerData(undefined);
    await makeDue(hermod);
    const { timeline } = await reached(id, "delivered");
    expect(timeline.map(({ kind, attempt }) => `${kind} ${attempt}`)).toEqual([
      "accepted 0",
      "deferred 1",
      "delivered 2",
    ]);
    expect(relay.received.length).toBe(1);
  });

  it("that stays unavailable until the message is too old makes it expire", async () => {
    relay.answerData(() => smtpReply(451, "4.3.0 later"));
    const id = await sendWith(await policy({ servers: local(relay.port) }));
    await reached(id, "deferred");
    await withStore(hermod, (db) =>
      db
        .collection<{ _id: string }>("messages")
        .updateOne(
          { _id: id },
          { $set: { createdAt: new Date(Date.now() - 48 * 3_600_000), nextAttemptAt: new Date() } },
        ),
    );
    const { message, last } = await reached(id, "expired");
    expect(last).toMatchObject({ kind: "expired", attempt: 2, replyCode: 451 });
    expect(message.nextAttemptAt).toBeUndefined();
  });

  it("that is unreachable gives way to the next server in the same attempt", async () => {
    const closed = await startFakeRelay();
    await closed.close();
    const id = await sendWith(await policy({ servers: [...local(closed.port), ...local(relay.port)] }));
    const { last } = await reached(id, "delivered");
    expect(last).toMatchObject({ attempt: 1, via: `smtp 127.0.0.1:${relay.port}` });
  });

  it.each([
    [421, "4.3.2 shutting down"],
    [452, "4.3.1 no space left"],
  ])("that replies %i %s gives way to the next server, and to the next transport", async (code, text) => {
    relay.answerRecipient(() => smtpReply(code, text));
    const id = await sendWith(await policy({ servers: local(relay.port) }, { sandbox: true }));
    await reached(id, "captured");
  });

  it("that has answered is shown in the timeline when the next transport is unreachable", async () => {
    relay.answerRecipient(() => smtpReply(452, "4.3.1 no space left"));
    const name = `relay-${++policies}`;
    const transports = [relay.port, await freePort()].map((port) => ({
      kind: { case: "smtp" as const, value: { tls: "none", servers: local(port) } },
    }));
    await hermod.core.policies.putPolicy({ policy: { name, transports } });
    const { last } = await reached(await sendWith(name), "deferred");
    expect(last).toMatchObject({ replyCode: 452, via: `smtp 127.0.0.1:${relay.port}` });
  });

  it("that drops the connection after DATA is not replaced by another one: better late than twice", async () => {
    relay.dropAfterData(true);
    const other = await startFakeRelay();
    const id = await sendWith(await policy({ servers: [...local(relay.port), ...local(other.port)] }));
    await reached(id, "deferred");
    expect(other.received.length).toBe(0);
    await other.close();
  });

  it("with a hostile reply does no harm where the reply is shown", async () => {
    relay.answerData(() =>
      smtpReply(550, `5.0.0 \u001b[31m<script>alert(1)</script>\u0007\u202e${"x".repeat(5000)}`),
    );
    const id = await sendWith(await policy({ servers: local(relay.port) }));
    const { last } = await reached(id, "bounced");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
    expect(last?.detail).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
    expect(last?.detail.length).toBeLessThanOrEqual(1000);
  });

  it("that never answers does not hold the message forever", async () => {
    const silent = await startFakeRelay({ onMailFrom: () => undefined });
    const id = await sendWith(await policy({ servers: local(silent.port) }));
    await reached(id, "deferred");
    await silent.close();
  });
});

describe("TLS and credentials", () => {
  it("follow the policy: STARTTLS, then AUTH", async () => {
    const secure = await startFakeRelay({ disabledCommands: [], authOptional: false });
    const name = await policy({
      servers: local(secure.port),
      tls: "opportunistic",
      username: "u",
      password: "p",
    });
    await reached(await sendWith(name), "delivered");
    expect(secure.received[0]).toMatchObject({ secure: true, user: "u" });
    await secure.close();
  });

  it("required is never given up: neither for plain text nor for an untrusted certificate", async () => {
    const plain = await sendWith(await policy({ servers: local(relay.port), tls: "required" }));
    const secure = await startFakeRelay({ disabledCommands: ["AUTH"] });
    const unknown = await sendWith(await policy({ servers: local(secure.port), tls: "required" }));
    await reached(plain, "deferred");
    await reached(unknown, "deferred");
    expect([relay.received.length, secure.received.length]).toEqual([0, 0]);
    await secure.close();
  });

  it("that are refused defer the message instead of bouncing it", async () => {
    const strict = await startFakeRelay({
      disabledCommands: [],
      onAuth: (_auth, _session, done) => done(smtpReply(535, "5.7.8 bad credentials")),
    });
    const name = await policy({
      servers: local(strict.port),
      tls: "opportunistic",
      username: "u",
      password: "x",
    });
    const { last } = await reached(await sendWith(name), "deferred");
    expect(last).toMatchObject({ replyCode: 535 });
    await strict.close();
  });

  it("are never shown by a list of policies, nor sent without TLS", async () => {
    await policy({ servers: local(relay.port), tls: "required", username: "u", password: "s3cret" });
    const { policies: listed } = await hermod.core.policies.listPolicies({});
    expect(
      JSON.stringify(listed, (_key, value) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain("s3cret");
    await expect(
      policy({ servers: local(relay.port), tls: "none", username: "u", password: "p" }),
    ).rejects.toMatchObject({
      errors: [{ pointer: "/transports/0/smtp/tls" }],
    });
  });
});

describe("smtp-sink of Postfix", () => {
  it.skipIf(smtpSink.missing)(`receives a message byte for byte${smtpSink.note}`, async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "hermod-sink-"));
    const port = await freePort();
    const user = userInfo().username;
    const sink = spawn(
      SMTP_SINK,
      [...(user === "root" ? ["-u", user] : []), "-d", "mail.", `127.0.0.1:${port}`, "10"],
      {
        cwd: directory,
        stdio: "ignore",
      },
    );
    try {
      await eventually(() => canConnect(port));
      const text = "dots:\r\n.\r\n..\r\nÜmläut and a long line ".padEnd(3000, "x");
      const id = await sendWith(await policy({ servers: local(port) }), { text, subject: "Sänk" });
      await reached(id, "delivered");
      const name = await eventually(async () => (await readdir(directory))[0]);
      const dump = await readFile(path.join(directory, name));
      const mail = await simpleParser(dump);
      expect(mail.subject).toBe("Sänk");
      expect(mail.text?.trimEnd()).toBe(text.replaceAll("\r\n", "\n"));
      const { accepted } = await post(hermod, email({ text, subject: "Sänk" }));
      const captured = await eventually(() => capturedSource(hermod, accepted.message_id));
      const body = (source: string) => source.slice(source.search(/^MIME-Version:/m)).trimEnd();
      expect(body(dump.toString("latin1"))).toBe(body(captured.toString("latin1").replaceAll("\r\n", "\n")));
    } finally {
      sink.kill("SIGKILL");
      await rm(directory, { recursive: true });
    }
  });
});

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function canConnect(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(undefined));
  });
}
