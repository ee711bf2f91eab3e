import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createReadMailgun } from "../../src/edge/providers/mailgun.ts";
import { readPostmark } from "../../src/edge/providers/postmark.ts";
import { createReadSendgrid, sendgridPublicKey } from "../../src/edge/providers/sendgrid.ts";
import { createReadSes } from "../../src/edge/providers/ses.ts";
import { createSns } from "../../src/edge/providers/sns.ts";
import { createEdgeServer } from "../../src/edge/server.ts";
import { createByteBudget } from "../../src/shared/byte-budget.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { type FakeMx, startFakeMx } from "../harness/fake-mx.ts";
import { email, post } from "../harness/http.ts";
import { noHits } from "../harness/no-hits.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

const DOMAIN = "bounce.example.com";
const TOKEN = "t".repeat(40);
const MAILGUN_KEY = "key-0123456789";
const TOPIC = "arn:aws:sns:eu-west-1:123456789012:mail";
const CERTIFICATE_URL = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem";
const sendgridKeys = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const sendgridKey = sendgridKeys.publicKey.export({ type: "spki", format: "der" }).toString("base64");
const snsKey = readFileSync("test/fixtures/sns/sns.key");
const snsCertificate = readFileSync("test/fixtures/sns/sns.crt", "utf8");

let mx: FakeMx;
let hermod: Hermod;
let edge: FastifyInstance;
let fetched: string[];
/** Responses of Amazon's servers; undefined if they do not respond. */
let answers: Map<string, string>;

beforeAll(async () => {
  mx = await startFakeMx();
  hermod = await startHermod({
    settings: {
      ...mx.settings,
      HERMOD_BOUNCE_DOMAIN: DOMAIN,
      HERMOD_PROVIDER_SECRET: TOKEN,
      HERMOD_MAILGUN_SIGNING_KEY: MAILGUN_KEY,
    },
  });
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await hermod.core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
  const fetchText = async (url: string) => {
    fetched.push(url);
    const answer = answers.get(url);
    if (answer === undefined) throw new Error("nobody answers");
    return answer;
  };
  const sns = createSns({ topics: [TOPIC], fetchText, now: () => new Date() });
  edge = createEdgeServer({
    core: hermod.core as never,
    clock: systemClock,
    log: createLogger("silent"),
    bodyMaxBytes: 1_000_000,
    budget: createByteBudget({ maxBytes: 10_000_000, clock: systemClock }),
    keyCacheMs: 0,
    trustedProxies: [],
    baseUrl: undefined,
    validateResponses: true,
    requests: { add: () => undefined },
    providers: {
      token: TOKEN,
      readers: {
        postmark: readPostmark,
        mailgun: createReadMailgun(MAILGUN_KEY, systemClock),
        sendgrid: createReadSendgrid(sendgridPublicKey(sendgridKey)),
        ses: createReadSes(sns, createLogger("silent")),
      },
    },
    hits: noHits,
    onResponse: () => undefined,
  });
});
afterAll(async () => {
  await edge?.close();
  await hermod?.dispose();
  await mx?.close();
});
beforeEach(() => {
  fetched = [];
  answers = new Map([[CERTIFICATE_URL, snsCertificate]]);
});

interface Sent {
  readonly id: string;
  readonly address: string;
  readonly returnPath: string;
  /** Settings of the providers. */
  readonly mark: string;
}

let counter = 0;

async function sendOne(): Promise<Sent> {
  const address = `person-${counter++}@example.net`;
  const { accepted } = await post(hermod, email({ to: address }));
  await eventually(async () => (await stateOf(accepted.message_id)) === "delivered" || undefined);
  const returnPath = mx.received.find(({ to }) => to.includes(address))?.from ?? "";
  return { id: accepted.message_id, address, returnPath, mark: returnPath.slice(0, returnPath.indexOf("@")) };
}

async function timelineOf(id: string) {
  const { message, timeline } = await hermod.core.messages.getMessage({ id });
  return { state: message?.state, kinds: timeline.map(({ kind }) => kind), last: timeline.at(-1) };
}
const stateOf = async (id: string) => (await timelineOf(id)).state;
const reasonOf = async (address: string) =>
  (await hermod.core.suppressions.listSuppressions({ address })).suppressions.map(({ reason }) => reason);

async function tell(provider: string, body: string, headers: Record<string, string> = {}, token = TOKEN) {
  const url = `/inbound/providers/${provider}/${token}`;
  const type = { "content-type": "application/json", ...headers };
  const response = await edge.inject({ method: "POST", url, payload: body, headers: type });
  return { status: response.statusCode, body: response.body === "" ? undefined : response.json() };
}

