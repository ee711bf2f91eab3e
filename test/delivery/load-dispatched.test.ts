import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createLoadDispatched } from "../../src/delivery/queue/load-dispatched.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { type AcrossAccounts, createStore } from "../../src/store/store.ts";
import { messageDocument } from "../harness/message-document.ts";
import { testSealing } from "../harness/sealing.ts";
import { createSignal } from "../harness/signal.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const now = new Date(Date.UTC(2030, 0, 1));
const clock = { now: () => now, monotonicMs: () => 0 };
const log = createLogger("silent");

let opened: TestStore;
let messages: AcrossAccounts["messages"];

beforeAll(async () => {
  opened = await openTestStore();
  ({ messages } = createStore(opened.db, testSealing).acrossAccounts);
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.db.collection("messages").deleteMany({});
});

async function stored(_id: string, changes: Partial<MessageDocument> = {}): Promise<void> {
  await messages.insertMany([messageDocument({ _id, nextAttemptAt: now, ...changes })]);
}

it("offers the messages that wait for their first attempt, loaded together", async () => {
  await stored("msg_1");
  await stored("msg_2", { nextAttemptAt: new Date(now.getTime() - 1_500) });
  await stored("msg_scheduled", { state: "scheduled" });
  await stored("msg_deferred", { state: "deferred", attempts: 1 });
  await stored("msg_later", { nextAttemptAt: new Date(now.getTime() + 60_000) });
  await stored("msg_unwanted", { cancelRequestedAt: now });
  await stored("msg_last");
  const offered = createSignal<string>();
  let queries = 0;
  const loadDispatched = createLoadDispatched({
    messages: {
      findByIds: (ids) => {
        queries++;
        return messages.findByIds(ids);
      },
    },
    receive: ({ _id }) => offered.tell(_id),
    clock,
    log,
  });
  loadDispatched(["msg_1", "msg_2", "msg_scheduled", "msg_deferred", "msg_later", "msg_unwanted"]);
  loadDispatched(["msg_missing", "msg_last"]);
  await offered.until(3);
  expect(offered.seen.toSorted()).toEqual(["msg_1", "msg_2", "msg_last"]);
  expect(queries).toBe(1);
});

it("offers messages that a core with a fast clock has accepted", async () => {
  const ahead = new Date(now.getTime() + 240_000);
  await stored("msg_ahead", { createdAt: ahead, nextAttemptAt: ahead });
  await stored("msg_held", {
    createdAt: ahead,
    nextAttemptAt: new Date(ahead.getTime() + 60_000),
    held: true,
  });
  const offered = createSignal<string>();
  const loadDispatched = createLoadDispatched({
    messages,
    receive: ({ _id }) => offered.tell(_id),
    clock,
    log,
  });
  loadDispatched(["msg_held", "msg_ahead"]);
  await offered.until(1);
  expect(offered.seen).toEqual(["msg_ahead"]);
});

it("leaves messages that it cannot load to polling, and continues", async () => {
  await stored("msg_1");
  const offered = createSignal<string>();
  const failed = createSignal();
  const loadDispatched = createLoadDispatched({
    messages: {
      findByIds: async (ids) => {
        if (failed.seen.length > 0) return messages.findByIds(ids);
        failed.tell();
        throw new Error("the store is away");
      },
    },
    receive: ({ _id }) => offered.tell(_id),
    clock,
    log,
  });
  loadDispatched(["msg_1"]);
  await failed.until(1);
  expect(offered.seen).toEqual([]);
  loadDispatched(["msg_1"]);
  await offered.until(1);
  expect(offered.seen).toEqual(["msg_1"]);
});
