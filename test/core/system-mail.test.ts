import { BSON } from "mongodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccountSettings } from "../../src/core/access/account-settings.ts";
import { makeDomainKeys } from "../../src/core/domains/make-domain-keys.ts";
import { createIntake, type Submission } from "../../src/core/send/intake.ts";
import type { Letter } from "../../src/core/system-mail/letter.ts";
import { createSystemMail, type SystemMailOptions } from "../../src/core/system-mail/system-mail.ts";
import { createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { createSandboxTransport } from "../../src/delivery/transports/sandbox.ts";
import { composeBody } from "../../src/message/mime/compose-body.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { SYSTEM_ACCOUNT } from "../../src/shared/system-account.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime } from "../harness/test-time.ts";

const { clock } = createTestTime();
const FIRST = "acc_1";
const letter: Letter = {
  subject: "Join <Acme> & others",
  paragraphs: ['Ada invites you to "Acme" <now> & here.'],
  link: { label: "Join", url: "https://mail.example.com/invitation#secret" },
  closing: ["The link holds for 7 days."],
};

let opened: TestStore;
let store: Store;
let stored: Submission[] = [];
beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

function systemMail(changes: Partial<SystemMailOptions> = {}) {
  stored = [];
  return createSystemMail({
    settings: createAccountSettings({ store, clock, cacheMs: 0 }),
    intake: createIntake({
      store: store.acrossAccounts,
      onStored: (submission) => stored.push(submission),
      onError: () => undefined,
    }),
    partitionOf: () => 1,
    from: { address: "hermod@example.com", displayName: "Hermod" },
    baseUrl: "https://mail.example.com",
    contentRetentionMs: 1_000,
    clock,
    log: createLogger("silent"),
    ...changes,
  });
}

