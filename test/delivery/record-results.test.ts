import type { CommandStartedEvent, Db } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttemptResult } from "../../src/delivery/attempt-result.ts";
import { createDeliver } from "../../src/delivery/deliver.ts";
import { createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { createLoadBody } from "../../src/delivery/queue/load-body.ts";
import { createRecordResults, type FencedResult } from "../../src/delivery/queue/record-results.ts";
import type { Transport } from "../../src/delivery/transports/transport.ts";
import { systemClock as clock } from "../../src/shared/clock.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { failingDb } from "../harness/failing-db.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

const now = new Date();
const content = {
  from: { address: "hello@example.com" },
  to: [{ address: "ann@example.net" }],
  replyTo: [],
  subject: "Hello",
  text: "Hello.",
  headers: [],
  attachments: [],
};

async function storeMessage(recipient: string): Promise<MessageDocument> {
  const message = queuedMessage(now, { accountId: "acc_1", recipient });
  await store.acrossAccounts.messages.insertMany([message]);
  return message;
}

/** One attempt, over a transport that permanently refuses every message. */
function refusingDeliver(from: Store) {
  let offered = 0;
  const transport: Transport = {
    deliver: async () => {
      offered++;
      const reply = {
        via: "test",
        code: 550,
        detail: "550 5.1.1 user unknown",
        addressInvalid: true,
      } as const;
      return { kind: "bounced", reply };
    },
    close: () => undefined,
  };
  const deliver = createDeliver({
    checkSuppression: createCheckSuppression({ suppressions: from.acrossAccounts.suppressions, clock }),
    suppressionMs: 1_000_000,
    loadBody: createLoadBody({ contents: from.acrossAccounts.contents }),
    findPolicy: async (accountId, name) => ({
      _id: "p",
      accountId,
      name,
      default: true,
      transports: [{ kind: "sandbox" }],
      updatedAt: now,
    }),
    findSigners: async () => [],
    returnPathOf: (message) => message.from,
    unsubscribeUrl: undefined,
    trackHtml: undefined,
    transportFor: () => transport,
    clock,
    maxAgeMs: 1_000_000,
    maxHops: 100,
    retentionMs: 1_000_000,
  });
  return { deliver, offered: () => offered };
}

/** A result under the first lease of its partition. */
function fenced(result: AttemptResult): FencedResult {
  return { ...result, transition: { ...result.transition, epoch: 1 } };
}

async function recorded(messageId: string, address: string) {
  const message = await store.acrossAccounts.messages.findById(messageId);
  return {
    state: message?.state,
    attempts: message?.attempts,
    events: (await store.acrossAccounts.events.listOfMessage(messageId)).map(({ kind }) => kind),
    suppressions: (
      await store.acrossAccounts.suppressions.findAmong(
        [{ accountId: "acc_1", addressKey: address }],
        clock.now(),
      )
    ).documents.map(({ createdAt }) => createdAt),
  };
}

it("repeats a hard bounce harmlessly after a crash at any step between suppression and state", async () => {
  const { deliver, offered } = refusingDeliver(store);
  for (const steps of [0, 1, 2]) {
    const address = `crash-${steps}@example.net`;
    const message = await storeMessage(address);
    const before = await deliver(message, { body: { kind: "composed", content } });
    if (before.suppression && steps > 0) {
      await store.forAccount(message.accountId).suppressions.add(before.suppression, testAudit);
    }
    if (steps > 1) await store.acrossAccounts.events.insertMissing([before.event]);
    // The next process begins with the present state of the list.
    const again = await deliver(message, { body: { kind: "composed", content } });
    await createRecordResults({ store, storeNotices: async () => undefined }).record(fenced(again));
    expect(await recorded(message._id, address)).toEqual({
      state: "bounced",
      attempts: 1,
      events: ["bounced"],
      suppressions: [expect.any(Date)],
    });
  }
  // Before the suppression was written, the server alone knew.
  expect(offered()).toBe(4);
});

it("records the same result twice as once", async () => {
  const message = await storeMessage("twice@example.net");
  const result = await refusingDeliver(store).deliver(message, { body: { kind: "composed", content } });
  const results = createRecordResults({ store, storeNotices: async () => undefined });
  await Promise.all([results.record(fenced(result)), results.record(fenced(result))]);
  const after = await recorded(message._id, "twice@example.net");
  expect(after).toEqual({
    state: "bounced",
    attempts: 1,
    events: ["bounced"],
    suppressions: [result.event.at],
  });
});

it("a damaged message keeps no other result from being recorded", async () => {
  const { deliver } = refusingDeliver(store);
  const names = ["whole", "damaged", "untold", "other"];
  const messages = await Promise.all(names.map((name) => storeMessage(`${name}@example.net`)));
  const results = await Promise.all(
    messages.map((message) => deliver(message, { body: { kind: "composed", content } })),
  );
  // Its end has passed: the check did not find it.
  const [accountId, addressKey] = ["acc_1", "damaged@example.net"];
  const ended = {
    createdAt: new Date(0),
    expireAt: new Date(1),
    reason: "hard_bounce",
    detail: "Damaged",
  } as const;
  await store
    .forAccount(accountId)
    .suppressions.add({ addressKey, address: addressKey, ...ended }, testAudit);
  await damage(opened.db, "suppressions", `${accountId}:${addressKey}:`, invalidUtf8("Damaged"));
  const record = createRecordResults({
    store,
    storeNotices: async (notices) => {
      if (notices.length > 0) throw new TypeError("no such thing");
    },
  });
  const settled = await Promise.allSettled(
    results.map((result, index) =>
      record.record({ ...fenced(result), ...(names[index] === "untold" && { notice: {} as never }) }),
    ),
  );
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  const states = await Promise.all(messages.map(({ _id }) => store.acrossAccounts.messages.findById(_id)));
  expect(states.map((message) => message?.state)).toEqual(["bounced", "bounced", "queued", "bounced"]);
  const { documents } = await store.acrossAccounts.suppressions.findAmong(
    [{ accountId, addressKey }],
    clock.now(),
  );
  expect(documents).toMatchObject([{ reason: "hard_bounce", messageId: messages[1]?._id }]);
  // The earlier entry may have had no end.
  expect(documents[0]).not.toHaveProperty("expireAt");
});

it("defers an attempt while the list is unavailable: no server is contacted", async () => {
  const away = await openTestStore();
  const { deliver, offered } = refusingDeliver(createStore(away.db, testSealing));
  await away.close();
  const message = await storeMessage("away@example.net");
  await expect(deliver(message, { body: { kind: "composed", content } })).rejects.toMatchObject({
    code: "store.unavailable",
  });
  expect(offered()).toBe(0);
});

/** One successful attempt of each of these messages. */
function delivered(messages: readonly MessageDocument[], category?: string): FencedResult[] {
  return messages.map((message) => {
    const { _id: messageId, bucket, accountId, traceId } = message;
    const _id = `${messageId}.1.delivered`;
    const happened = { messageId, accountId, traceId, kind: "delivered", attempt: 1, at: now, expireAt };
    const transition = {
      messageId,
      bucket,
      to: "delivered",
      attempts: 1,
      at: now,
      epoch: 1,
    };
    return {
      message,
      event: { ...happened, _id },
      transition: { ...transition, ...(category !== undefined && { category }) },
      feedback: "accepted",
    } as FencedResult;
  });
}
const expireAt = new Date(now.getTime() + 3_600_000);
const storeMessages = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => storeMessage(`well-${n}@example.net`)));
const record = (from: Store, results: readonly FencedResult[], storeNotices = async () => undefined) => {
  const recording = createRecordResults({ store: from, storeNotices });
  return Promise.allSettled(results.map((result) => recording.record(result)));
};
/** Number of events of a message, and its state. */
async function stateOf({ _id }: MessageDocument): Promise<string> {
  const events = await store.acrossAccounts.events.listOfMessage(_id);
  return `${events.length} ${(await store.acrossAccounts.messages.findById(_id))?.state}`;
}

