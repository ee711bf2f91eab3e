import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { capturedSource, email, post } from "../harness/http.ts";
import { type Postfix, startPostfix } from "../harness/postfix.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { makeDue } from "../harness/store-client.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";
import { verified } from "../harness/verify-dkim.ts";

const installed = tool("postfix");
const ADDRESS = "127.0.3.1";
const MANY = 300;

describe.skipIf(installed.missing)(`Postfix${installed.note}`, () => {
  let dns: DnsServer;
  let postfix: Postfix;
  let hermod: Hermod;

  beforeAll(async () => {
    const domain = "postfix.test";
    dns = await startDnsServer({
      [domain]: { MX: [`10 mx.${domain}`] },
      [`mx.${domain}`]: { A: [ADDRESS] },
    });
    postfix = await startPostfix({
      address: ADDRESS,
      port: await freePort(),
      domain,
      mailboxes: "(ada|grace)[.0-9]*",
    });
    hermod = await startHermod({
      settings: {
        HERMOD_DNS_SERVERS: dns.address,
        HERMOD_MX_PORT: String(postfix.port),
        HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
        HERMOD_KEY_CACHE_MS: "0",
      },
    });
    const direct = [{ kind: { case: "direct" as const, value: { tls: "required" } } }];
    const captured = [{ kind: { case: "sandbox" as const, value: {} } }];
    const { policies } = hermod.core;
    await policies.putPolicy({ policy: { name: "direct", default: true, transports: direct } });
    await policies.putPolicy({ policy: { name: "captured", transports: captured } });
  });
  afterAll(async () => {
    await hermod?.dispose();
    await postfix?.dispose();
    await dns?.close();
  });

  async function send(changes: Record<string, unknown>): Promise<string> {
    const { status, accepted } = await post(hermod, email(changes));
    expect(status).toBe(202);
    return accepted.message_id;
  }

  const reached = (id: string, state: string) =>
    eventually(async () => {
      const { message, timeline } = await hermod.core.messages.getMessage({ id });
      return message?.state === state ? timeline.at(-1) : undefined;
    });

  const arrived = (id: string) =>
    eventually(async () => (await postfix.received()).find(({ source }) => source.includes(`<${id}@`)));

  it("receives a message byte for byte, over TLS, with valid signatures", async () => {
    const { domain } = await hermod.core.domains.addDomain({ domain: "example.com" });
    if (!domain) throw new Error("no domain");
    const content = {
      subject: "Grüße an alle",
      text: "Dots:\r\n.\r\n..two\r\nFrom here\r\n trailing \r\n\r\nÜmläut and a long line ".padEnd(
        3_000,
        "x",
      ),
      html: "<p>Hi</p>\r\n.\r\n",
      attachments: [{ filename: "all.bin", content: allOctets().toString("base64") }],
    };
    const id = await send({ ...content, to: "ada@postfix.test" });
    expect(await reached(id, "delivered")).toMatchObject({ attempt: 1, replyCode: 250 });
    const { trace, source } = await arrived(id);
    expect(trace).toMatch(/\(using TLSv1/);
    expect(trace).toContain("Return-Path: <hello@example.com>");
    expect(verified(source, domain).toSorted()).toEqual(["ed25519-sha256", "rsa-sha256"]);

    // The same submission again, captured: the same bytes, except for the values of each message.
    const twin = await send({ ...content, to: "ada@postfix.test", routing_policy: "captured" });
    const captured = await eventually(() => capturedSource(hermod, twin));
    expect(withoutOwn(source)).toBe(withoutOwn(captured.toString("latin1")));
  });

  it("has no such user: the message bounces as invalid_mailbox", async () => {
    const id = await send({ to: "nobody@postfix.test" });
    expect(await reached(id, "bounced")).toMatchObject({
      replyCode: 550,
      enhancedStatusCode: "5.1.1",
      category: "invalid_mailbox",
    });
  });

  it("receives hundreds of messages over few connections, each once", async () => {
    const before = (await postfix.logged(": connect from")).length;
    const ids = await Promise.all(
      Array.from({ length: MANY }, (_, n) => send({ to: `grace.${n}@postfix.test` })),
    );
    for (const id of ids) await reached(id, "delivered");
    const sources = await eventually(async () => {
      const mine = (await postfix.received()).filter(({ trace }) => trace.includes("grace."));
      return mine.length >= MANY ? mine.map(({ source }) => source) : undefined;
    });
    const found = sources.map((source) => /^Message-ID: <(msg_\w+)@/m.exec(source)?.[1]);
    expect(found.toSorted()).toEqual(ids.toSorted());
    const connections = (await postfix.logged(": connect from")).length - before;
    expect(connections).toBeLessThanOrEqual(20);
  });

  it("is unavailable: the message waits, and is sent when it returns", async () => {
    await postfix.stop();
    const id = await send({ to: "ada@postfix.test" });
    expect(await reached(id, "deferred")).toMatchObject({ category: "network" });
    await postfix.start();
    // Hermod remembers an unreachable server for a few seconds.
    await eventually(async () => {
      await makeDue(hermod);
      const { message } = await hermod.core.messages.getMessage({ id });
      return message?.state === "delivered" ? true : undefined;
    });
    await arrived(id);
  });
});

function allOctets(): Buffer {
  return Buffer.from(Array.from({ length: 4_096 }, (_, index) => index % 256));
}

/** Without signatures, date, ids and boundaries. */
function withoutOwn(source: string): string {
  return source
    .replace(/^(?:DKIM-Signature:.*\r\n(?:[ \t].*\r\n)*)+/, "")
    .replace(/^Date: .*$/m, "")
    .replace(/msg_[0-9a-z]{26}/, "")
    .replaceAll(/=_[^"\r\n]*/g, "");
}
