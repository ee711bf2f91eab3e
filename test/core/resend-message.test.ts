import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRunJobs } from "../../src/core/jobs/run-jobs.ts";
import { bulkActions } from "../../src/core/messages/bulk-actions.ts";
import { createBulkJob } from "../../src/core/messages/bulk-job.ts";
import type { Resend } from "../../src/core/messages/resend.ts";
import type { MessageBody } from "../../src/message/content.ts";
import type { AreaClients } from "../../src/rpc/client.ts";
import { Fault } from "../../src/shared/fault.ts";
import { newTraceId, timeOfId } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { messageStates } from "../../src/shared/message-state.ts";
import { DSN, FORWARD, SMTP_SUBMIT, SYSTEM_MAIL } from "../../src/shared/operations.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { failingDb } from "../harness/failing-db.ts";
import { allowSending, finishedMessage } from "../harness/finished-message.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { testSealing } from "../harness/sealing.ts";

const DAY_MS = 86_400_000;

let identity: Identity;
let accountId: string;
let owner: AreaClients;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1_000);
  accountId = await identity.openAccount("Shop");
  await allowSending(identity, accountId);
  owner = identity.as({ session: (await identity.memberOf(accountId)).token });
});

const now = () => identity.time.clock.now();
const messages = () => identity.db.collection<MessageDocument>("messages");
const copiesOf = (id: string) => messages().find({ resentFrom: id }).toArray();

async function stored(changes: Partial<MessageDocument> = {}, body?: MessageBody): Promise<MessageDocument> {
  const message = await finishedMessage(identity, accountId, changes, body);
  identity.time.pass(1_000);
  return message;
}

const bodyOf = async ({ contentId }: Pick<MessageDocument, "contentId">) =>
  (await identity.store.acrossAccounts.contents.loadMany([contentId])).get(contentId);

async function refused(id: string, code: string, sentence = ""): Promise<void> {
  await expect(owner.messages.resendMessage({ id })).rejects.toMatchObject({
    code,
    public: expect.stringContaining(sentence),
  });
  expect(await copiesOf(id)).toEqual([]);
}