describe.each([
  { form: "alone", isPart: false },
  { form: "as parts of messages", isPart: true },
])("events, stored $form, and their states", ({ isPart }) => {
  const applied = { status: "fulfilled", value: { applied: true, attempts: 1 } };
  beforeAll(async () => {
    const schema = opened.db.collection<{ _id: string; state: string }>("schema");
    if (!isPart) await schema.insertOne({ _id: "migration.11", state: "waiting" });
    else await schema.deleteOne({ _id: "migration.11" });
    store = createStore(opened.db, testSealing);
  });

  it("are written by one command", async () => {
    const messages = await storeMessages(3);
    // The journal must be loaded.
    await record(store, delivered(await storeMessages(1)));
    const sent: string[] = [];
    const note = ({ commandName, command }: CommandStartedEvent) =>
      sent.push(`${commandName} ${commandName === "bulkWrite" ? command.ops.length : command[commandName]}`);
    opened.db.client.on("commandStarted", note);
    expect(await record(store, delivered(messages))).toEqual([applied, applied, applied]);
    opened.db.client.off("commandStarted", note);
    const together = [isPart ? "bulkWrite 3" : "bulkWrite 6"];
    const apart = isPart ? ["update messages"] : ["insert events", "update messages"];
    const written = sent.filter((name) => name !== "find schema");
    expect(written).toEqual((await isSpoken()) ? together : apart);
    expect(await Promise.all(messages.map(stateOf))).toEqual(messages.map(() => "1 delivered"));
  });

  it("are written in order on a server that has no command for both", async () => {
    const messages = await storeMessages(2);
    const former = createStore(ofFormerServer(opened.db), testSealing);
    expect(await record(former, delivered(messages))).toEqual([applied, applied]);
    expect(await Promise.all(messages.map(stateOf))).toEqual(["1 delivered", "1 delivered"]);
  });

  it.skipIf(isPart)("are complete after a crash that left some of the events", async () => {
    const messages = await storeMessages(4);
    const results = delivered(messages);
    const [, second, , last] = results as [FencedResult, FencedResult, FencedResult, FencedResult];
    await store.acrossAccounts.events.insertMissing([second.event, last.event]);
    expect(await record(store, results)).toEqual([applied, applied, applied, applied]);
    expect(await Promise.all(messages.map(stateOf))).toEqual(messages.map(() => "1 delivered"));
  });

  it.skipIf(isPart)("are added to the journal if they are new", async () => {
    const results = delivered(await storeMessages(4));
    const events = results.map(({ event }) => event);
    const { queue } = store.acrossAccounts;
    await store.acrossAccounts.events.insertMissing(events.slice(1, 2));
    const told: string[] = [];
    const settle = (isStored: ((id: string) => boolean) | "doubt") => {
      if (told.length > 0) return;
      told.push(...events.map(({ _id }) => (isStored === "doubt" ? "doubt" : String(isStored(_id)))));
    };
    const announced = { written: Promise.resolve(), journalOf: () => "jnw_1:0", settle };
    const transitions = results.map(({ transition }) => transition);
    expect(await queue.applyWithEvents(transitions, events, announced)).toBe(4);
    expect(told).toEqual(["true", "false", "true", "true"]);
  });

  it("do not affect each other: an unwritable message keeps no other from being written", async () => {
    const apart = await openTestStore();
    const other = createStore(apart.db, testSealing);
    await apart.db
      .collection("messages")
      .createIndex(
        { category: 1 },
        { unique: true, partialFilterExpression: { category: { $exists: true } } },
      );
    const messages = Array.from({ length: 3 }, () => queuedMessage(now));
    await other.acrossAccounts.messages.insertMany(messages);
    const [first, second, third] = messages as [MessageDocument, MessageDocument, MessageDocument];
    const results = [...delivered([first, second], "mailbox_full"), ...delivered([third])];
    expect((await record(other, results)).map(({ status }) => status)).toContain("rejected");
    const found = await other.acrossAccounts.messages.findByIds(messages.map(({ _id }) => _id));
    expect(found.map(({ state }) => state).sort()).toEqual(["delivered", "delivered", "queued"]);
    await apart.close();
  });

  it("come after the notices about them", async () => {
    const [message] = (await storeMessages(1)) as [MessageDocument];
    const seen: string[] = [];
    const [result] = delivered([message]) as [FencedResult];
    const storeNotices = async () => void seen.push(await stateOf(message));
    expect(await record(store, [{ ...result, notice: {} as never }], storeNotices)).toEqual([applied]);
    expect([...seen, await stateOf(message)]).toEqual(["0 queued", "1 delivered"]);
  });

  it.each(["before", "after"] as const)(
    "are never in the wrong order, and at most once, if the process ends %s any write",
    async (time) => {
      for (let nth = 1, reached = true; reached; nth++) {
        const messages = await storeMessages(2);
        const results = delivered(messages);
        const failing = failingDb(opened.db, nth, time, true);
        await record(createStore(failing.db, testSealing), results);
        reached = failing.failed();
        for (const state of await Promise.all(messages.map(stateOf)))
          expect(["0 queued", "1 queued", "1 delivered"]).toContain(state);
        expect(await record(store, results)).toEqual([applied, applied]);
        expect(await Promise.all(messages.map(stateOf))).toEqual(["1 delivered", "1 delivered"]);
      }
    },
  );
});

const isSpoken = async () => (await opened.db.command({ hello: 1 })).maxWireVersion >= 25;

/** The database, with the version of MongoDB 7. */
function ofFormerServer(db: Db): Db {
  return new Proxy(db, {
    get: (_, name) => {
      if (name === "command") return async () => ({ maxWireVersion: 21 });
      if (name === "client")
        return new Proxy(db.client, {
          get: (client, method) => (method === "bulkWrite" ? undefined : bound(client, method)),
        });
      return bound(db, name);
    },
  });
}

function bound<T extends object>(target: T, name: string | symbol): unknown {
  const value = Reflect.get(target, name, target) as unknown;
  return typeof value === "function" ? value.bind(target) : value;
}
