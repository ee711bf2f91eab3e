import nodemailer from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACCOUNT } from "../../src/shared/system-account.ts";
import { type FakeMx, startFakeMx } from "../harness/fake-mx.ts";
import { smtpReply } from "../harness/fake-relay.ts";
import { openWire, type SmtpWire } from "../harness/smtp-wire.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const DOMAIN = "bounce.example.com";
const OPERATOR = "ops@example.net";

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
      HERMOD_POSTMASTER_ADDRESS: OPERATOR,
      HERMOD_BASE_URL: "https://mail.example.com",
      HERMOD_MAX_HOPS: "5",
    },
  });
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  const policy = { name: "direct", default: true, transports, listUnsubscribe: true };
  await hermod.core.policies.putPolicy({ accountId: SYSTEM_ACCOUNT, policy });
  await hermod.core.domains.addDomain({ domain: DOMAIN });
});
afterAll(async () => {
  await hermod.dispose();
  await mx.close();
});

const bouncePort = () => Number(hermod.env.HERMOD_BOUNCE_PORT);

/** A letter with a unique subject. */
function letter(...fields: string[]) {
  const mark = `letter-${counter++}`;
  const lines = [
    ...fields,
    `From: Eve <eve@example.org>`,
    `Subject: =?utf-8?Q?${mark}?=`,
    "",
    "Caf\u00e9 8-bit. ",
    "..",
    "",
  ];
  return { mark, raw: Buffer.from(lines.join("\r\n")) };
}

/** Hands a mail to the bounce port, as other servers do; resolves to the reply to it. */
async function deliver(to: string[], raw: Buffer, from = "eve@example.org"): Promise<string> {
  const transport = nodemailer.createTransport({ host: "127.0.0.1", port: bouncePort(), ignoreTLS: true });
  try {
    return (await transport.sendMail({ envelope: { from, to }, raw })).response;
  } catch (error) {
    return (error as { response?: string }).response ?? String(error);
  } finally {
    transport.close();
  }
}

/** The letter as the operator's server received it. */
const forwarded = (mark: string) =>
  eventually(async () => mx.received.find(({ source }) => source.includes(mark)));

async function messageOf(mark: string) {
  const { messages } = await hermod.core.messages.listMessages({ accountId: SYSTEM_ACCOUNT });
  return messages.find(({ subject }) => subject.includes(mark));
}