describe("a message that is sent once more", () => {
  it("is a new one with the same content, and says of which; the former one says so, and the audit log who wanted it", async () => {
    const former = await stored({
      tags: ["welcome"],
      metadata: { order: "4711" },
      template: { name: "hello", version: 3 },
      envelopeFrom: "bounces@example.com",
      notify: ["failure"],
      notDelivered: ["eve@example.net"],
    });
    const { message, replayed } = await owner.messages.resendMessage({ id: former._id });
    expect(replayed).toBe(false);
    const id = message?.id ?? "";
    expect(message).toMatchObject({ resentFrom: former._id, state: "queued", recipient: former.recipient });
    expect(timeOfId(id)).toEqual(now());

    const [copy] = await copiesOf(former._id);
    const same = ["from", "envelopeFrom", "recipient", "subject", "policy", "tags", "metadata", "template"];
    for (const field of [...same, "notify", "operation"]) {
      expect(copy).toHaveProperty(field, former[field as keyof MessageDocument]);
    }
    expect(copy).toMatchObject({ _id: id, headerMessageId: `<${id}@example.com>`, attempts: 0, keyId: "" });
    expect(copy).toMatchObject({ notDelivered: [], nextAttemptAt: now(), createdAt: now() });
    expect(copy?.contentId).not.toBe(former.contentId);
    expect(copy?.traceId).not.toBe(former.traceId);
    expect(await bodyOf(copy as MessageDocument)).toEqual(await bodyOf(former));
    expect(await messages().findOne({ _id: former._id })).toMatchObject({ state: "delivered" });

    const { timeline } = await owner.messages.getMessage({ id: former._id });
    expect(timeline.at(-1)).toMatchObject({ kind: "resent", detail: `as ${id}` });
    const { entries } = await owner.audits.listEntries({ filter: { targetId: former._id } });
    expect(entries).toMatchObject([{ action: "message.resend", target: { name: id } }]);
    const listed = await owner.messages.listMessages({});
    expect(listed.messages.map((one) => one.id)).toEqual([id, former._id]);
  });

  it("keeps its body when the former one's goes", async () => {
    const former = await stored();
    await owner.messages.resendMessage({ id: former._id });
    const [copy] = await copiesOf(former._id);
    identity.time.pass(2 * DAY_MS);
    const { retentions } = identity.store.acrossAccounts;
    await retentions.removeMessages(accountId, new Date(now().getTime() - DAY_MS), undefined);
    expect(await bodyOf(former)).toBeUndefined();
    expect(await bodyOf(copy as MessageDocument)).toMatchObject({ kind: "composed" });
  });

  it("has every octet that was submitted by SMTP, but for its Message-ID", async () => {
    const lines = (messageId: string) =>
      [
        "Received: from x by y; Mon, 23 Nov 2026 06:00:00 +0000",
        `Message-ID: ${messageId}`,
        "FROM:  Ada <ada@example.com>",
        "Subject:  =?utf-8?q?caf=C3=A9?=",
        "",
        "Hello\t",
        "",
      ].join("\r\n");
    const raw = { kind: "raw", source: Buffer.from(lines("<old@example.com>")) } as const;
    const former = await stored({ operation: SMTP_SUBMIT, source: "smtp" }, raw);
    const { message } = await owner.messages.resendMessage({ id: former._id });
    const [copy] = await copiesOf(former._id);
    const body = await bodyOf(copy as MessageDocument);
    expect(body).toEqual({ kind: "raw", source: Buffer.from(lines(`<${message?.id}@example.com>`)) });
    const { length } = lines(`<${message?.id}@example.com>`);
    expect(copy).toMatchObject({ operation: SMTP_SUBMIT, source: "smtp", sizeBytes: length });
  });

  it("keeps its Message-ID where its sender has signed it", async () => {
    const source = Buffer.from(
      "DKIM-Signature: v=1; h=from:message-id\r\nMessage-ID: <old@example.com>\r\nFrom: ada@example.com\r\n\r\nHello\r\n",
    );
    const headerMessageId = "<old@example.com>";
    const former = await stored({ operation: SMTP_SUBMIT, headerMessageId }, { kind: "raw", source });
    await owner.messages.resendMessage({ id: former._id });
    const [copy] = await copiesOf(former._id);
    expect(copy).toMatchObject({ headerMessageId });
    expect(await bodyOf(copy as MessageDocument)).toEqual({ kind: "raw", source });
  });

  it("keeps a body that is larger than a document", async () => {
    const source = Buffer.concat([
      Buffer.from("Message-ID: <old@example.com>\r\nFrom: ada@example.com\r\n\r\n"),
      Buffer.from(`${"x".repeat(998)}\r\n`.repeat(3_000)),
    ]);
    const former = await stored({ operation: SMTP_SUBMIT }, { kind: "raw", source });
    await owner.messages.resendMessage({ id: former._id });
    const [copy] = await copiesOf(former._id);
    const body = await bodyOf(copy as MessageDocument);
    expect(body?.kind === "raw" && body.source.subarray(-1_000)).toEqual(source.subarray(-1_000));
  });

  const settled = new Set(["delivered", "captured", "bounced", "suppressed", "expired", "failed"]);
  for (const state of ["cancelled", "complained"]) settled.add(state);

  it.each(messageStates)("is one that is finished: %s", async (state) => {
    const former = await stored({ state });
    if (!settled.has(state)) return refused(former._id, "message.not_resendable", `is ${state}`);
    await owner.messages.resendMessage({ id: former._id });
    expect(await copiesOf(former._id)).toHaveLength(1);
  });

  it.each([SYSTEM_MAIL, DSN, FORWARD])("is none of Hermod's own (%s)", async (operation) => {
    const former = await stored({ operation, source: "system" });
    await refused(former._id, "message.not_resendable", "is one of Hermod's own");
  });

  it("is of somebody who may still send so, by a policy that is still there, within the limits", async () => {
    const { operator } = identity;
    const elsewhere = await stored({ from: "ada@example.org" });
    await refused(elsewhere._id, "sender.unverified", "ada@example.org");
    const envelope = await stored({ envelopeFrom: "bounces@example.org" });
    await refused(envelope._id, "sender.unverified", "bounces@example.org");
    const raw = Buffer.from(
      "Message-ID: <old@example.com>\r\nFrom: ada@example.com\r\nSender: x@example.org\r\n\r\n",
    );
    const sender = await stored({ operation: SMTP_SUBMIT }, { kind: "raw", source: raw });
    await refused(sender._id, "sender.unverified", "x@example.org");
    const unrouted = await stored({ policy: "gone" });
    await refused(unrouted._id, "policy.unknown", '"gone"');
    const large = await stored({ sizeBytes: 30_000_000 });
    await refused(large._id, "request.too_large");

    const former = await stored();
    await operator.senders.removeSender({ accountId, value: "example.com" });
    await refused(former._id, "sender.unverified", "ada@example.com");
  });

  it("has a body", async () => {
    const gone = await stored();
    await identity.db.collection("contents").deleteOne({ _id: gone.contentId as never });
    await refused(gone._id, "message.body_gone", gone._id);
    const broken = await stored({ operation: SMTP_SUBMIT }, { kind: "raw", source: Buffer.from("nothing") });
    await refused(broken._id, "message.unreadable", broken._id);
  });

  it("is unknown to another account, and closed to a member who may only look", async () => {
    const former = await stored();
    const { account } = await identity.operator.accounts.createAccount({ name: "Other" });
    const other = identity.as({ session: (await identity.memberOf(account?.id ?? "")).token });
    const { code } = await other.messages.resendMessage({ id: former._id }).catch((error) => error);
    expect(code).toBe("message.unknown");
    const viewer = identity.as({ session: (await identity.memberOf(accountId, "viewer")).token });
    const denied = await viewer.messages.resendMessage({ id: former._id }).catch((error) => error);
    expect(denied.code).toBe("auth.permission_missing");
    expect(await copiesOf(former._id)).toEqual([]);
  });

  it("goes to nobody about whom everything is being erased", async () => {
    const former = await stored();
    await owner.erasures.beginErasure({ recipient: "BOB@example.net" });
    await refused(former._id, "message.not_resendable", "erased");
    const another = await stored({ recipient: "eve@example.net" });
    await owner.messages.resendMessage({ id: another._id });
    expect(await copiesOf(another._id)).toHaveLength(1);
  });

  it("is sent a hundred times, and not more often", async () => {
    const former = await stored();
    const { events } = identity.store.forAccount(accountId);
    const at = now();
    const about = { messageId: former._id, traceId: former.traceId, kind: "resent", attempt: 1 } as const;
    const resent = Array.from({ length: 99 }, (_, n) => {
      return { ...about, _id: `${former._id}.1.resent-${n}`, at, expireAt: new Date(at.getTime() + DAY_MS) };
    });
    await events.insertMissing(resent);
    await owner.messages.resendMessage({ id: former._id });
    await expect(owner.messages.resendMessage({ id: former._id })).rejects.toMatchObject({
      code: "message.not_resendable",
    });
    expect(await copiesOf(former._id)).toHaveLength(1);
  });
});

