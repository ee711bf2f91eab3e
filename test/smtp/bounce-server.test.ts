import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import nodemailer from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReturnPaths } from "../../src/message/dsn/return-path.ts";
import { createSecretStore } from "../../src/store/secret-store.ts";
import { type FakeMx, startFakeMx } from "../harness/fake-mx.ts";
import { smtpReply } from "../harness/fake-relay.ts";
import { email, post } from "../harness/http.ts";
import { TEST_SECRET_KEY, testSealing } from "../harness/sealing.ts";
import { openSmtpSession } from "../harness/smtp-session.ts";
import { openWire } from "../harness/smtp-wire.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { makeDue, withStore } from "../harness/store-client.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const DOMAIN = "bounce.example.com";
/** The return path in the fixtures. */
const FIXTURE_PATH = /b\+01k9z4c3r8h2v6y0n5t7w1x3q9-[0-9a-f]{32}@bounce\.example\.com/g;
const MAX_MESSAGE_BYTES = 2_000_000;

let mx: FakeMx;
let hermod: Hermod;
let counter = 0;

beforeAll(async () => {
  mx = await startFakeMx();
  hermod = await startHermod({
    settings: {
      ...mx.settings,
      HERMOD_BOUNCE_DOMAIN: DOMAIN,
      HERMOD_BOUNCE_HOST: "127.0.0.1",
      HERMOD_BOUNCE_PORT: String(await freePort()),
      HERMOD_MESSAGE_MAX_BYTES: String(MAX_MESSAGE_BYTES),
      HERMOD_SECRET_KEYS: TEST_SECRET_KEY,
      HERMOD_SMTP_TLS_CERT: "test/fixtures/tls/relay.crt",
      HERMOD_SMTP_TLS_KEY: "test/fixtures/tls/relay.key",
    },
  });
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await hermod.core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
});
afterAll(async () => {
  await hermod.dispose();
  await mx.close();
});

const newAddress = () => `person-${counter++}@example.net`;

interface Sent {
  readonly id: string;
  readonly address: string;
  /** Its envelope sender, as the recipient's server saw it. */
  readonly returnPath: string;
}

async function sendOne(): Promise<Sent> {
  const address = newAddress();
  const { accepted } = await post(hermod, email({ to: address }));
  await until(accepted.message_id, "delivered");
  const received = mx.received.find(({ to }) => to.includes(address));
  return { id: accepted.message_id, address, returnPath: received?.from ?? "" };
}

/** Made as the worker makes it: no server has kept the message. */
async function returnPathOf(messageId: string): Promise<string> {
  const secret = await withStore(hermod, (db) =>
    createSecretStore(db, testSealing).getOrCreate("return-path"),
  );
  return createReturnPaths({ domain: DOMAIN, secret }).encode(messageId);
}

function until(id: string, state: string) {
  return eventually(async () => {
    const { message, timeline } = await hermod.core.messages.getMessage({ id });
    return message?.state === state ? { message, timeline, last: timeline.at(-1) } : undefined;
  });
}

async function stateAndKinds(id: string) {
  const { message, timeline } = await hermod.core.messages.getMessage({ id });
  return [message?.state, ...timeline.map(({ kind }) => kind)];
}

const suppressionsOf = async (address: string) =>
  (await hermod.core.suppressions.listSuppressions({ address })).suppressions;

/** A report of the fixtures as the recipient's server would send it for this message. */
function fixture(name: string, { address, returnPath }: Pick<Sent, "address" | "returnPath">): string {
  const text = readFileSync(`test/fixtures/bounces/${name}.eml`, "latin1");
  return text.replaceAll(FIXTURE_PATH, returnPath).replaceAll("ann@example.net", address);
}

/** Hands a mail to the bounce port, as other servers do; resolves to the reply to it. */
async function deliver(to: string, raw: string | Buffer, from = ""): Promise<string> {
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port: Number(hermod.env.HERMOD_BOUNCE_PORT),
    tls: { rejectUnauthorized: false },
  });
  try {
    return (await transport.sendMail({ envelope: { from, to }, raw })).response;
  } catch (error) {
    return (error as { response?: string }).response ?? String(error);
  } finally {
    transport.close();
  }
}

