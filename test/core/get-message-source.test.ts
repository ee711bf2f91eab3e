import { afterAll, beforeAll, expect, it } from "vitest";
import { createErasures } from "../../src/core/erasures/run-erasures.ts";
import type { MessageBody } from "../../src/message/content.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { SYSTEM_MAIL } from "../../src/shared/operations.ts";
import { SYSTEM_ACCOUNT } from "../../src/shared/system-account.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { storeBody } from "../harness/store-body.ts";

const DAY_MS = 86_400_000;
const RAW: MessageBody = { kind: "raw", source: Buffer.from("Subject: Hello\r\n\r\nGuten Tag\r\n") };

let identity: Identity;
let accountId: string;
let owner: AreaClients & { readonly email: string };

beforeAll(async () => {
  identity = await openIdentity();
  accountId = await identity.openAccount();
  const { token, email } = await identity.memberOf(accountId);
  owner = { ...identity.as({ session: token }), email };
  await identity.operator.senders.addSender({ accountId, value: "shop.example" });
  const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
  await identity.operator.policies.putPolicy({
    accountId,
    policy: { name: "tests", default: true, transports },
  });
});
afterAll(() => identity.close());

async function stored(body?: MessageBody, changes: Partial<MessageDocument> = {}): Promise<MessageDocument> {
  identity.time.pass(1);
  const now = identity.time.clock.now();
  const _id = newIdInBucket("msg", now, 1);
  const message = queuedMessage(now, { _id, bucket: 1, accountId, ...changes });
  await identity.store.acrossAccounts.messages.insertMany([message]);
  if (body) await storeBody(identity, { accountId, messageId: _id }, body);
  return message;
}

const sourceOf = async (id: string) =>
  Buffer.from((await owner.messages.getMessageSource({ id })).source).toString();
const reads = async (id: string) => {
  const filter = { action: "message.read_body", targetId: id };
  return (await identity.operator.audits.listEntries({ accountId, filter })).entries;
};

it("a message of a template contains the rendered text, the same each time", async () => {
  const template = {
    name: "welcome",
    from: "news@shop.example",
    subject: "Hi {{name}}",
    text: "Hello, {{name}}.",
    variables: [{ name: "name", type: "string" }],
  };
  await identity.operator.templates.putTemplate({ accountId, template });
  const sent = await owner.templates.sendTest({
    name: "welcome",
    to: "ada@example.net",
    dataJson: '{"name":"Ada"}',
  });
  const source = await sourceOf(sent.messageId);
  expect(source).toContain("Subject: Hi Ada\r\n");
  expect(source).toContain("Hello, Ada.");
  expect(source).toContain(`Message-ID: <${sent.messageId}@shop.example>\r\n`);
  // Added by each attempt.
  expect(source).not.toMatch(/DKIM-Signature|List-Unsubscribe/);
  identity.time.pass(DAY_MS / 48);
  expect(await sourceOf(sent.messageId)).toBe(source);
});

it("Hermod's own mail is unknown to members of the first account, and withheld from the operator", async () => {
  await identity.as({}).users.requestPasswordReset({ email: owner.email });
  await identity.settled();
  const { messages } = identity.store.forAccount(SYSTEM_ACCOUNT);
  const list = await messages.list({ filter: { source: "system" }, limit: 10 });
  const [own] = list.messages.filter(({ operation }) => operation === SYSTEM_MAIL);
  if (!own) throw new Error("nothing was mailed");
  const unknown = { code: "message.unknown" };
  await expect(owner.messages.getMessageSource({ id: own._id })).rejects.toMatchObject(unknown);
  await expect(owner.messages.getMessage({ id: own.traceId })).rejects.toMatchObject(unknown);
  expect((await owner.messages.listMessages({ filter: { source: "system" } })).messages).toEqual([]);
  const asOperator = identity.operator.messages.getMessageSource({ id: own._id });
  await expect(asOperator).rejects.toMatchObject({ code: "message.body_withheld" });
  expect(await identity.store.forAccount(accountId).contents.load(own.contentId)).toBeUndefined();
  expect((await reads(own._id)).map(({ outcome }) => outcome)).not.toContain("read");
});

it("the operator reads without naming the account, which is recorded in that account's audit log", async () => {
  const { _id: id } = await stored(RAW);
  const { message } = await identity.operator.messages.getMessageSource({ id });
  expect(message).toMatchObject({ id, accountId });
  expect(await reads(id)).toMatchObject([{ outcome: "read", actor: { kind: "operator" } }]);
});

it("an entry is written to the audit log before the source is returned", async () => {
  const { _id: id } = await stored(RAW);
  await sourceOf(id);
  await sourceOf(id);
  expect(await reads(id)).toHaveLength(2);
});

it("a read without a body has no entry", async () => {
  const { _id: id } = await stored();
  await expect(sourceOf(id)).rejects.toMatchObject({ code: "message.body_gone" });
  expect(await reads(id)).toEqual([]);
});

it("the body of a scheduled message is stored from the time of sending", async () => {
  const sendAt = new Date(identity.time.clock.now().getTime() + 3 * DAY_MS);
  const { _id: id } = await stored(undefined, { sendAt, state: "captured" });
  const { retentions } = identity.store.forAccount(accountId);
  await identity.operator.accounts.changeRetention({ accountId, contentDays: 1 });
  expect((await retentions.find())?.contentDays).toBe(1);
  // Its account's own retention time is over, and it was still kept until it was sent.
  identity.time.pass(2 * DAY_MS);
  const early = identity.operator.messages.getMessageSource({ id });
  await expect(early).rejects.toMatchObject({
    public: expect.stringContaining("before the end of the retention"),
  });
  identity.time.pass(2 * DAY_MS);
  const late = identity.operator.messages.getMessageSource({ id });
  await expect(late).rejects.toMatchObject({
    public: expect.stringContaining(`retained until ${sendAt.toISOString()}`),
  });
});

it("an erased message is unknown, and so is one of a deleted account", async () => {
  const { nextAttemptAt: _, ...finished } = await stored(RAW, { recipient: "gone@example.net" });
  await identity.db
    .collection<{ _id: string }>("messages")
    .updateOne(
      { _id: finished._id },
      { $set: { state: "delivered", expireAt: new Date(Date.now() + 1e10) }, $unset: { nextAttemptAt: "" } },
    );
  await identity.operator.erasures.beginErasure({ accountId, recipient: "gone@example.net" });
  const { store, time } = identity;
  const signal = new AbortController().signal;
  await createErasures({ store, clock: time.clock, log: createLogger("silent"), proofMs: DAY_MS, signal })();
  const asked = identity.operator.messages.getMessageSource({ id: finished._id });
  await expect(asked).rejects.toMatchObject({ code: "message.unknown" });
  expect(await store.forAccount(accountId).contents.load(finished.contentId)).toBeUndefined();
});

it("content that no message can contain is reported", async () => {
  const content = { from: { address: "no address" }, to: [], replyTo: [], subject: "", text: "x" };
  const { _id: id } = await stored({
    kind: "composed",
    content: { ...content, headers: [], attachments: [] },
  });
  await expect(identity.operator.messages.getMessageSource({ id })).rejects.toMatchObject({
    code: "message.unreadable",
  });
});
