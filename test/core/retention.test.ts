import type { Document } from "mongodb";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createApplyRetention } from "../../src/core/accounts/apply-retention.ts";
import { newId, newIdInBucket } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { queuedMessage } from "../harness/queued-message.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const INSTALLATION = {
  contentMs: 30 * DAY_MS,
  messageMs: 60 * DAY_MS,
  requestMs: 7 * DAY_MS,
  sandboxMs: 7 * DAY_MS,
};

let identity: Identity;
let own: string;
let other: string;
let run: () => Promise<void>;
beforeEach(async () => {
  identity = await openIdentity();
  const { accounts } = identity.operator;
  own = (await accounts.createAccount({ name: "Own" })).account?.id ?? "";
  other = (await accounts.createAccount({ name: "Other" })).account?.id ?? "";
  run = createApplyRetention({
    store: identity.store,
    retention: { ...INSTALLATION, idempotencyMs: DAY_MS, auditMs: 400 * DAY_MS, suppressionMs: undefined },
    clock: identity.time.clock,
    log: createLogger("silent"),
    signal: new AbortController().signal,
  });
});
afterEach(() => identity.close());

const daysAgo = (days: number) => new Date(identity.time.clock.now().getTime() - days * DAY_MS);
const all = (name: string): Promise<Document[]> => identity.db.collection(name).find().toArray();
const left = async (name: string) => (await all(name)).map(({ _id }) => String(_id)).sort();

/** A message accepted and finished this number of days ago, with a body, an event and a captured copy. */
async function message(days: number, changes: Partial<MessageDocument> = {}): Promise<MessageDocument> {
  const { contents, events, messages, sandbox } = identity.store.acrossAccounts;
  const at = daysAgo(days);
  const expireAt = new Date(at.getTime() + 60 * DAY_MS);
  const _id = newIdInBucket("msg", at, 5);
  const common = { _id, bucket: 5, accountId: own, state: "delivered", expireAt } as const;
  const { nextAttemptAt: _, ...finished } = queuedMessage(at, { ...common, ...changes });
  const stored = changes.nextAttemptAt
    ? (({ expireAt: __, ...waiting }) => ({ ...waiting, nextAttemptAt: changes.nextAttemptAt as Date }))(
        finished,
      )
    : finished;
  await messages.insertMany([stored]);
  const { accountId, contentId: id, traceId, from, subject } = stored;
  const known = (await left("contents")).includes(id);
  const source = Buffer.from("Hello");
  const body = { kind: "raw" as const, source };
  if (!known) await contents.insertMany([{ id, accountId, body, sizeBytes: 5, createdAt: at, expireAt }]);
  await events.insertMissing([
    {
      _id: `${_id}.1.delivered`,
      messageId: _id,
      accountId,
      traceId,
      kind: "delivered",
      attempt: 1,
      at,
      expireAt,
    },
  ]);
  const envelope = { envelopeFrom: from, envelopeTo: [stored.recipient] };
  await sandbox.insertMissing([
    { id: _id, accountId, traceId, ...envelope, from, subject, source, capturedAt: at, expireAt },
  ]);
  return stored;
}

it("removes data that is older than the account's own times, and no data of other accounts", async () => {
  const [old, young] = [await message(10), await message(2)];
  const others = await message(10, { accountId: other });
  await identity.operator.accounts.changeRetention({ accountId: own, messageDays: 5 });
  await run();
  const kept = [young._id, others._id].sort();
  expect(await left("messages")).toEqual(kept);
  expect(await left("contents")).toEqual(kept.map((id) => id.replace("msg", "cnt")));
  expect((await all("events")).map(({ messageId }) => messageId).sort()).toEqual(kept);
  expect(kept).not.toContain(old._id);
});

it("removes bodies, captured mail and requests, each at its own time", async () => {
  const [old, young] = [await message(4), await message(1)];
  const requestIds = [4, 1].map((days) => newId("req", daysAgo(days)));
  await identity.store.acrossAccounts.requests.insertMissing(
    requestIds.map((_id) => ({ _id, accountId: own, entries: [], marks: [], expireAt: daysAgo(-1) })),
  );
  const times = { contentDays: 2, requestDays: 3, sandboxHours: 48 };
  await identity.operator.accounts.changeRetention({ accountId: own, ...times });
  await run();
  expect(await left("messages")).toEqual([old._id, young._id].sort());
  expect(await left("contents")).toEqual([young.contentId]);
  expect(await left("sandboxMessages")).toEqual([young._id]);
  expect(await left("requests")).toEqual([requestIds[1]]);
});

it("never removes a waiting message, nor its body", async () => {
  const due = daysAgo(-1);
  const shared = { traceId: "sx_1", contentId: "cnt_shared" };
  const waiting = await message(20, { ...shared, state: "deferred", nextAttemptAt: due });
  const alone = await message(20, { state: "scheduled", nextAttemptAt: due });
  await message(20, shared);
  await identity.operator.accounts.changeRetention({ accountId: own, messageDays: 1, contentDays: 1 });
  for (let turn = 0; turn < 3; turn++) {
    await run();
    identity.time.pass(11 * MINUTE_MS);
  }
  expect(await left("messages")).toEqual([waiting._id, alone._id].sort());
  expect(await left("contents")).toEqual([shared.contentId, alone.contentId].sort());
});

it("continues automatically, and keeps remaining data after the time was extended", async () => {
  const [first, second] = [await message(1.5), await message(1)];
  await identity.operator.accounts.changeRetention({ accountId: own, messageDays: 2 });
  await run();
  expect(await left("messages")).toHaveLength(2);
  identity.time.pass(0.75 * DAY_MS);
  await run();
  expect(await left("messages")).toEqual([second._id]);
  expect(first._id < second._id).toBe(true);
  await identity.operator.accounts.changeRetention({ accountId: own });
  identity.time.pass(5 * DAY_MS);
  await run();
  expect(await left("messages")).toEqual([second._id]);
});

it("is at most that of the installation, and an invalid request is refused completely", async () => {
  const { accounts } = identity.operator;
  await expect(
    accounts.changeRetention({ accountId: own, contentDays: 31, messageDays: 5, sandboxHours: 0 }),
  ).rejects.toMatchObject({
    code: "request.validation_failed",
    errors: [{ pointer: "/content_days" }, { pointer: "/sandbox_hours" }],
  });
  const { retention } = await accounts.getRetention({ accountId: own });
  expect(retention).toMatchObject({
    contentDays: { kept: 30, most: 30, own: false },
    messageDays: { kept: 60, most: 60, own: false },
    requestDays: { kept: 7 },
    sandboxHours: { kept: 168 },
  });
  const changed = await accounts.changeRetention({ accountId: own, contentDays: 7 });
  expect(changed.retention).toMatchObject({ contentDays: { kept: 7, most: 30, own: true } });
});

it("requires the permission to change the account, and a factor that was shown recently", async () => {
  const [admin, developer] = [
    await identity.memberOf(own, "admin"),
    await identity.memberOf(own, "developer"),
  ];
  const as = (token: string) => identity.as({ session: token }).accounts;
  await expect(as(developer.token).changeRetention({ contentDays: 7 })).rejects.toMatchObject({
    code: "auth.permission_missing",
  });
  await as(admin.token).changeRetention({ contentDays: 7 });
  identity.time.pass(11 * MINUTE_MS);
  await expect(as(admin.token).changeRetention({ contentDays: 3 })).rejects.toMatchObject({
    code: "auth.reauthentication_required",
  });
  expect((await as(admin.token).getRetention({})).retention).toMatchObject({ contentDays: { kept: 7 } });
});
