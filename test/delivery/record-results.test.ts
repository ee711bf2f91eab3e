import { afterAll, beforeAll, expect, it } from "vitest";
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

/** One attempt, over a transport that refuses everything for good. */
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

/** As made under the first lease of its partition. */
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
    // The next process begins with what the list says by now.
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

it("what is damaged of one message keeps no other one's result from being recorded", async () => {
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
  // What was there may have been for ever.
  expect(documents[0]).not.toHaveProperty("expireAt");
});

it("puts an attempt off while the list cannot be asked: nothing is offered to a server", async () => {
  const away = await openTestStore();
  const { deliver, offered } = refusingDeliver(createStore(away.db, testSealing));
  await away.close();
  const message = await storeMessage("away@example.net");
  await expect(deliver(message, { body: { kind: "composed", content } })).rejects.toMatchObject({
    code: "store.unavailable",
  });
  expect(offered()).toBe(0);
});
