import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { messageDocument } from "../harness/message-document.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => void (await opened.db.collection("messages").deleteMany({})));

const count = () => opened.db.collection("messages").countDocuments();
const submission = (name: string, first: Partial<MessageDocument> = {}): MessageDocument[] =>
  [0, 1, 2].map((n) =>
    messageDocument({ _id: `msg_${name}_${n}`, traceId: `sx_${name}`, ...(n === 0 && first) }),
  );

it("stores all messages of a submission", async () => {
  expect(await store.acrossAccounts.messages.insertTogether(submission("a"))).toBe("stored");
  const listed = await store.forAccount(messageDocument().accountId).messages.listByTraceId("sx_a");
  expect(listed.map(({ _id }) => _id)).toEqual(["msg_a_0", "msg_a_1", "msg_a_2"]);
});

it("stores none of them if one id is already used", async () => {
  await store.acrossAccounts.messages.insertMany([messageDocument({ _id: "msg_b_2" })]);
  expect(await store.acrossAccounts.messages.insertTogether(submission("b"))).toBe("taken");
  expect(await count()).toBe(1);
});

it("stores none of them if the idempotency key is taken", async () => {
  const idempotent = { operation: "smtp.submit", idempotencyKey: "once", fingerprint: "f" };
  expect(await store.acrossAccounts.messages.insertTogether(submission("c", idempotent))).toBe("stored");
  expect(await store.acrossAccounts.messages.insertTogether(submission("d", idempotent))).toBe("taken");
  expect(await count()).toBe(3);
});

it("gives a key to exactly one of several concurrent submissions, and stores all messages of it or none", async () => {
  const idempotent = { operation: "smtp.submit", idempotencyKey: "race", fingerprint: "f" };
  const names = Array.from({ length: 6 }, (_, n) => `race${n}`);
  const outcomes = await Promise.all(
    names.map((name) => store.acrossAccounts.messages.insertTogether(submission(name, idempotent))),
  );
  expect(outcomes.filter((outcome) => outcome === "stored")).toHaveLength(1);
  expect(await count()).toBe(3);
});
