import { createHash } from "node:crypto";
import type { Document } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createErasures } from "../../src/core/erasures/run-erasures.ts";
import { noticeIdOf } from "../../src/message/dsn/notice-id.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { webhookCollections } from "../../src/store/webhook-delivery-documents.ts";
import { testAudit } from "../harness/audit.ts";
import { endpointDocument } from "../harness/expected-deliveries.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";

const ADA = "ada@example.net";
const [ACCOUNT, OTHER] = ["acc_1", "acc_2"];
const MINUTE_MS = 60_000;
const NEVER = new AbortController().signal;

let opened: TestStore;
let store: Store;
let time: TestTime;
let run: () => Promise<void>;
beforeEach(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
  time = createTestTime();
  run = runner(NEVER);
});
afterEach(() => opened.close());

function runner(signal: AbortSignal) {
  const log = createLogger("silent");
  return createErasures({ store, clock: time.clock, log, proofMs: MINUTE_MS, signal });
}

const all = async (name: string): Promise<Document[]> => opened.db.collection(name).find().toArray();
const idsIn = async (name: string) => (await all(name)).map(({ _id }) => _id).sort();

/** A finished message to Ada, unless the changes differ. */
function message(changes: Partial<MessageDocument> = {}): MessageDocument {
  const now = time.clock.now();
  const _id = changes._id ?? newIdInBucket("msg", now, 7);
  const common = { _id, bucket: 7, accountId: ACCOUNT, recipient: ADA, state: "delivered" } as const;
  const { nextAttemptAt: _, ...finished } = queuedMessage(now, { ...common, ...changes });
  return changes.nextAttemptAt ? { ...finished, nextAttemptAt: changes.nextAttemptAt } : finished;
}

/** Stores messages with a body and an event each. */
async function plant(...messages: readonly MessageDocument[]): Promise<void> {
  const expireAt = new Date(time.clock.now().getTime() + 3_600_000);
  await store.acrossAccounts.messages.insertMany(messages);
  const bodies = new Map(
    messages.map(({ contentId: id, accountId, createdAt }) => [id, { id, accountId, createdAt }]),
  );
  await store.acrossAccounts.contents.insertMany(
    [...bodies.values()].map((body) => {
      const source = Buffer.from(`To: ${ADA}`);
      return { ...body, body: { kind: "raw" as const, source }, sizeBytes: source.length, expireAt };
    }),
  );
  await store.acrossAccounts.events.insertMissing(
    messages.map(({ _id, accountId, traceId, createdAt: at }) => ({
      _id: `${_id}.1.delivered`,
      messageId: _id,
      accountId,
      traceId,
      kind: "delivered" as const,
      attempt: 1,
      at,
      expireAt,
      detail: `250 <${ADA}> is well`,
    })),
  );
}

async function begin(accountId: string, keepSuppressed = false) {
  const now = time.clock.now();
  const salt = "salt";
  const erasure = {
    _id: `era_${accountId}`,
    address: ADA,
    salt,
    addressHash: createHash("sha256").update(salt).update(ADA).digest("base64url"),
    keepSuppressed,
    requestedAt: now,
    requestedBy: testAudit.actor,
    removed: {},
    waiting: 0,
    heldUntil: now,
  };
  return store.forAccount(accountId).erasures.begin(erasure, testAudit);
}

const proof = () => store.forAccount(ACCOUNT).erasures.find(`era_${ACCOUNT}`);

/** From the start until it only waits for workers. */
async function complete(): Promise<void> {
  await run();
  time.pass(MINUTE_MS);
  await run();
}