it("is queued as a message of the system account, as text and html with the same content", async () => {
  await store.accounts.insert({ _id: FIRST, name: "one", createdAt: clock.now() }, testAudit);
  const policy = {
    name: "out",
    default: true,
    transports: [
      { kind: "smtp", servers: [{ host: "mine.example", port: 25 }], tls: "none", maxConnections: 1 },
    ],
    updatedAt: clock.now(),
  } as const;
  await store.forAccount(FIRST).policies.replace("out", () => policy, testAudit);
  await systemMail().send("ada@example.com", letter);
  const [{ message } = {}] = stored;
  expect(await store.forAccount(SYSTEM_ACCOUNT).messages.findById(message?._id ?? "")).toMatchObject({
    state: "queued",
    recipient: "ada@example.com",
    from: "hermod@example.com",
    policy: "sandbox",
  });
  expect(await store.forAccount(FIRST).messages.findById(message?._id ?? "")).toBeNull();
  const [body] = (await store.acrossAccounts.contents.loadMany([message?.contentId ?? ""])).values();
  expect(body).toMatchObject({
    kind: "composed",
    content: {
      text: `Ada invites you to "Acme" <now> & here.\n\nJoin:\n${letter.link?.url}\n\nThe link holds for 7 days.\n`,
      headers: [{ name: "Auto-Submitted", value: "auto-generated" }],
    },
  });
  const html = body?.kind === "composed" ? body.content.html : "";
  expect(html).toContain("Ada invites you to &quot;Acme&quot; &lt;now&gt; &amp; here.");
  expect(html).toContain(`href="${letter.link?.url}"`);
  expect(html).not.toMatch(/ src=|url\(/);
});

it.each([
  [{ from: undefined }, "HERMOD_MAIL_FROM"],
  [{ baseUrl: undefined }, "HERMOD_BASE_URL"],
])("names the missing setting with %j", async (changes, missing) => {
  const mail = systemMail(changes);
  await expect(mail.requireSetUp()).rejects.toMatchObject({
    code: "mail.not_configured",
    message: expect.stringContaining(missing),
  });
  await mail.notify("ada@example.com", { ...letter, subject: "told" });
  expect(stored.map(({ message }) => message.subject)).toEqual("baseUrl" in changes ? ["told"] : []);
});

it("has links with a secret that browsers do not send to servers", () => {
  const url = new URL(systemMail().link("/invitation", "secret"));
  expect([url.pathname, url.search, url.hash]).toEqual(["/invitation", "", "#secret"]);
});

it("that is captured can be read by the operator, and not by the account", async () => {
  await systemMail().send("bob@example.com", letter);
  const [{ message } = { message: undefined }] = stored;
  if (!message) throw new Error("nothing was stored");
  const transport = createSandboxTransport({
    sandbox: store.acrossAccounts.sandbox,
    clock,
    retentionMs: 60_000,
  });
  const envelope = { from: message.from, to: [message.recipient] };
  const source = Buffer.from("Subject: x\r\n\r\nhello");
  await transport.deliver({ message, envelope, source } as never);
  expect(await store.acrossAccounts.sandbox.find(message._id)).toMatchObject({
    envelopeTo: ["bob@example.com"],
  });
  expect(await store.forAccount(FIRST).sandbox.find(message._id)).toBeUndefined();
  expect(await store.forAccount(FIRST).sandbox.list({ beforeId: undefined, limit: 10 })).toEqual([]);
});

it("reaches every address that an account suppresses, but no mailbox that refused Hermod's own mail", async () => {
  const add = (accountId: string, address: string, reason: "manual" | "complaint" | "hard_bounce") =>
    store
      .forAccount(accountId)
      .suppressions.add({ addressKey: address, address, reason, createdAt: clock.now() }, testAudit);
  await add(FIRST, "carl@example.com", "manual");
  await add(FIRST, "dora@example.com", "hard_bounce");
  await add(SYSTEM_ACCOUNT, "erna@example.com", "complaint");
  await add(SYSTEM_ACCOUNT, "emil@example.com", "hard_bounce");
  const check = createCheckSuppression({ suppressions: store.acrossAccounts.suppressions, clock });
  const outcomes = [];
  for (const to of ["carl@example.com", "dora@example.com", "erna@example.com", "emil@example.com"]) {
    await systemMail().send(to, letter);
    const [submission] = stored;
    outcomes.push(submission && (await check(submission.message))?.to);
    // A message that an earlier release stored in the first account does not use its settings either.
    const former = submission && { ...submission.message, accountId: FIRST, policy: "out" };
    expect(former && (await check(former))?.to).toBe(outcomes.at(-1));
  }
  expect(outcomes).toEqual([undefined, undefined, undefined, "suppressed"]);
});

it("uses the policy that the operator stored last, also if it was queued with another one", async () => {
  const relay = (name: string) =>
    ({
      name,
      default: true,
      transports: [{ kind: "direct", tls: "required", maxConnections: 1 }],
      updatedAt: clock.now(),
    }) as const;
  const settings = createAccountSettings({ store, clock, cacheMs: 0 });
  expect(await settings.policyOfMessage(SYSTEM_ACCOUNT, "out")).toMatchObject({
    transports: [{ kind: "sandbox" }],
  });
  await store.forAccount(SYSTEM_ACCOUNT).policies.replace("relay", () => relay("relay"), testAudit);
  await systemMail().send("ada@example.com", letter);
  expect(stored[0]?.message.policy).toBe("relay");
  // A message of an earlier release names a policy of the first account.
  expect(await settings.policyOfMessage(SYSTEM_ACCOUNT, "out")).toMatchObject({ name: "relay" });
});

it("is signed with the keys of the system account, or with those of the first account if it has none", async () => {
  const settings = createAccountSettings({ store, clock, cacheMs: 0 });
  const selectors = async () =>
    (await settings.signers(SYSTEM_ACCOUNT, "example.com")).map(({ selector }) => selector);
  expect(await selectors()).toEqual([]);
  for (const [accountId, at] of [
    [FIRST, new Date(clock.now().getTime() - 2_000)],
    [SYSTEM_ACCOUNT, new Date(clock.now().getTime() - 1_000)],
  ] as const) {
    const keys = await makeDomainKeys("example.com", at, at);
    await store.forAccount(accountId).domainKeys.insertFirst("example.com", keys, testAudit);
    expect((await selectors()).sort()).toEqual(keys.map(({ selector }) => selector).sort());
  }
});

it("stores no link in clear, neither while it waits nor when it is captured", async () => {
  await systemMail().send("fay@example.com", letter);
  const [{ message, content } = {}] = stored;
  if (!message || !content) throw new Error("nothing was stored");
  const transport = createSandboxTransport({
    sandbox: store.acrossAccounts.sandbox,
    clock,
    retentionMs: 60_000,
  });
  const [body] = (await store.acrossAccounts.contents.loadMany([message.contentId])).values();
  if (body?.kind !== "composed") throw new Error("the body cannot be read");
  const envelope = { from: message.from, to: [message.recipient] };
  await transport.deliver({ message, envelope, source: composeBody(message, body) } as never);
  const found = await store.acrossAccounts.sandbox.find(message._id);
  expect(Buffer.from(found?.source ?? []).toString()).toContain("invitation#secret");
  for (const { name } of await opened.db.listCollections().toArray()) {
    for await (const document of opened.db.collection(name).find())
      expect(Buffer.from(BSON.serialize(document)).includes("#secret"), name).toBe(false);
  }
  // It is removed together with its message.
  const bodies = () => opened.db.collection("sealedBodies").countDocuments({ _id: message._id as never });
  expect(await bodies()).toBe(1);
  await store.acrossAccounts.sandbox.remove(message._id, testAudit);
  expect(await bodies()).toBe(0);
});