const mailgunBody = (event: object, { at = Date.now() / 1000, key = MAILGUN_KEY } = {}) => {
  const [timestamp, token] = [String(Math.floor(at)), "a".repeat(50)];
  const signature = createHmac("sha256", key).update(`${timestamp}${token}`).digest("hex");
  return JSON.stringify({ signature: { timestamp, token, signature }, "event-data": event });
};

const sendgridHeaders = (body: string, timestamp = "1600112502") => ({
  "x-twilio-email-event-webhook-timestamp": timestamp,
  "x-twilio-email-event-webhook-signature": sign(
    "sha256",
    Buffer.from(timestamp + body),
    sendgridKeys.privateKey,
  ).toString("base64"),
});

/** A notice as SNS posts it, signed with the key of the certificate. */
function snsBody(message: object | string, changes: Record<string, string> = {}): string {
  const fields: Record<string, string> = {
    Type: "Notification",
    MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
    TopicArn: TOPIC,
    Subject: "Amazon SES Email Event Notification",
    Message: typeof message === "string" ? message : JSON.stringify(message),
    Timestamp: new Date().toISOString(),
    SignatureVersion: "1",
    SigningCertURL: CERTIFICATE_URL,
    ...changes,
  };
  const names =
    fields.Type === "Notification"
      ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
      : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
  const signed = names.map((name) => `${name}\n${fields[name]}\n`).join("");
  const digest = fields.SignatureVersion === "2" ? "sha256" : "sha1";
  return JSON.stringify({
    ...fields,
    Signature: sign(digest, Buffer.from(signed), snsKey).toString("base64"),
  });
}