describe("mail to postmaster and abuse", () => {
  it("is forwarded to the operator octet for octet, with its trace, from its own return path, and unsigned", async () => {
    const { mark, raw } = letter("DKIM-Signature: v=1; d=example.org; b=abc");
    expect(await deliver([`postmaster@${DOMAIN}`], raw)).toMatch(/^250/);
    const { from, to, source } = await forwarded(mark);
    expect(to).toEqual([OPERATOR]);
    expect(from).toMatch(/^b\+[0-9a-z]{26}-[0-9a-f]{32}@bounce\.example\.com$/);
    const text = source.toString("latin1");
    const at = text.indexOf("DKIM-Signature: v=1; d=example.org");
    expect(text.slice(at)).toBe(raw.toString("latin1"));
    expect(text.slice(0, at)).toMatch(
      /^Delivered-To: postmaster@bounce\.example\.com\r\nReceived: from \S+ \(\[127\.0\.0\.1\]\)\r\n\tby \S+ with ESMTP id sx_\w+\r\n\tfor <postmaster@bounce\.example\.com>;\r\n\t.* \+0000\r\n$/,
    );
  });

  it("is stored like any message before the reply", async () => {
    const { mark, raw } = letter();
    expect(await deliver([`abuse@${DOMAIN}`], raw)).toMatch(/^250/);
    expect(await messageOf(mark)).toMatchObject({ from: `abuse@${DOMAIN}`, recipient: OPERATOR });
  });

  it.each([`PostMaster@${DOMAIN.toUpperCase()}`, `ABUSE@${DOMAIN}`])(
    "is accepted for %s",
    async (address) => {
      const { mark, raw } = letter();
      expect(await deliver([address], raw)).toMatch(/^250/);
      expect((await forwarded(mark)).source.toString()).toMatch(
        /^Delivered-To: (postmaster|abuse)@bounce\.example\.com/,
      );
    },
  );

  it("is accepted for postmaster without a domain, and VRFY does not deny it (RFC 5321 sections 4.1.1.3 and 3.5.3)", async () => {
    const wire = await openWire(bouncePort());
    const { mark, raw } = letter();
    await wire.say("EHLO client.test");
    expect(await wire.say("VRFY postmaster")).toMatch(/^25[02]/);
    expect(await wire.say("MAIL FROM:<eve@example.org>")).toMatch(/^250/);
    expect(await wire.say("RCPT TO:<Postmaster>")).toMatch(/^250/);
    expect(await wire.say("DATA")).toMatch(/^354/);
    wire.write(raw.toString("latin1").replace("\r\n..\r\n", "\r\n...\r\n"));
    expect(await wire.say(".")).toMatch(/^250/);
    wire.close();
    expect((await forwarded(mark)).source.toString()).toContain(`Delivered-To: postmaster@${DOMAIN}`);
  });

  it("keeps the null sender, so that no bounce causes another one", async () => {
    const { mark, raw } = letter();
    expect(await deliver([`postmaster@${DOMAIN}`], raw, "")).toMatch(/^250/);
    expect((await forwarded(mark)).from).toBe("");
  });

  it("for both is one message", async () => {
    const { mark, raw } = letter();
    expect(await deliver([`abuse@${DOMAIN}`, `postmaster@${DOMAIN}`], raw)).toMatch(/^250/);
    const text = (await forwarded(mark)).source.toString();
    expect(text).toMatch(/^Delivered-To: abuse@.*\r\nDelivered-To: postmaster@.*\r\nReceived: /);
    expect(mx.received.filter(({ source }) => source.includes(mark))).toHaveLength(1);
  });

  it("never suppresses the operator, and is not stopped by a suppression", async () => {
    mx.answerRecipient(() => smtpReply(550, "5.1.1 user unknown"));
    const first = letter();
    await deliver([`postmaster@${DOMAIN}`], first.raw);
    await eventually(async () => (await messageOf(first.mark))?.state === "bounced" || undefined);
    mx.answerRecipient(undefined);
    const ofSystem = { accountId: SYSTEM_ACCOUNT, address: OPERATOR };
    expect((await hermod.core.suppressions.listSuppressions(ofSystem)).suppressions).toEqual([]);
    expect((await hermod.core.suppressions.listSuppressions({ address: OPERATOR })).suppressions).toEqual([]);
    await hermod.core.suppressions.addSuppression(ofSystem);
    const second = letter();
    await deliver([`postmaster@${DOMAIN}`], second.raw);
    await forwarded(second.mark);
  });

  it.each([
    ["was here before", `Delivered-To: postmaster@${DOMAIN}`, /^550 5\.4\.6/],
    ["has passed too many servers", "Received: x\r\n".repeat(5).trimEnd(), /^550 5\.4\.6/],
    ["has a header that is none", "what", /^550 5\.6\.0/],
    [
      "is too large",
      `X: y\r\nFrom: a@b.c\r\n\r\n${"x".repeat(76)}\r\n`.concat(`${"x".repeat(76)}\r\n`.repeat(15_000)),
      /^552 5\.3\.4/,
    ],
  ])("that %s is refused, and nothing is stored", async (_what, fields, answer) => {
    const { mark, raw } = letter(fields);
    expect(await deliver([`postmaster@${DOMAIN}`], raw)).toMatch(answer);
    expect(await messageOf(mark)).toBeUndefined();
  });

  it("with bare line ends is refused like at the relay", async () => {
    const wire = await openWire(bouncePort());
    for (const line of ["EHLO client.test", "MAIL FROM:<>", `RCPT TO:<abuse@${DOMAIN}>`, "DATA"])
      await wire.say(line);
    wire.write("Subject: smuggled\r\n\r\nHello\nthere\r\n");
    expect(await wire.say(".")).toMatch(/^550 5\.6\.0/);
    wire.close();
  });

  it("is limited: an address that sends more within the hour is deferred, at RCPT and after DATA", async () => {
    const wires = await Promise.all([openWire(bouncePort()), openWire(bouncePort())]);
    for (const wire of wires) await wire.say("EHLO client.test");
    const [wire, other] = wires as [SmtpWire, SmtpWire];
    const begin = async (on: SmtpWire) => {
      await on.say("MAIL FROM:<>");
      return on.say(`RCPT TO:<abuse@${DOMAIN}>`);
    };
    expect(await begin(other)).toMatch(/^250/);
    let answer = await begin(wire);
    for (let sent = 0; answer.startsWith("250") && sent < 20; sent++) {
      await wire.say("DATA");
      wire.write("Subject: one of many\r\n\r\n");
      expect(await wire.say(".")).toMatch(/^250/);
      answer = await begin(wire);
    }
    expect(answer).toMatch(/^454 4\.7\.1/);
    await other.say("DATA");
    expect(await other.say("Subject: one too many\r\n\r\n.")).toMatch(/^454 4\.7\.1/);
    for (const each of wires) each.close();
  });
});
