import fc from "fast-check";
import type { ClientSession, Db } from "mongodb";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createCountEvents } from "../../src/store/counters/count-events.ts";
import { type CountLimits, type CountLog, createCountLog } from "../../src/store/counters/count-log.ts";
import { createCounterWriter } from "../../src/store/counters/counter-writer.ts";
import { createSendingDays } from "../../src/store/counters/sending-days.ts";
import { eventPagesOf } from "../../src/store/journal/event-pages.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { createUndeliveredAlertStore } from "../../src/store/undelivered-alert-store.ts";
import { messageDocument } from "../harness/message-document.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { counted, recount } from "../harness/recount.ts";
import { repetitions } from "../harness/repetitions.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const TURN = "eventCountingTurn";
const POSITION = "eventCounting";
const DAY_MS = 86_400_000;
const ACCOUNTS = ["acc_a", "acc_b", "acc_c", "acc_d", "acc_e"];
/** So small that one range has several transactions. */
const SMALL: CountLimits = { events: 6, accounts: 2, eventsAtOnce: 4 };
const start = new Date();

let opened: TestStore;
let store: Store;
let number = 0;
beforeEach(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
  await opened.db.collection<{ _id: string }>("accounts").insertMany(ACCOUNTS.map((_id) => ({ _id })));
});
afterEach(() => opened.close());

const installation = () => opened.db.collection<{ _id: string }>("installation");

/** Accepts messages of these accounts, which get their place. */
async function place(accounts: readonly string[]): Promise<void> {
  const messages = accounts.map((accountId) => {
    const n = number++;
    const createdAt = new Date(start.getTime() + (n % 3) * 1_000);
    const _id = newIdInBucket("msg", createdAt, n % 65_536);
    return messageDocument({ _id, accountId, createdAt, idempotencyKey: `key ${n}` });
  });
  await store.acrossAccounts.messages.insertMany(messages);
  await store.acrossAccounts.journal.fold(start);
  await store.acrossAccounts.eventLog.place();
}

interface Counting {
  readonly log: CountLog;
  /** Called by each transaction, before its writes. */
  before: (session: ClientSession) => Promise<void>;
  readonly damaged: string[];
}

/** A process that counts in small steps. */
function newCounting(db: Db = opened.db): Counting {
  const counters = createCounterWriter(db, createSendingDays(db));
  const countEvents = createCountEvents({ counters, undeliveredAlerts: createUndeliveredAlertStore(db) });
  const damaged: string[] = [];
  const counting: Counting = {
    before: async () => undefined,
    damaged,
    log: createCountLog(
      db,
      async (session, happened) => {
        await counting.before(session);
        await countEvents(session, happened);
      },
      { limits: SMALL, onDamaged: (accountId) => void damaged.push(accountId) },
    ),
  };
  return counting;
}

/** Calls once, at the transaction with this number. */
function atTransaction(counting: Counting, nth: number, happen: (session: ClientSession) => Promise<void>) {
  let left = nth;
  counting.before = async (session) => {
    if (left-- === 0) await happen(session);
  };
}

async function expectRecount(): Promise<void> {
  expect(await counted(opened.db)).toEqual(await recount(opened.db));
}

const endTurn = () => installation().deleteOne({ _id: TURN });