/** Each provider's notice of a permanent bounce, of a complaint and of an unsubscription, from its documentation. */
const sesMail = (source: string) => ({ timestamp: "2026-11-23T10:00:00.000Z", messageId: "0102", source });
const dialects = {
  ses: {
    send: (sent: Sent, message: object) =>
      tell("ses", snsBody({ ...message, mail: sesMail(sent.returnPath) })),
    bounced: ({ address }: Sent) => ({
      notificationType: "Bounce",
      bounce: {
        bounceType: "Permanent",
        bounceSubType: "General",
        bouncedRecipients: [
          {
            emailAddress: `Ada <${address}>`,
            action: "failed",
            status: "5.1.1",
            diagnosticCode: "smtp; 550 5.1.1 user unknown",
          },
        ],
        timestamp: "2026-11-23T10:00:01.000Z",
        feedbackId: "f-1",
      },
    }),
    complained: ({ address }: Sent) => ({
      notificationType: "Complaint",
      complaint: {
        complainedRecipients: [{ emailAddress: address }],
        complaintFeedbackType: "abuse",
        timestamp: "2026-11-23T10:00:01.000Z",
      },
    }),
    opened: () => ({
      eventType: "Open",
      open: { ipAddress: "192.0.2.1", timestamp: "2026-11-23T10:10:00.000Z", userAgent: "Mozilla/5.0" },
    }),
  },
  postmark: {
    send: (_sent: Sent, message: object) => tell("postmark", JSON.stringify(message)),
    bounced: ({ address, mark }: Sent) => ({
      RecordType: "Bounce",
      ID: 692560173,
      Type: "HardBounce",
      TypeCode: 1,
      MessageID: "2c1b63fe-43f2-4db5-91b0-8bdfa44a9316",
      Metadata: { hermod: mark },
      Description: "The server was unable to deliver your message",
      Details: "smtp;550 5.1.1 The email account that you tried to reach does not exist.",
      Email: address,
      BouncedAt: "2026-11-23T16:09:19.6421112-05:00",
    }),
    complained: ({ address, mark }: Sent) => ({
      RecordType: "SpamComplaint",
      ID: 42,
      Type: "SpamComplaint",
      Metadata: { hermod: mark },
      Email: address,
      BouncedAt: "2026-11-23T21:09:19.000Z",
    }),
    unsubscribed: ({ address, mark }: Sent) => ({
      RecordType: "SubscriptionChange",
      MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
      Metadata: { hermod: mark },
      Recipient: address,
      SuppressSending: true,
      SuppressionReason: "ManualSuppression",
      ChangedAt: "2026-11-23T10:53:34.416071Z",
    }),
    opened: ({ address, mark }: Sent) => ({
      RecordType: "Open",
      MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
      Metadata: { hermod: mark },
      Recipient: address,
      ReceivedAt: "2026-11-23T10:53:34.416071Z",
      UserAgent: "Mozilla/5.0",
    }),
  },
  mailgun: {
    send: (_sent: Sent, event: object) => tell("mailgun", mailgunBody(event)),
    bounced: ({ address, mark }: Sent) => ({
      id: "G9Bn5sl1TC6nu79C8C0bwg",
      event: "failed",
      severity: "permanent",
      timestamp: 1_795_400_000.12,
      recipient: address,
      "user-variables": { hermod: mark },
      "delivery-status": { code: 550, "enhanced-code": "5.1.1", message: "5.1.1 no such user" },
    }),
    complained: ({ address, returnPath }: Sent) => ({
      id: "-Agny091SquKnsrW2NEKUA",
      event: "complained",
      timestamp: 1_795_400_000,
      recipient: address,
      envelope: { sender: returnPath },
    }),
    unsubscribed: ({ address, mark }: Sent) => ({
      id: "Ase7i2zsRYeDXztHGENqRA",
      event: "unsubscribed",
      timestamp: 1_795_400_000,
      recipient: address,
      "user-variables": { hermod: mark },
    }),
    opened: ({ address, mark }: Sent) => ({
      id: "Ase7i2zsRYeDXztHGENqRB",
      event: "opened",
      timestamp: 1_795_400_000,
      recipient: address,
      ip: "192.0.2.1",
      "user-variables": { hermod: mark },
      "client-info": { "user-agent": "Mozilla/5.0" },
    }),
  },
  sendgrid: {
    send: (_sent: Sent, event: object) => {
      const body = `${JSON.stringify([event])}\r\n`;
      return tell("sendgrid", body, sendgridHeaders(body));
    },
    bounced: ({ address, mark }: Sent) => ({
      email: address,
      timestamp: 1_795_400_000,
      event: "bounce",
      type: "bounce",
      sg_event_id: "6g4ZI7SA-xmRDv57GoPIPw==",
      hermod: mark,
      reason: "550 5.1.1 The email account does not exist",
      status: "5.1.1",
    }),
    complained: ({ address, mark }: Sent) => ({
      email: address,
      timestamp: 1_795_400_000,
      event: "spamreport",
      sg_event_id: "37nvH5QBz858KGVYCM4uOA==",
      hermod: mark,
    }),
    unsubscribed: ({ address, mark }: Sent) => ({
      email: address,
      timestamp: 1_795_400_000,
      event: "unsubscribe",
      sg_event_id: "zz_BjPgU_5pS-J8vlfB1sg==",
      hermod: mark,
    }),
    opened: ({ address, mark }: Sent) => ({
      email: address,
      timestamp: 1_795_400_000,
      event: "open",
      sg_event_id: "FOTFFO0ecsBE-zxFXfs6WA==",
      useragent: "Mozilla/5.0",
      ip: "192.0.2.1",
      hermod: mark,
    }),
  },
};