describe("erasing a recipient", () => {
  it("removes messages that were being resent at its start, and keeps later ones", async () => {
    const former = message();
    await plant(former);
    await begin(ACCOUNT);
    time.pass(1);
    const [copy, fresh] = [message({ resentFrom: former._id }), message()];
    await plant(copy, fresh);
    time.pass(MINUTE_MS);
    await run();
    expect(await idsIn("messages")).toEqual([fresh._id]);
    expect(await idsIn("contents")).toEqual([fresh.contentId]);
  });

  it("removes messages in any spelling, with bodies and events, and counts them", async () => {
    const others = [message({ recipient: "bada@example.net" }), message({ accountId: OTHER })];
    await plant(message(), message({ recipient: "Ada@Example.NET" }), ...others);
    await begin(ACCOUNT);
    await complete();
    const left = others.map(({ _id }) => _id).sort();
    expect(await idsIn("messages")).toEqual(left);
    expect(await idsIn("contents")).toEqual(left.map((id) => id.replace("msg", "cnt")));
    expect((await all("events")).map(({ messageId }) => messageId).sort()).toEqual(left);
    expect(await proof()).toMatchObject({
      removed: { messages: 2, contents: 2, events: 2, searchIndex: 2 },
      look: { messages: 1 },
      left: { mentions: 0, suppressions: 0 },
    });
  });

  it("removes webhook deliveries about the address only", async () => {
    await webhookCollections(opened.db).endpoints.insertOne(
      endpointDocument({ _id: "wep_1", accountId: ACCOUNT }),
    );
    const createdAt = time.clock.now();
    for (const address of [ADA, "bob@example.net"])
      await store
        .forAccount(ACCOUNT)
        .suppressions.add({ addressKey: address, address, reason: "manual", createdAt }, testAudit);
    await begin(ACCOUNT);
    await complete();
    const left = await all("webhookDeliveries");
    expect(left.map(({ addressKey }) => addressKey)).toEqual(["bob@example.net"]);
    expect(await proof()).toMatchObject({ removed: { suppressions: 1, webhookDeliveries: 1 } });
  });

  it("ends without the address, which its hash proves", async () => {
    await begin(ACCOUNT);
    await complete();
    const ended = await proof();
    expect(JSON.stringify(await all("erasures"))).not.toContain(ADA);
    const hash = createHash("sha256").update(`${ended?.salt}${ADA}`).digest("base64url");
    expect(ended).toMatchObject({ addressHash: hash, finishedAt: time.clock.now() });
    expect(JSON.stringify(await all("auditEntries"))).not.toContain(ADA);
  });

  it("waits for messages that a worker holds, and does not report completion before", async () => {
    const waiting = message({ state: "queued", nextAttemptAt: time.clock.now() });
    await plant(waiting, message());
    await begin(ACCOUNT);
    for (let turn = 0; turn < 3; turn++) await complete();
    expect(await proof()).toMatchObject({ waiting: 1 });
    expect((await proof())?.finishedAt).toBeUndefined();
    expect(await idsIn("messages")).toEqual([waiting._id]);
    expect((await all("messages"))[0]?.cancelRequestedAt).toBeDefined();

    const cancellation = { at: time.clock.now(), expireAt: time.clock.now() };
    await store.acrossAccounts.queue.withdraw([waiting], 1);
    await store.acrossAccounts.queue.cancel([waiting], cancellation, 1);
    await complete();
    expect(await idsIn("messages")).toEqual([]);
    expect(await proof()).toMatchObject({ waiting: 0, finishedAt: expect.any(Date) });
  });

  it("removes messages that are due later from the queue, and leaves their end to the worker", async () => {
    const later = new Date(time.clock.now().getTime() + 3_600_000);
    const scheduled = message({ state: "scheduled", nextAttemptAt: later });
    await plant(scheduled);
    await begin(ACCOUNT);
    await complete();
    const [stored] = await all("messages");
    expect(stored).toMatchObject({ cancelRequestedAt: expect.any(Date) });
    expect(stored?.nextAttemptAt).toBeUndefined();
    expect((await proof())?.finishedAt).toBeUndefined();
  });

  it("removes notices to senders about these messages, and no other notices to the same senders", async () => {
    const told = message({ from: "shop@example.com" });
    const notice = message({
      _id: noticeIdOf(told._id, "failed"),
      recipient: "shop@example.com",
      noticeOf: told._id,
    });
    const other = message({ recipient: "shop@example.com" });
    await plant(told, notice, other);
    await begin(ACCOUNT);
    await complete();
    expect(await idsIn("messages")).toEqual([other._id]);
    expect(await proof()).toMatchObject({ removed: { messages: 2, searchIndex: 2 } });
  });

  it("keeps bodies that were sent to other recipients, and counts them", async () => {
    const traceId = "sx_shared";
    const [contentId, bucket] = ["cnt_shared", 7];
    const bob = message({ traceId, contentId, bucket, recipient: "bob@example.net" });
    await plant(message({ traceId, contentId, bucket }), bob);
    await begin(ACCOUNT);
    await complete();
    expect(await idsIn("contents")).toEqual([contentId]);
    expect(await proof()).toMatchObject({ left: { sharedBodies: 1 } });
  });

  it("removes the address from submissions to others, and counts mentions", async () => {
    const bob = { recipient: "bob@example.net" };
    await plant(
      message({ ...bob, notDelivered: ["Ada@example.net", "carl@example.net"] }),
      message({ ...bob, subject: `New: ${ADA}` }),
      message({ ...bob, metadata: { about: "ADA@example.net" } }),
    );
    await begin(ACCOUNT);
    await complete();
    const lists = (await all("messages")).map(({ notDelivered }) => notDelivered);
    expect(lists.flat()).toEqual(["carl@example.net"]);
    expect(await proof()).toMatchObject({ removed: { notDelivered: 1 }, left: { mentions: 2 } });
  });

  it.each([false, true])(
    "removes it from the suppression list unless it is kept on request (%s)",
    async (keep) => {
      const now = time.clock.now();
      const { suppressions } = store.forAccount(ACCOUNT);
      const entry = { addressKey: ADA, address: ADA, reason: "hard_bounce", createdAt: now } as const;
      await suppressions.add({ ...entry, messageId: "msg_1", detail: "550" }, testAudit);
      await suppressions.add({ ...entry, policy: "news" }, testAudit);
      await suppressions.add(
        { ...entry, addressKey: "bob@example.net", address: "bob@example.net" },
        testAudit,
      );
      await begin(ACCOUNT, keep);
      await complete();
      const left = (await all("suppressions")).filter(({ addressKey }) => addressKey === ADA);
      expect(left.map(({ messageId, detail }) => [messageId, detail])).toEqual(
        keep
          ? [
              [undefined, undefined],
              [undefined, undefined],
            ]
          : [],
      );
      expect(await all("suppressions")).toHaveLength(keep ? 3 : 1);
      expect((await proof())?.removed.suppressions).toBe(keep ? undefined : 2);
      expect((await proof())?.left?.suppressions).toBe(keep ? 2 : 0);
      // The log keeps the actions, without the address.
      const log = await all("auditEntries");
      expect(log.filter(({ target }) => target.kind === "suppression")).toHaveLength(3);
      expect(JSON.stringify(log)).not.toContain(ADA);
      expect(JSON.stringify(log)).toContain("bob@example.net");
    },
  );

  it("does not change messages that are accepted after the request", async () => {
    await begin(ACCOUNT);
    time.pass(1_000);
    const later = message();
    await plant(later);
    await complete();
    expect(await idsIn("messages")).toEqual([later._id]);
    const filter = { recipient: { kind: "whole", address: ADA } } as const;
    const { messages } = await store.forAccount(ACCOUNT).messages.list({ filter, limit: 10 });
    expect(messages.map(({ _id }) => _id)).toEqual([later._id]);
  });

  it("uses the time of acceptance, and not an id that a service has chosen", async () => {
    const ahead = newIdInBucket("msg", new Date(time.clock.now().getTime() + 10 * MINUTE_MS), 7);
    await plant(message({ _id: ahead }));
    await begin(ACCOUNT);
    await complete();
    expect(await idsIn("messages")).toEqual([]);
  });

  it("removes a message with an unreadable recipient, using its quarantine note", async () => {
    const damaged = message({ state: "queued", recipient: "unknown@example.net" });
    await plant(damaged);
    await opened.db.collection("messages").updateOne({ accountId: ACCOUNT }, { $set: { recipient: 17 } });
    await opened.db.collection("quarantine").insertOne({
      _id: damaged._id as never,
      accountId: ACCOUNT,
      recipient: ADA,
      reason: "recipient",
      at: time.clock.now(),
    });
    await begin(ACCOUNT);
    await complete();
    expect([...(await idsIn("messages")), ...(await idsIn("quarantine"))]).toEqual([]);
    expect(await proof()).toMatchObject({ removed: { messages: 1, quarantine: 1 } });
  });

  it("finds messages that the index does not contain", async () => {
    await plant(message());
    for (const name of ["searchBatches", "searchDays", "searchChunks"])
      await opened.db.collection(name).deleteMany({});
    await begin(ACCOUNT);
    await complete();
    expect((await proof())?.finishedAt).toBeUndefined();
    time.pass(MINUTE_MS);
    await run();
    expect(await idsIn("messages")).toEqual([]);
    expect(await proof()).toMatchObject({ removed: { messages: 1 }, finishedAt: expect.any(Date) });
  });

  it("is a single erasure for repeated requests while it runs", async () => {
    const first = await begin(ACCOUNT);
    expect(await begin(ACCOUNT)).toEqual(first);
    expect(await all("erasures")).toHaveLength(1);
  });

  it("has the same counts when its process ends at any of its writes", async () => {
    const messages = Array.from({ length: 250 }, () => message());
    await plant(...messages, message({ recipient: "bob@example.net" }));
    await begin(ACCOUNT);
    let writes = 0;
    for (let ended = false, limit = 1; !ended; limit += 3) {
      const end = new AbortController();
      writes = 0;
      const dying = createErasures({
        store: { acrossAccounts: { erasures: dyingAfter(limit, () => ++writes) } },
        clock: time.clock,
        log: createLogger("silent"),
        proofMs: MINUTE_MS,
        signal: end.signal,
      });
      await dying().catch(() => undefined);
      time.pass(2 * MINUTE_MS);
      ended = (await proof())?.finishedAt !== undefined;
    }
    expect(await all("messages")).toHaveLength(1);
    expect(await proof()).toMatchObject({ removed: { messages: 250, contents: 250, events: 250 } });
  });

  /** The store with a limited number of successful calls. */
  function dyingAfter(limit: number, count: () => number) {
    const { erasures } = store.acrossAccounts;
    return Object.fromEntries(
      Object.entries(erasures).map(([name, call]) => [
        name,
        async (...args: unknown[]) => {
          if (count() > limit) throw new Error("the process has ended");
          return (call as (...given: unknown[]) => Promise<unknown>)(...args);
        },
      ]),
    ) as unknown as typeof erasures;
  }
});
