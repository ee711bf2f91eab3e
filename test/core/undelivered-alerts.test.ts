import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createNotifyUndelivered } from "../../src/core/alerts/notify-undelivered.ts";
import type { Letter } from "../../src/core/system-mail/letter.ts";
import { messageEvent } from "../../src/events/message-event.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { finishedMessage } from "../harness/finished-message.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { countAll } from "../harness/recount.ts";

const DAY_MS = 86_400_000;
let identity: Identity;
let accountId: string;
let owner: string;
let began: Date;
let letters: { readonly to: string; readonly letter: Letter }[];

beforeAll(async () => {
  identity = await openIdentity();
  began = identity.time.clock.now();
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1);
  accountId = await identity.openAccount();
  owner = (await identity.memberOf(accountId, "owner")).email;
  await identity.memberOf(accountId, "viewer");
  letters = [];
});

const log = createLogger("silent");
const notifierWith = (notify: (to: string, letter: Letter) => Promise<void>) => {
  const systemMail = { notify } as Parameters<typeof createNotifyUndelivered>[0]["systemMail"];
  return createNotifyUndelivered({ store: identity.store, systemMail, clock: identity.time.clock, log });
};
const check = () => notifierWith(async (to, letter) => void letters.push({ to, letter }))();

/** Ends a mail, which is counted at the start of the test, for any day of the notice. */
async function end(kind: "bounced" | "suppressed" | "delivered", changes: Partial<MessageDocument> = {}) {
  const at = began;
  const common = { source: "alert", operation: "alert.notice", recipient: "ops@example.net" } as const;
  const message = await finishedMessage(identity, accountId, { ...common, state: kind, ...changes });
  const expireAt = new Date(at.getTime() + DAY_MS);
  const event = messageEvent(message, { kind, attempt: 1, at, expireAt, reply: { detail: "550 5.1.1" } });
  await identity.store.forAccount(accountId).events.insertMissing([event]);
  await identity.store.acrossAccounts.journal.fold(at);
  await countAll(identity.db);
}

it("owners are notified once a day that alert mail fails, with the affected recipients", async () => {
  await end("delivered");
  await check();
  expect(letters).toEqual([]);
  await end("bounced");
  await check();
  await end("suppressed", { recipient: "lead@example.net" });
  await end("bounced");
  await check();
  expect(letters.map(({ to }) => to)).toEqual([owner]);
  expect(letters[0]?.letter.paragraphs).toEqual([
    expect.stringContaining("1 mail about alerts"),
    "ops@example.net: bounced",
  ]);

  identity.time.pass(DAY_MS);
  await check();
  await check();
  expect(letters.map(({ to }) => to)).toEqual([owner, owner]);
  expect(letters[1]?.letter.paragraphs).toEqual([
    expect.stringContaining("2 mails about alerts"),
    "ops@example.net: bounced",
    "lead@example.net: suppressed",
  ]);
  identity.time.pass(3 * DAY_MS);
  await check();
  expect(letters).toHaveLength(2);
  await end("bounced");
  await check();
  expect(letters).toHaveLength(3);
});

it("owners without deliverable mail are not notified, and other mail is not included", async () => {
  const { email } = await identity.memberOf(accountId, "owner");
  await end("bounced", { recipient: email.toUpperCase() });
  await end("bounced", { source: "http", operation: "email.send" });
  await end("bounced", { source: "system", operation: "system.mail" });
  await check();
  expect(letters.map(({ to }) => to)).toEqual([owner]);
  expect(letters[0]?.letter.paragraphs[0]).toContain("1 mail about alerts");
});

it("two processes at the same time send one notice, and another process continues for one that ends", async () => {
  await end("bounced");
  const dying = notifierWith(async () => {
    throw new Error("the process ends");
  });
  await expect(dying()).rejects.toThrow("the process ends");
  await check();
  expect(letters).toEqual([]);
  await end("bounced");
  identity.time.pass(60_000);
  await Promise.all([check(), check(), check()]);
  expect(letters.map(({ letter }) => letter.paragraphs[0])).toEqual([
    expect.stringContaining("2 mails about alerts"),
  ]);
});

it("failures during a notice are reported a day later", async () => {
  await end("bounced");
  const slow = notifierWith(async (to, letter) => {
    letters.push({ to, letter });
    await end("suppressed");
  });
  await slow();
  await check();
  expect(letters).toHaveLength(1);
  identity.time.pass(DAY_MS);
  await check();
  expect(letters.map(({ letter }) => letter.paragraphs[0])).toEqual([
    expect.stringContaining("1 mail about alerts"),
    expect.stringContaining("1 mail about alerts"),
  ]);
});