describe.each(Object.entries(dialects))("a notice of %s", (_name, dialect) => {
  it("of a bounce bounces its message and suppresses its address, once", async () => {
    const sent = await sendOne();
    const told = dialect.bounced(sent);
    expect(await dialect.send(sent, told)).toEqual({ status: 200, body: { bounced: 1 } });
    const { state, kinds, last } = await timelineOf(sent.id);
    expect([state, kinds]).toEqual(["bounced", ["accepted", "delivered", "bounced"]]);
    expect(last).toMatchObject({ enhancedStatusCode: "5.1.1", category: "invalid_mailbox" });
    expect(await reasonOf(sent.address)).toEqual(["hard_bounce"]);
    await hermod.core.suppressions.removeSuppression({ address: sent.address });
    expect(await dialect.send(sent, told)).toEqual({ status: 200, body: { bounced: 1 } });
    expect(await reasonOf(sent.address)).toEqual([]);
    expect((await timelineOf(sent.id)).kinds).toEqual(kinds);
  });

  it.each([
    ["ses", "Bad content"],
    ["mailgun", "Sender is not allowed"],
  ] as const)(
    "of %s that the provider refused the message bounces it, and suppresses no address",
    async (provider, reason) => {
      const sent = await sendOne();
      const send = {
        ses: () => dialects.ses.send(sent, { eventType: "Reject", reject: { reason } }),
        mailgun: () => {
          const {
            id: _,
            "delivery-status": __,
            ...event
          } = dialects.mailgun.bounced(sent) as Record<string, unknown>;
          return dialects.mailgun.send(sent, {
            ...event,
            id: `r-${sent.id}`,
            event: "rejected",
            reject: { reason },
          });
        },
      }[provider];
      expect(await send()).toMatchObject({ status: 200 });
      const { kinds, last } = await timelineOf(sent.id);
      expect([kinds.at(-1), last?.category, last?.enhancedStatusCode]).toEqual([
        "bounced",
        "policy",
        "5.7.1",
      ]);
      expect(last?.detail).toContain(reason);
      expect(await reasonOf(sent.address)).toEqual([]);
    },
  );

  it("of a complaint suppresses its address", async () => {
    const sent = await sendOne();
    expect(await dialect.send(sent, dialect.complained(sent))).toEqual({
      status: 200,
      body: { complained: 1 },
    });
    expect(await stateOf(sent.id)).toBe("complained");
    expect(await reasonOf(sent.address)).toEqual(["complaint"]);
  });

  it("of an unsubscription, if supported, suppresses the address for the policy", async () => {
    if (!("unsubscribed" in dialect)) return;
    const sent = await sendOne();
    const told = dialect.unsubscribed(sent);
    for (let times = 0; times < 2; times++)
      expect(await dialect.send(sent, told)).toEqual({ status: 200, body: { unsubscribed: 1 } });
    expect((await timelineOf(sent.id)).kinds.filter((kind) => kind === "unsubscribed")).toHaveLength(1);
    const { suppressions } = await hermod.core.suppressions.listSuppressions({ address: sent.address });
    expect(suppressions).toMatchObject([{ reason: "unsubscribe", policy: "direct" }]);
  });

  it("of an open is counted once", async () => {
    const sent = await sendOne();
    const told = dialect.opened(sent);
    expect(await dialect.send(sent, told)).toEqual({ status: 200, body: { opened: 1 } });
    expect(await dialect.send(sent, told)).toEqual({ status: 200, body: { ignored: 1 } });
    expect((await timelineOf(sent.id)).kinds.filter((kind) => kind === "opened")).toHaveLength(1);
    const { message } = await hermod.core.messages.getMessage({ id: sent.id });
    expect(message?.opens?.count).toBe(1);
  });

  it("about a message that is not known, or another recipient, changes nothing", async () => {
    const sent = await sendOne();
    const mark = `${sent.mark.slice(0, -1)}${sent.mark.endsWith("0") ? "1" : "0"}`;
    const forged = { ...sent, mark, returnPath: `${mark}@${DOMAIN}` };
    expect(await dialect.send(forged, dialect.bounced(forged))).toEqual({
      status: 200,
      body: { ignored: 1 },
    });
    const other = { ...sent, address: "somebody@example.org" };
    expect(await dialect.send(sent, dialect.bounced(other))).toEqual({ status: 200, body: { ignored: 1 } });
    expect(await stateOf(sent.id)).toBe("delivered");
    expect([await reasonOf(sent.address), await reasonOf("somebody@example.org")]).toEqual([[], []]);
  });
});

describe("a notice without a valid signature", () => {
  const invalid = { status: 403, body: { code: "provider.signature_invalid" } };

  it("of Mailgun is refused, like an old notice", async () => {
    const event = { id: "1", event: "failed" };
    expect(await tell("mailgun", mailgunBody(event, { key: "another" }))).toMatchObject(invalid);
    expect(await tell("mailgun", mailgunBody(event, { at: Date.now() / 1000 - 90_000 }))).toMatchObject(
      invalid,
    );
    expect(await tell("mailgun", JSON.stringify({ "event-data": event }))).toMatchObject(invalid);
  });

  it("of SendGrid is refused with any other signature", async () => {
    const body = JSON.stringify([{ event: "bounce" }]);
    const right = sendgridHeaders(body);
    expect(await tell("sendgrid", body)).toMatchObject(invalid);
    expect(await tell("sendgrid", `${body} `, right)).toMatchObject(invalid);
    const headers = { ...right, "x-twilio-email-event-webhook-timestamp": "1600112503" };
    expect(await tell("sendgrid", body, headers)).toMatchObject(invalid);
    expect(await tell("sendgrid", body, right)).toMatchObject({ status: 200 });
  });

  it.each([
    ["another topic", { TopicArn: "arn:aws:sns:eu-west-1:123456789012:other" }],
    ["another version", { SignatureVersion: "3" }],
    [
      "another host",
      {
        SigningCertURL:
          "https://sns.eu-west-1.amazonaws.com.example.org/SimpleNotificationService-01234567.pem",
      },
    ],
    [
      "another path",
      { SigningCertURL: "https://sns.eu-west-1.amazonaws.com/mine/SimpleNotificationService-01234567.pem" },
    ],
    ["plain HTTP", { SigningCertURL: CERTIFICATE_URL.replace("https", "http") }],
    ["a user in the URL", { SigningCertURL: CERTIFICATE_URL.replace("https://", "https://x@") }],
  ])("of Amazon is refused, and no request is made for it: %s", async (_what, changes) => {
    expect(await tell("ses", snsBody({ notificationType: "Bounce" }, changes))).toMatchObject(invalid);
    expect(fetched).toEqual([]);
  });

  it("of Amazon is refused if one of its fields was changed", async () => {
    const body = snsBody({ notificationType: "Bounce" });
    expect(await tell("ses", body.replace("Bounce", "Bounty"))).toMatchObject(invalid);
    expect(await tell("ses", body, { "content-type": "text/plain; charset=UTF-8" })).toMatchObject({
      status: 200,
    });
    expect(await tell("ses", snsBody({}, { SignatureVersion: "2" }))).toMatchObject({ status: 200 });
  });
});

