import nodemailer from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { composeDsn } from "../../src/message/dsn/compose-dsn.ts";
import { parseReport } from "../../src/message/dsn/parse-report.ts";
import type { DeliveryAction } from "../../src/message/dsn/report.ts";
import { createReturnPaths } from "../../src/message/dsn/return-path.ts";
import { derivedMessageId } from "../../src/shared/ids.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createSecretStore } from "../../src/store/secret-store.ts";
import { createStore } from "../../src/store/store.ts";
import { submittedSource } from "../harness/dsn-setup.ts";
import { type FakeMx, startFakeMx } from "../harness/fake-mx.ts";
import { smtpReply } from "../harness/fake-relay.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { TEST_SECRET_KEY, testSealing } from "../harness/sealing.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { captured, envelopeTo, plainSource } from "../harness/submission.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const DOMAIN = "bounce.example.com";

let mx: FakeMx;
let hermod: Hermod;
let accountId: string;
let counter = 0;

beforeAll(async () => {
  mx = await startFakeMx();
  hermod = await startHermod({
    settings: {
      ...mx.settings,
      HERMOD_BOUNCE_DOMAIN: DOMAIN,
      HERMOD_BOUNCE_HOST: "127.0.0.1",
      HERMOD_BOUNCE_PORT: String(await freePort()),
      HERMOD_KEY_CACHE_MS: "0",
      HERMOD_SECRET_KEYS: TEST_SECRET_KEY,
    },
  });
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  // The server here has no mail of example.com.
  const sandbox = [{ kind: { case: "sandbox" as const, value: {} } }];
  const rules = [{ domains: ["example.com"], transports: sandbox }];
  await hermod.core.policies.putPolicy({ policy: { name: "direct", default: true, transports, rules } });
  await hermod.core.domains.addDomain({ domain: DOMAIN });
  const account = await withStore(hermod, (db) => db.collection<{ _id: string }>("accounts").findOne({}));
  accountId = account?._id ?? "";
});
afterAll(async () => {
  await hermod.dispose();
  await mx.close();
});

interface Submitted extends MessageDocument {
  readonly envelopeFrom: string;
}

/** A stored message from SMTP; each has a different sender. */
async function submit(changes: Partial<MessageDocument> = {}): Promise<Submitted> {
  const n = counter++;
  const message: Submitted = {
    ...queuedMessage(new Date(), {
      accountId,
      operation: "smtp.submit",
      policy: "direct",
      recipient: `person-${n}@example.net`,
      ...changes,
    }),
    envelopeFrom: `ada-${n}@example.org`,
  };
  const expireAt = new Date(Date.now() + 3_600_000);
  await withStore(hermod, async (db) => {
    const { contents, messages } = createStore(db, testSealing).acrossAccounts;
    const body = { kind: "raw" as const, source: submittedSource };
    const { contentId: id, createdAt } = message;
    await contents.insertMany([{ id, accountId, body, sizeBytes: 1_000, createdAt, expireAt }]);
    await messages.insertMany([message]);
  });
  return message;
}

function until({ _id: id }: Pick<MessageDocument, "_id">, state: string) {
  return eventually(async () => {
    const { message } = await hermod.core.messages.getMessage({ id });
    return message?.state === state ? message : undefined;
  });
}

/** Mail that arrived for the sender of a message. */
const received = ({ envelopeFrom }: Submitted) => mx.received.filter(({ to }) => to.includes(envelopeFrom));

function told(message: Submitted) {
  return eventually(async () => {
    const [mail] = received(message);
    if (!mail) return undefined;
    const report = parseReport(mail.source);
    return report.kind === "dsn"
      ? { ...mail, said: report.perRecipient[0], text: mail.source.toString() }
      : undefined;
  });
}

function noticesOf({ _id: noticeOf }: Pick<MessageDocument, "_id">): Promise<number> {
  return withStore(hermod, (db) => db.collection("messages").countDocuments({ noticeOf }));
}