describe("an idempotency key", () => {
  const resend = (id: string, idempotencyKey: string) =>
    owner.messages.resendMessage({ id, idempotencyKey }).catch((error) => ({ message: { id: error.code } }));

  it("stands for one new message, also for those that come at once, and after the sender was removed", async () => {
    const former = await stored();
    const answers = await Promise.all(Array.from({ length: 4 }, () => resend(former._id, "once")));
    const [copy, ...others] = await copiesOf(former._id);
    expect(others).toEqual([]);
    for (const { message } of answers) expect([copy?._id, "idempotency.in_flight"]).toContain(message?.id);
    await identity.operator.senders.removeSender({ accountId, value: "example.com" });
    const again = await owner.messages.resendMessage({ id: former._id, idempotencyKey: "once" });
    expect(again).toMatchObject({ message: { id: copy?._id }, replayed: true });
    const { entries } = await owner.audits.listEntries({ filter: { targetId: former._id } });
    expect(entries).toHaveLength(1);
    expect(await identity.db.collection("contents").countDocuments({ accountId })).toBe(2);
  });

  it("is of its message, and is another one without it", async () => {
    const [one, two] = [await stored(), await stored()];
    for (const key of ["a", "a", "b", "", ""]) await resend(one._id, key);
    expect(await copiesOf(one._id)).toHaveLength(4);
    await resend(two._id, "a");
    expect(await copiesOf(two._id)).toHaveLength(1);
  });

  it.each(["with space", "ä", "x".repeat(256)])("is refused where it is none (%#)", async (key) => {
    const former = await stored();
    expect((await resend(former._id, key)).message?.id).toBe("request.malformed_header");
    expect(await copiesOf(former._id)).toEqual([]);
  });
});

it.each(["before", "after"] as const)(
  "is one new message, and told of, whichever write of the first request fails (%s it)",
  async (when) => {
    let ends = 0;
    for (let nth = 1, isReached = true; isReached; nth++) {
      const message = await stored();
      const failing = failingDb(identity.db, nth, when);
      const { signal } = new AbortController();
      const order = { message, wantedBy: "x", signal, once: { key: "k" } };
      const first = identity.resendOn(createStore(failing.db, testSealing));
      await first({ ...order, traceId: newTraceId(now()) }).catch(() => undefined);
      isReached = failing.failed();
      if (isReached) ends++;
      const again = await identity.resendOn(identity.store)({ ...order, traceId: newTraceId(now()) });
      const copies = await copiesOf(message._id);
      expect([nth, copies.map(({ _id }) => _id)]).toEqual([nth, [again.message._id]]);
      expect(await bodyOf(again.message)).toMatchObject({ kind: "composed" });
      const told = { messageId: message._id, kind: "resent" };
      expect([nth, await identity.db.collection("events").countDocuments(told)]).toEqual([nth, 1]);
    }
    expect(ends).toBeGreaterThan(3);
  },
);