describe("the return path of a message", () => {
  it("is signed, in the bounce domain, and different for each", async () => {
    const [first, second] = [await sendOne(), await sendOne()];
    for (const { returnPath } of [first, second]) {
      expect(returnPath).toMatch(/^b\+[0-9a-z]{26}-[0-9a-f]{32}@bounce\.example\.com$/);
    }
    expect(first.returnPath).not.toBe(second.returnPath);
    const source = mx.received.at(-1)?.source.toString() ?? "";
    expect(source).toMatch(/^From: hello@example\.com/m);
  });

  it("is shown by the sandbox as the envelope sender", async () => {
    const { accepted } = await post(hermod, email({ routing_policy: "sandbox" }));
    await until(accepted.message_id, "captured");
    const { messages } = await hermod.core.sandbox.listSandboxMessages({});
    expect(messages[0]?.envelopeFrom).toMatch(new RegExp(`@${DOMAIN}$`));
  });
});

describe("a later bounce", () => {
  it("ends the message as bounced, shows the server's reply, and suppresses the address", async () => {
    const sent = await sendOne();
    expect(await deliver(sent.returnPath, fixture("postfix-failed", sent))).toMatch(/^250 /);
    const { timeline, last } = await until(sent.id, "bounced");
    expect(timeline.map(({ kind }) => kind)).toEqual(["accepted", "delivered", "bounced"]);
    expect(last).toMatchObject({
      id: `${sent.id}.1.bounced`,
      attempt: 1,
      via: "report backend.example.net",
      replyCode: 550,
      enhancedStatusCode: "5.1.1",
      category: "invalid_mailbox",
      detail: expect.stringContaining("User unknown in virtual mailbox table"),
    });
    expect(await suppressionsOf(sent.address)).toMatchObject([
      { reason: "hard_bounce", messageId: sent.id, policy: "" },
    ]);
  });

  it("changes nothing when it is repeated, not even for an address removed from the list since", async () => {
    const sent = await sendOne();
    const report = fixture("postfix-failed", sent);
    await Promise.all(Array.from({ length: 4 }, () => deliver(sent.returnPath, report)));
    await until(sent.id, "bounced");
    await hermod.core.suppressions.removeSuppression({ address: sent.address });
    expect(await deliver(sent.returnPath.toUpperCase(), report)).toMatch(/^250 /);
    expect(await stateAndKinds(sent.id)).toEqual(["bounced", "accepted", "delivered", "bounced"]);
    expect(await suppressionsOf(sent.address)).toEqual([]);
  });

  it("is safe to show, for any content", async () => {
    const sent = await sendOne();
    const hostile = fixture("postfix-failed", sent).replace(
      "Diagnostic-Code: smtp; 550 5.1.1",
      "Diagnostic-Code: smtp; 550 5.1.1 \x1b[2J\x07\u202e<script>",
    );
    await deliver(sent.returnPath, Buffer.from(hostile));
    const { last } = await until(sent.id, "bounced");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(last?.detail).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
  });

  it("of a message that exceeds the read size also counts", async () => {
    const sent = await sendOne();
    const padding = `${"x".repeat(70)}\r\n`.repeat(20_000);
    const report = fixture("postfix-failed", sent).replace("Thank you.", padding);
    expect(report.length).toBeGreaterThan(1024 * 1024);
    expect(await deliver(sent.returnPath, report)).toMatch(/^250 /);
    await until(sent.id, "bounced");
  });

  it("of a delay, an automatic reply or a letter is accepted and changes nothing", async () => {
    const sent = await sendOne();
    for (const name of ["postfix-delayed", "other-out-of-office", "other-vacation-with-attached-report"]) {
      expect(await deliver(sent.returnPath, fixture(name, sent), "ann@example.net")).toMatch(/^250 /);
    }
    expect(await deliver(sent.returnPath, "\n\0bare\nline feeds\rand returns")).toMatch(/^250 /);
    expect(await stateAndKinds(sent.id)).toEqual(["delivered", "accepted", "delivered"]);
    const metrics = await (await fetch(`${hermod.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/hermod_bounce_reports_total\{kind="other",outcome="ignored"\} [1-9]/);
    expect(hermod.log()).toContain('"ignoredBecause":"no_report"');
  });

  it("of a message past its retention is accepted and changes nothing", async () => {
    const sent = await sendOne();
    await withStore(hermod, (db) => db.collection<{ _id: string }>("messages").deleteOne({ _id: sent.id }));
    expect(await deliver(sent.returnPath, fixture("postfix-failed", sent))).toMatch(/^250 /);
    expect(await suppressionsOf(sent.address)).toEqual([]);
  });

  it("of a captured message changes nothing, because it was never sent", async () => {
    const address = newAddress();
    const { accepted } = await post(hermod, email({ to: address, routing_policy: "sandbox" }));
    await until(accepted.message_id, "captured");
    const returnPath = await returnPathOf(accepted.message_id);
    expect(await deliver(returnPath, fixture("postfix-failed", { address, returnPath }))).toMatch(/^250 /);
    expect(await stateAndKinds(accepted.message_id)).toEqual(["captured", "accepted", "captured"]);
    expect(await suppressionsOf(address)).toEqual([]);
  });

  it("of a waiting message must be repeated, but its address counts as invalid at once", async () => {
    const address = newAddress();
    mx.answerData(() => smtpReply(451, "4.3.0 later"));
    const { accepted } = await post(hermod, email({ to: address }));
    await until(accepted.message_id, "deferred");
    mx.answerData(undefined);
    const returnPath = await returnPathOf(accepted.message_id);
    const report = fixture("postfix-failed", { address, returnPath });
    expect(await deliver(returnPath, report)).toMatch(/^451 4\.3\.0 /);
    await makeDue(hermod);
    const { last } = await until(accepted.message_id, "bounced");
    expect(last?.detail).toContain("User unknown");
    expect(mx.received.some(({ to }) => to.includes(address))).toBe(false);
    expect(await deliver(returnPath, report)).toMatch(/^250 /);
  });
});

describe("a complaint", () => {
  it("to the return path ends the message as complained and suppresses the address forever", async () => {
    const sent = await sendOne();
    expect(await deliver(sent.returnPath, fixture("arf-yahoo", sent))).toMatch(/^250 /);
    const { last } = await until(sent.id, "complained");
    expect(last).toMatchObject({ id: `${sent.id}.1.complained`, detail: expect.stringContaining("abuse") });
    const [entry] = await suppressionsOf(sent.address);
    expect(entry).toMatchObject({ reason: "complaint", messageId: sent.id });
    expect(entry?.expireAt).toBeUndefined();
  });

  it("to the address for feedback loops is identified by the cited return path", async () => {
    const sent = await sendOne();
    expect(await deliver(`complaints@${DOMAIN}`, fixture("arf-yahoo", sent))).toMatch(/^250 /);
    await until(sent.id, "complained");
  });

  it("that cites a forged return path changes nothing", async () => {
    const sent = await sendOne();
    const returnPath = sent.returnPath.replace(/-[0-9a-f]{32}@/, `-${"0".repeat(32)}@`);
    expect(await deliver(`complaints@${DOMAIN}`, fixture("arf-yahoo", { ...sent, returnPath }))).toMatch(
      /^250 /,
    );
    expect(await stateAndKinds(sent.id)).toEqual(["delivered", "accepted", "delivered"]);
  });
});

describe("the bounce port", () => {
  it("refuses unsigned addresses at RCPT, and all other mail", async () => {
    const { returnPath } = await sendOne();
    const forged = [
      returnPath.replace(/-[0-9a-f]{32}@/, `-${"0".repeat(32)}@`),
      returnPath.replace(DOMAIN, "example.com"),
      `postmaster@${DOMAIN}`,
      "ann@example.net",
    ];
    for (const address of forged) {
      expect(await deliver(address, "Subject: x\n\nx", "ann@example.net")).toMatch(/^550 5\.1\.1 /);
    }
  });

  it("refuses postmaster and abuse if no one reads them, with the reason", async () => {
    for (const to of [`postmaster@${DOMAIN}`, `Abuse@${DOMAIN}`]) {
      expect(await deliver(to, "Subject: x\r\n\r\nx\r\n")).toBe(
        "550 5.1.1 This installation accepts no mail to postmaster and abuse.",
      );
    }
  });

  it("ends sessions that guess addresses", async () => {
    const wire = await openWire(Number(hermod.env.HERMOD_BOUNCE_PORT));
    await wire.say("EHLO guessing.example.net");
    await wire.say("MAIL FROM:<ann@example.net>");
    for (let n = 0; n < 5; n++) {
      expect(await wire.say(`RCPT TO:<guess-${n}@${DOMAIN}>`)).toMatch(/^550 5\.1\.1 /);
    }
    expect(await wire.say(`RCPT TO:<guess-5@${DOMAIN}>`)).toMatch(/^421 /);
    await wire.ended;
  });

  it("refuses mail larger than any report, and stores nothing", async () => {
    const sent = await sendOne();
    const large = `${fixture("postfix-failed", sent)}\r\n${randomBytes(2_600_000).toString("base64")}`;
    expect(await deliver(sent.returnPath, large)).toMatch(/^552 5\.3\.4 /);
    expect(await stateAndKinds(sent.id)).toEqual(["delivered", "accepted", "delivered"]);
  });

  it("offers STARTTLS and no AUTH", async () => {
    const session = await openSmtpSession(Number(hermod.env.HERMOD_BOUNCE_PORT));
    const heard = await session.say("EHLO mx.example.net");
    session.close();
    expect(heard).toContain("STARTTLS");
    expect(heard).not.toContain("AUTH");
  });
});