describe("Amazon's certificates and subscriptions", () => {
  it("are fetched once, and again after a failure", async () => {
    const url = CERTIFICATE_URL.replace("0123456789abcdef", "fedcba9876543210");
    const body = snsBody({ notificationType: "Delivery" }, { SigningCertURL: url });
    expect(await tell("ses", body)).toMatchObject({ status: 503 });
    answers.set(url, snsCertificate);
    for (let times = 0; times < 3; times++) expect(await tell("ses", body)).toMatchObject({ status: 200 });
    expect(fetched).toEqual([url, url]);
  });

  it("are confirmed only at addresses of Amazon", async () => {
    const confirmation = (url: string) =>
      snsBody("You have chosen to subscribe.", {
        Type: "SubscriptionConfirmation",
        Token: "2336412f37",
        SubscribeURL: url,
      });
    const url =
      "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=2336412f37";
    expect(await tell("ses", confirmation(url))).toMatchObject({ status: 503 });
    answers.set(url, "<ConfirmSubscriptionResponse/>");
    expect(await tell("ses", confirmation(url))).toEqual({ status: 200, body: {} });
    expect(fetched.filter((one) => one === url)).toHaveLength(2);
    const elsewhere = "https://sns.eu-west-1.amazonaws.com.example.org/?Action=ConfirmSubscription";
    expect(await tell("ses", confirmation(elsewhere))).toMatchObject({ status: 403 });
    expect(fetched).not.toContain(elsewhere);
  });
});

describe("the path for providers", () => {
  it("requires the right secret and a known provider, and validates the body", async () => {
    const event = { id: "1", event: "delivered" };
    expect(await tell("mailgun", mailgunBody(event), {}, "wrong")).toMatchObject({ status: 404 });
    expect(await tell("mandrill", "{}")).toMatchObject({ status: 404 });
    expect(await tell("mailgun", mailgunBody(event))).toEqual({ status: 200, body: { ignored: 1 } });
    expect(await tell("mailgun", "x".repeat(3_000_000))).toMatchObject({ status: 413 });
    expect(await tell("mailgun", "{")).toMatchObject({ status: 400 });
    expect(await tell("postmark", "[]")).toMatchObject({ status: 200, body: { ignored: 1 } });
  });

  it("asks for a retry if it cannot decide yet", async () => {
    const sent = await sendOne();
    const { bounces } = hermod.core;
    const { reportNotices } = bounces;
    Object.assign(bounces, { reportNotices: async () => ({ outcomes: [{ outcome: "later" }] }) });
    try {
      const told = await dialects.mailgun.send(sent, dialects.mailgun.bounced(sent));
      expect(told).toMatchObject({ status: 409, body: { code: "message.in_delivery" } });
    } finally {
      Object.assign(bounces, { reportNotices });
    }
  });

  it("is served according to the settings", async () => {
    const sent = await sendOne();
    const ask = (provider: string, token = TOKEN) =>
      fetch(`${hermod.firstRun.base_url}/inbound/providers/${provider}/${token}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: mailgunBody(dialects.mailgun.bounced(sent)),
      });
    expect((await ask("mailgun", "t".repeat(41))).status).toBe(404);
    expect((await ask("sendgrid")).status).toBe(404);
    expect((await ask("ses")).status).toBe(404);
    const answer = await ask("mailgun");
    expect([answer.status, await answer.json()]).toEqual([200, { bounced: 1 }]);
    expect(await stateOf(sent.id)).toBe("bounced");
  });
});