it("counts each event once, whatever ends between two transactions", { timeout: 120_000 }, async () => {
  const accounts = fc.array(fc.constantFrom(...ACCOUNTS), { minLength: 1, maxLength: 12 });
  const step = fc.oneof(
    fc.record({ what: fc.constant("place" as const), accounts }),
    fc.record({
      what: fc.constantFrom("count", "both", "end", "lose", "overtake"),
      nth: fc.nat(4),
      by: fc.nat(1),
      isNew: fc.boolean(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const processes = [newCounting(), newCounting()];
      for (const one of steps) {
        if (one.what === "place") {
          await place(one.accounts);
          continue;
        }
        if (one.isNew) processes[one.by] = newCounting();
        const counting = processes[one.by] as Counting;
        const other = processes[1 - one.by] as Counting;
        if (one.what === "end")
          atTransaction(counting, one.nth, async () => {
            throw new Error("the process ends");
          });
        if (one.what === "lose")
          atTransaction(counting, one.nth, async (session) => {
            const commit = session.commitTransaction.bind(session);
            session.commitTransaction = async () => {
              await commit();
              throw new Error("the answer got lost");
            };
          });
        if (one.what === "overtake")
          atTransaction(counting, one.nth, async () => {
            await endTurn();
            await other.log.countSome().catch(() => undefined);
          });
        const others = one.what === "both" ? [other.log.countSome()] : [];
        await Promise.allSettled([counting.log.countSome(), ...others]);
        for (const each of processes) each.before = async () => undefined;
        await endTurn();
      }
      await newCounting().log.countSome();
      expect(await installation().findOne({ _id: POSITION })).not.toHaveProperty("through");
      await expectRecount();
    }),
    { numRuns: repetitions(25, 100) },
  );
});

it("goes on with the next account of a range after a restart", async () => {
  await place(ACCOUNTS);
  const ending = newCounting();
  atTransaction(ending, 1, async () => {
    throw new Error("the process ends");
  });
  await expect(ending.log.countSome()).rejects.toMatchObject({ code: "store.unavailable" });
  const position = { counted: 0, through: 1, account: "acc_b" };
  expect(await installation().findOne({ _id: POSITION })).toMatchObject(position);
  const next = newCounting();
  let transactions = 0;
  next.before = async () => void transactions++;
  await place(["acc_a"]);
  await next.log.countSome();
  // c and d, then e, then the range of the later place.
  expect(transactions).toBe(3);
  await expectRecount();
});

it("counts a backlog of many places in ranges of limited size", async () => {
  for (let n = 0; n < 12; n++) await place(["acc_a", "acc_b"]);
  const counting = newCounting();
  const ranges: number[] = [];
  counting.before = async () => {
    const position = await installation().findOne<{ counted: number }>({ _id: POSITION });
    ranges.push(position?.counted ?? -1);
  };
  await counting.log.countSome();
  // Three places have the six events of a range.
  expect([...new Set(ranges)]).toEqual([0, 3, 6, 9]);
  await expectRecount();
});

it("counts an account with many events alone", async () => {
  await place([...Array(9).fill("acc_a"), "acc_b"]);
  await newCounting().log.countSome();
  await expectRecount();
});

it("leaves out only the account with a damaged document, and names it", async () => {
  await place(ACCOUNTS);
  await newCounting().log.countSome();
  const before = await recount(opened.db);
  const counters = opened.db.collection<{ _id: string; accountId: string; step: string }>("counters");
  const ofDay = { accountId: "acc_d", step: "day" };
  const day = await counters.findOneAndUpdate(ofDay, { $set: { "key.vkey_test.note": "about" } });
  await damage(opened.db, "counters", day?._id ?? "", invalidUtf8("about"));
  await place(ACCOUNTS);
  const counting = newCounting();
  await counting.log.countSome();
  expect(counting.damaged).toEqual(["acc_d"]);
  const expected = await recount(opened.db);
  for (const key of Object.keys(expected))
    if (key.startsWith("acc_d")) {
      const former = before[key];
      if (former === undefined) delete expected[key];
      else expected[key] = former;
    }
  expect(await counted(opened.db)).toEqual(expected);
});

it("skips places that have expired, and pages that are damaged", async () => {
  const log = opened.db.collection<{ _id: string; page?: string }>("eventLog");
  await place(["acc_a"]);
  await place(["acc_b"]);
  const [first] = await log.find().sort({ _id: 1 }).toArray();
  await damage(opened.db, "eventPages", first?.page ?? "", invalidUtf8("jnw_"));
  await installation().updateOne({ _id: "eventLog" }, { $inc: { last: 3 } });
  const { eventLog } = store.acrossAccounts;
  await newCounting().log.countSome();
  expect(await installation().findOne({ _id: POSITION })).toEqual({ _id: POSITION, counted: 5 });
  expect(await eventLog.firstUncounted()).toBeUndefined();
});

it("keeps uncounted pages, however old, and removes them when they are counted", async () => {
  await place(ACCOUNTS);
  await store.acrossAccounts.journal.close(start);
  const later = new Date(start.getTime() + 30 * DAY_MS);
  const recover = () =>
    createStore(opened.db, testSealing).acrossAccounts.journal.recover(later, () => later);
  for (let turn = 0; turn < 3; turn++) await recover();
  expect(await eventPagesOf(opened.db).countDocuments()).toBe(1);
  await expectRecount();
  await recover();
  expect(await eventPagesOf(opened.db).countDocuments()).toBe(0);
});

it("says since when events wait to be counted", async () => {
  const { eventLog } = store.acrossAccounts;
  expect(await eventLog.firstUncounted()).toBeUndefined();
  await place(["acc_a"]);
  const [placed] = await opened.db.collection<{ _id: string; at: Date }>("eventLog").find().toArray();
  expect(await eventLog.firstUncounted()).toEqual(placed?.at);
  await newCounting().log.countSome();
  expect(await eventLog.firstUncounted()).toBeUndefined();
});