describe("many", () => {
  const runner = (store: Store = identity.store, resend: Resend = identity.resendOn(store)) => {
    const { clock, timers } = identity.time;
    const actions = bulkActions({ store, clock, retentionMs: DAY_MS, resend });
    const kinds = [createBulkJob({ store, actions })];
    const { signal } = new AbortController();
    const { jobs } = store.acrossAccounts;
    return createRunJobs({ jobs, kinds, signal, clock, timers, log: createLogger("silent") });
  };

  async function begun(ids: readonly string[]): Promise<string> {
    const bulk = { action: "resend", ids: [...ids] };
    const { confirmation } = await owner.messages.countBulk({ bulk });
    const { job } = await owner.messages.beginBulk({ bulk, confirmation });
    return job?.id ?? "";
  }

  const jobOf = async (id: string) => (await owner.jobs.getJob({ id })).job;
  const resultsOf = async (id: string) =>
    new Map((await owner.jobs.listResults({ id, pageSize: 1_000 })).results.map((one) => [one.item, one]));

  it("are sent once more by a job, which says of each what became of it", async () => {
    const fine = [await stored(), await stored({ state: "bounced" })];
    const waiting = await stored({ state: "deferred", nextAttemptAt: new Date(now().getTime() + DAY_MS) });
    const elsewhere = await stored({ from: "ada@example.org" });
    const gone = await stored();
    await identity.db.collection("contents").deleteOne({ _id: gone.contentId as never });
    const all = [...fine, waiting, elsewhere, gone].map(({ _id }) => _id);
    const counted = await owner.messages.countBulk({ bulk: { action: "resend", ids: all } });
    expect(counted).toMatchObject({ count: 5, actionable: 4 });
    const id = await begun(all);
    identity.time.pass(60_000);
    await runner()();
    const results = await resultsOf(id);
    for (const { _id } of fine) {
      const [copy] = await copiesOf(_id);
      const message = `The message is sent again as ${copy?._id}.`;
      expect(results.get(_id)).toMatchObject({ outcome: "done", message });
      // Among what is accepted now, and not beside the former one.
      expect(now().getTime() - timeOfId(copy?._id ?? "").getTime()).toBe(60_000);
    }
    expect(results.get(waiting._id)).toMatchObject({ outcome: "skipped", code: "message.not_resendable" });
    expect(results.get(elsewhere._id)).toMatchObject({ outcome: "failed", code: "sender.unverified" });
    expect(results.get(gone._id)).toMatchObject({ outcome: "failed", code: "message.body_gone" });
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", done: 2, skipped: 1, failed: 2 });
  });

  it("wait for room under the account's limits, and are each sent once", async () => {
    const all = await Promise.all(Array.from({ length: 30 }, () => stored()));
    const ids = all.map(({ _id }) => _id);
    const id = await begun(ids);
    const resend = identity.resendOn(identity.store);
    let left = 5;
    const run = runner(identity.store, async (order) => {
      if (left-- <= 0) throw new Fault("rate.limited");
      return resend(order);
    });
    for (let round = 0; round < 20 && (await jobOf(id))?.state !== "succeeded"; round++) {
      left = 5;
      await run();
      identity.time.pass(1_000);
    }
    expect(await jobOf(id)).toMatchObject({ state: "succeeded", total: 30, done: 30 });
    for (const one of ids) expect(await copiesOf(one)).toHaveLength(1);
  });

  it.each(["before", "after"] as const)(
    "are each sent once, and told of, whichever of its writes a process ends %s",
    async (when) => {
      let ends = 0;
      for (let nth = 1, isReached = true; isReached; nth++) {
        const ids = [(await stored())._id, (await stored())._id, (await stored())._id];
        const id = await begun(ids);
        const failing = failingDb(identity.db, nth, when);
        await runner(createStore(failing.db, testSealing))().catch(() => undefined);
        isReached = failing.failed();
        if (isReached) ends++;
        // It was its last one.
        await identity.db.collection("jobs").updateMany({}, { $set: { expiresAt: new Date(0) } });
        identity.time.pass(60_000);
        await runner()();
        expect([nth, await jobOf(id)]).toMatchObject([nth, { state: "succeeded", done: 3, total: 3 }]);
        for (const one of ids) {
          const copies = await copiesOf(one);
          expect([nth, copies.length]).toEqual([nth, 1]);
          expect(await bodyOf(copies[0] as MessageDocument)).toMatchObject({ kind: "composed" });
          const events = await identity.db
            .collection("events")
            .countDocuments({ messageId: one, kind: "resent" });
          expect([nth, events]).toEqual([nth, 1]);
        }
      }
      expect(ends).toBeGreaterThan(10);
    },
  );
});

it("what nobody waits for any more is not sent", async () => {
  const message = await stored();
  const signal = AbortSignal.abort();
  const order = { message, wantedBy: "x", traceId: newTraceId(now()), signal };
  await expect(identity.resendOn(identity.store)(order)).rejects.toThrow();
  expect(await copiesOf(message._id)).toEqual([]);
});
