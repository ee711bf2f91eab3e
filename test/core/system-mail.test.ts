import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccountSettings } from "../../src/core/access/account-settings.ts";
import { createIntake, type Submission } from "../../src/core/send/intake.ts";
import type { Letter } from "../../src/core/system-mail/letter.ts";
import { createSystemMail, type SystemMailOptions } from "../../src/core/system-mail/system-mail.ts";
import { createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { createSandboxTransport } from "../../src/delivery/transports/sandbox.ts";
import { createLogger } from "../../src/shared/logger.ts";
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
    store,
    settings: createAccountSettings({ store, clock, cacheMs: 0 }),
    intake: createIntake({
      store: store.acrossAccounts,
      onStored: (submission) => stored.push(submission),
      onTrouble: () => undefined,
    }),
    partitionOf: () => 1,
    from: { address: "hermod@example.com", displayName: "Hermod" },
    policy: undefined,
    baseUrl: "https://mail.example.com",
    contentRetentionMs: 1_000,
    clock,
    log: createLogger("silent"),
    ...changes,
  });
}

it("cannot be sent before there is an account", async () => {
  await expect(systemMail().send("ada@example.com", letter)).rejects.toMatchObject({
    code: "mail.not_configured",
    message: expect.stringContaining("no account"),
  });
});

it("is queued as a message of the first account, as text and as html that says the same", async () => {
  await store.accounts.insert({ _id: FIRST, name: "one", createdAt: clock.now() }, testAudit);
  const policy = {
    name: "out",
    default: true,
    transports: [{ kind: "sandbox" }],
    updatedAt: clock.now(),
  } as const;
  await store.forAccount(FIRST).policies.replace("out", () => policy, testAudit);
  await systemMail().send("ada@example.com", letter);
  const [{ message } = {}] = stored;
  expect(await store.forAccount(FIRST).messages.findById(message?._id ?? "")).toMatchObject({
    state: "queued",
    recipient: "ada@example.com",
    from: "hermod@example.com",
    policy: "out",
  });
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
  [{ policy: "other" }, 'no policy "other"'],
  [{ baseUrl: undefined }, "HERMOD_BASE_URL"],
])("says what is missing with %j", async (changes, missing) => {
  const mail = systemMail(changes);
  await expect(mail.requireSetUp()).rejects.toMatchObject({
    code: "mail.not_configured",
    message: expect.stringContaining(missing),
  });
  await mail.tell("ada@example.com", { ...letter, subject: "told" });
  expect(stored.map(({ message }) => message.subject)).toEqual("baseUrl" in changes ? ["told"] : []);
});

it("has links whose secret no server is sent", () => {
  const url = new URL(systemMail().link("/invitation", "secret"));
  expect([url.pathname, url.search, url.hash]).toEqual(["/invitation", "", "#secret"]);
});

it("that is captured is the operator's to read, and not the account's", async () => {
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

it("reaches people who want no mail of the account, and no mailbox that is not there", async () => {
  const { suppressions } = store.forAccount(FIRST);
  const add = (address: string, reason: "manual" | "complaint" | "hard_bounce") =>
    suppressions.add({ addressKey: address, address, reason, createdAt: clock.now() }, testAudit);
  await add("carl@example.com", "manual");
  await add("dora@example.com", "complaint");
  await add("emil@example.com", "hard_bounce");
  const check = createCheckSuppression({ suppressions: store.acrossAccounts.suppressions, clock });
  const outcomes = [];
  for (const to of ["carl@example.com", "dora@example.com", "emil@example.com"]) {
    await systemMail().send(to, letter);
    const [submission] = stored;
    outcomes.push(submission && (await check(submission.message))?.to);
  }
  expect(outcomes).toEqual([undefined, undefined, "suppressed"]);
});
