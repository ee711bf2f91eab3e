import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import { placedEventsMigration } from "../../src/store/migrations/10-placed-events.ts";
import { createStore } from "../../src/store/store.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());

async function run(): Promise<void> {
  const progress = { cursor: undefined, done: 0, save: async () => undefined };
  const { signal } = new AbortController();
  await placedEventsMigration.run({ db: opened.db, progress, log: createLogger("silent"), signal });
}

const at = new Date("2026-01-02T03:04:05Z");
const changeOf = (n: number) => ({
  _id: `chg_${String(n).padStart(4, "0")}`,
  accountId: "acc_1",
  change: { eventId: `evt_${n}`, type: "suppression.deleted" as const, at, messageId: "" },
});

it("moves each waiting change once, in the order of the changes, and may run again", async () => {
  const { db } = opened;
  const former = db.collection<{ _id: string }>("unplacedChanges");
  const changes = Array.from({ length: 1_100 }, (_, n) => changeOf(n));
  await former.insertMany(changes);
  await run();
  expect(await db.listCollections({ name: "unplacedChanges" }).toArray()).toEqual([]);
  await run();
  // A process of the previous version that was suspended continues, and the migration runs once more.
  await former.insertOne(changeOf(1_100));
  await run();
  const { eventLog } = createStore(db, testSealing).acrossAccounts;
  await eventLog.place();
  const { documents } = await eventLog.list(0, 2_000);
  expect(documents.flatMap(({ events }) => events.map(({ eventId }) => eventId))).toEqual(
    [...changes, changeOf(1_100)].map(({ change }) => change.eventId),
  );
});

it("leaves the log of the previous version readable, with its positions", async () => {
  const { db } = opened;
  const store = createStore(db, testSealing).acrossAccounts.eventLog;
  const { last } = await store.bounds();
  const events = [{ id: "msg_1.1.delivered", type: "message.delivered", at }];
  await db.collection<{ _id: string }>("eventLog").insertOne({
    ...{ _id: String(last + 1).padStart(16, "0"), at, expireAt: new Date(Date.now() + 60_000) },
    ...{ groups: [{ accountId: "acc_1", events }] },
  } as { _id: string });
  const { documents } = await store.list(last, 10);
  expect(documents).toEqual([
    {
      _id: String(last + 1).padStart(16, "0"),
      events: [
        {
          ...{ eventId: "msg_1.1.delivered", type: "message.delivered", at },
          ...{ accountId: "acc_1", messageId: "msg_1" },
        },
      ],
    },
  ]);
});