/** Sends a report of the next server to the return path; resolves to the reply. */
async function report(message: MessageDocument, action: DeliveryAction, status: string): Promise<string> {
  const secret = await withStore(hermod, (db) =>
    createSecretStore(db, testSealing).getOrCreate("return-path"),
  );
  const to = createReturnPaths({ domain: DOMAIN, secret }).encode(message._id);
  const raw = composeDsn({
    facts: { action, status, recipient: message.recipient, remoteMta: "backend.example.net" },
    original: { arrivedAt: new Date(), subject: "Plans", messageId: message.headerMessageId },
    to,
    from: "mailer-daemon@example.net",
    messageId: "<report@example.net>",
    date: new Date(),
    reportingMta: "mx.example.net",
  });
  const port = Number(hermod.env.HERMOD_BOUNCE_PORT);
  const transport = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  try {
    return (await transport.sendMail({ envelope: { from: "", to }, raw })).response;
  } finally {
    transport.close();
  }
}

describe("the sender of a message that came over SMTP", () => {
  it("receives a notice of a refusal at once, from the null sender, signed", async () => {
    mx.answerRecipient(() => {
      mx.answerRecipient(undefined);
      return smtpReply(550, "5.7.1 We want none of it");
    });
    const message = await submit();
    await until(message, "bounced");
    const { from, said, text } = await told(message);
    expect(from).toBe("");
    expect(said).toMatchObject({
      action: "failed",
      finalRecipient: message.recipient,
      status: "5.7.1",
      remoteMta: "mx.example.org",
    });
    expect(text).toMatch(new RegExp(`^From: Mail Delivery System <mailer-daemon@${DOMAIN}>`, "m"));
    expect(text.slice(0, text.indexOf("From:"))).toContain(`d=${DOMAIN}`);
  });

  it("receives a notice for each recipient as requested, with the values of the envelope", async () => {
    const names = ["told", "untold"].map((name) => `${name}-${counter++}@example.net`);
    const recipients = [
      { address: names[0] ?? "", notify: ["success"], originalRecipient: "rfc822;all@example.org" },
      { address: names[1] ?? "", notify: ["failure"] },
    ];
    const envelope = envelopeTo(hermod, [], { recipients, envelopeId: "QQ7" });
    const { messageIds } = await hermod.core.submissions.submit(envelope, plainSource());
    const [id = ""] = messageIds;
    const noticeIs = derivedMessageId(id, "dsn relayed");
    const source = await captured(hermod, noticeIs);
    expect(parseReport(source)).toMatchObject({
      originalEnvelopeId: "QQ7",
      perRecipient: [{ action: "relayed", finalRecipient: names[0], originalRecipient: "all@example.org" }],
    });
    await Promise.all(messageIds.map((_id) => until({ _id }, "delivered")));
    for (const [index, noticeOf] of messageIds.entries()) {
      expect(await noticesOf({ _id: noticeOf })).toBe(index === 0 ? 1 : 0);
    }
  });

  it("receives a notice of a later bounce, once", async () => {
    const message = await submit();
    await until(message, "delivered");
    await Promise.all([1, 2, 3].map(() => report(message, "failed", "5.2.2")));
    await until(message, "bounced");
    const { said, text } = await told(message);
    expect(said).toMatchObject({ action: "failed", status: "5.2.2", remoteMta: "backend.example.net" });
    expect(text).not.toContain("Last-Attempt-Date");
    expect(await noticesOf(message)).toBe(1);
  });

  it("receives no notice of a bounce if none is requested", async () => {
    const message = await submit({ notify: ["never"] });
    await until(message, "delivered");
    expect(await report(message, "failed", "5.2.2")).toMatch(/^250 /);
    await until(message, "bounced");
    expect(await noticesOf(message)).toBe(0);
  });

  it.each([
    ["delivered", "2.1.5", "success"],
    ["expanded", "2.1.5", "success"],
    ["delayed", "4.2.0", "delay"],
  ] as const)(
    "receives the report of the next server to the return path: %s",
    async (action, status, notify) => {
      const message = await submit({ notify: [notify] });
      await until(message, "delivered");
      await report(message, action, status);
      await report(message, action, status);
      // The server here does not support DSN, so Hermod has also reported the relay.
      const expected = notify === "success" ? [action, "relayed"].sort() : [action];
      const actions = await eventually(async () => {
        const found = received(message).map(({ source }) => /^Action: (\w+)/m.exec(`${source}`)?.[1]);
        return found.length >= expected.length ? found : undefined;
      });
      expect(actions.sort()).toEqual(expected);
      expect(await noticesOf(message)).toBe(expected.length);
      expect(hermod.log()).toContain('"outcome":"forwarded"');
    },
  );
});
