import { BSON, type Db, type Document } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPartitions, type Deliveries, type Partitions } from "../../src/leases/partitions.ts";
import type { Clock } from "../../src/shared/clock.ts";
import { createLogger, type Logger } from "../../src/shared/logger.ts";
import { createPartitionStore, type PartitionStore } from "../../src/store/partition-store.ts";
import { createStore } from "../../src/store/store.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const PARTITIONS = 64;
const DAMAGED = 7;
/** Rounds after which a lease has expired that no worker renews or takes. */
const LEASE_ROUNDS = 4;

type Edit = (bytes: Buffer) => Buffer | undefined;

let opened: TestStore;
let db: Db;
let store: PartitionStore;
let nowMs: number;
let logged: Document[];
let told: string[];

const clock: Clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
const idle: Deliveries = {
  busy: () => false,
  claims: () => [],
  divide: () => undefined,
  hold: () => Promise.resolve(),
  lost: () => undefined,
};

beforeAll(async () => {
  opened = await openTestStore();
  db = opened.db;
  store = createPartitionStore(db, () => new Date(nowMs));
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const name of ["partitions", "workers", "messages"]) await db.collection(name).deleteMany({});
  nowMs = Date.UTC(2030, 0, 1);
  logged = [];
  told = [];
});

function notingLog(): Logger {
  const log = createLogger("silent");
  const note = (level: string) => (fields: Document) => void logged.push({ level, ...fields });
  return Object.assign(Object.create(log), { error: note("error"), warn: note("warn") });
}

function worker(name: string): Partitions {
  const onDamaged = (kind: string) => void told.push(kind);
  const workerId = `wrk_${name}`;
  return createPartitions({
    store,
    workerId,
    deliveries: idle,
    clock,
    log: notingLog(),
    onDamaged,
    partitionCount: PARTITIONS,
  });
}

async function rounds(count: number, ...workers: Partitions[]): Promise<void> {
  for (let i = 0; i < count; i++) {
    nowMs += 1_000;
    for (const one of workers) await one.round();
  }
}

const heldBy = (...workers: Partitions[]) => workers.flatMap((one) => one.held()).toSorted((a, b) => a - b);
const all = Array.from({ length: PARTITIONS }, (_, id) => id);
const others = all.filter((id) => id !== DAMAGED);

const changed =
  (fields: Document): Edit =>
  (bytes) =>
    Buffer.from(BSON.serialize({ ...BSON.deserialize(bytes), ...fields }, { ignoreUndefined: true }));

/** A field with a text that claims to end after the end of the document. */
const broken =
  (field: string): Edit =>
  (bytes) => {
    const edited = Buffer.from(BSON.serialize({ ...BSON.deserialize(bytes), [field]: { key: "value" } }));
    edited.writeInt32LE(99, edited.indexOf("key\0") + 4);
    return edited;
  };

const damages: Readonly<Record<string, [edit: Edit, reason: RegExp]>> = {
  "an owner that is not UTF-8": [invalidUtf8("wrk_"), /^owner: /],
  "no owner": [changed({ owner: undefined }), /^owner: /],
  "an epoch that is a text": [changed({ epoch: "seven" }), /^epoch: /],
  "an epoch that is no whole number": [changed({ epoch: Number.NaN }), /^epoch: /],
  "an epoch that is too large to count on": [changed({ epoch: 1e300 }), /^epoch: /],
  "no epoch": [changed({ epoch: undefined }), /^epoch: /],
  "an end that is a text": [changed({ expiresAt: "soon" }), /^expiresAt: /],
  "no end": [changed({ expiresAt: undefined }), /^expiresAt: /],
};

/** A MongoDB server refuses to store it: its files alone can have it. */
const ofFiles: typeof damages = process.env.MONGODB_URL
  ? {}
  : { "an end that is a broken document": [broken("expiresAt"), /^expiresAt: |InvalidBSON|Invalid BSON/] };

describe("an unreadable lease of a partition", () => {
  it.each(Object.entries({ ...damages, ...ofFiles }))(
    "for %s, is logged once and recreated; the other partitions continue",
    async (_, [edit, reason]) => {
      const a = worker("a");
      await rounds(2, a);
      const [before, beside] = [a.lease(DAMAGED), a.lease(0)];
      await damage(db, "partitions", DAMAGED, edit);
      await rounds(1, a);
      expect(heldBy(a)).toEqual(others);
      expect(logged).toMatchObject([
        { level: "error", partition: String(DAMAGED), reason: expect.stringMatching(reason) },
      ]);
      await rounds(LEASE_ROUNDS, a);
      expect(heldBy(a)).toEqual(all);
      expect(a.lease(DAMAGED)?.epoch).toBeGreaterThan(before?.epoch ?? Number.POSITIVE_INFINITY);
      expect(a.lease(0)).toBe(beside);
      await rounds(2, a);
      expect([heldBy(a), logged.length, told]).toEqual([all, 1, ["partition"]]);
      const stored = await db.collection<{ _id: number }>("partitions").findOne({ _id: DAMAGED });
      expect(stored).toMatchObject({
        owner: "wrk_a",
        epoch: a.lease(DAMAGED)?.epoch,
        expiresAt: expect.any(Date),
      });
    },
  );

  it.each(Object.entries({ ...damages, ...ofFiles }))(
    "for %s, belongs to no worker while its owner may still rely on it",
    async (_, [edit]) => {
      const [a, b] = [worker("a"), worker("b")];
      await rounds(3, b, a);
      expect(heldBy(a, b)).toEqual(all);
      const id = a.held()[5] ?? -1;
      await damage(db, "partitions", id, edit);
      // The owner does not check its leases.
      nowMs += 1_000;
      await b.round();
      expect([a.held().includes(id), b.held().includes(id)]).toEqual([true, false]);
      nowMs += 1_000;
      await b.round();
      expect(b.held()).not.toContain(id);
      await rounds(1 + LEASE_ROUNDS, a, b);
      expect(heldBy(a, b)).toEqual(all);
    },
  );

  it("when recreated, has an epoch above those of all claims", async () => {
    const { queue } = createStore(db, testSealing).acrossAccounts;
    const a = worker("a");
    await rounds(1, a);
    for (let i = 0; i < 3; i++) {
      await a.stop();
      await rounds(1, a);
    }
    const message = queuedMessage(new Date(nowMs), { partition: DAMAGED });
    await db.collection<{ _id: string }>("messages").insertOne(message);
    await queue.claim([{ ...message, epoch: a.lease(DAMAGED)?.epoch ?? 0 }], new Date(nowMs));
    await damage(db, "partitions", DAMAGED, changed({ epoch: undefined }));
    await rounds(1 + LEASE_ROUNDS, a);
    const epoch = a.lease(DAMAGED)?.epoch ?? 0;
    expect(await queue.claim([{ ...message, epoch }], new Date(nowMs))).toEqual(new Set([message._id]));
    // A missing lease is created in the same way.
    await db.collection<{ _id: number }>("partitions").deleteOne({ _id: DAMAGED });
    await rounds(2, a);
    expect(a.lease(DAMAGED)?.epoch).toBeGreaterThan(epoch);
  });

  it("with an invalid id is skipped, and logged once", async () => {
    await db
      .collection("partitions")
      .insertOne({ owner: "wrk_a", epoch: 1, expiresAt: new Date(nowMs + 3_000) });
    const a = worker("a");
    await rounds(3, a);
    expect([heldBy(a), logged.length, told]).toEqual([all, 1, ["partition"]]);
  });
});

it("a damaged number of partitions prevents no start", async () => {
  await store.raiseCount(PARTITIONS);
  await damage(db, "installation", "partitions", (bytes) => {
    const edited = Buffer.from(
      BSON.serialize({ ...BSON.deserialize(bytes), text: "damaged", note: { key: "value" } }),
    );
    invalidUtf8("damaged")(edited);
    if (!process.env.MONGODB_URL) edited.writeInt32LE(99, edited.indexOf("key\0") + 4);
    return edited;
  });
  expect([await store.count(), await store.raiseCount(PARTITIONS)]).toEqual([PARTITIONS, PARTITIONS]);
  expect(await store.raiseCount(2 * PARTITIONS)).toBe(2 * PARTITIONS);
  await db.collection("installation").deleteMany({});
});

const workerDamages: Readonly<Record<string, Edit>> = {
  "a field that is not UTF-8": (bytes) => {
    const edited = Buffer.from(BSON.serialize({ ...BSON.deserialize(bytes), note: "damaged" }));
    return invalidUtf8("damaged")(edited) ?? edited;
  },
  "an end that is a text": changed({ expiresAt: "soon" }),
  "no end": changed({ expiresAt: undefined }),
  "a claim that is not UTF-8": (bytes) => {
    const claims = [{ limit: "damaged", wants: 1, holds: 1 }];
    const edited = Buffer.from(BSON.serialize({ ...BSON.deserialize(bytes), claims }));
    return invalidUtf8("damaged")(edited) ?? edited;
  },
  "claims that are no list": changed({ claims: "everything", leaving: "soon" }),
  ...(process.env.MONGODB_URL ? {} : { "a field that is a broken document": broken("note") }),
};

describe("an unreadable announcement of a worker", () => {
  it.each(Object.entries(workerDamages))(
    "for %s, stops neither its worker nor the others",
    async (_, edit) => {
      const [a, b] = [worker("a"), worker("b")];
      await rounds(3, a, b);
      const before = [a.held().length, b.held().length];
      await damage(db, "workers", "wrk_a", edit);
      await rounds(1, b, a);
      await rounds(3, b, a);
      expect([a.held().length, b.held().length]).toEqual(before);
      expect(heldBy(a, b)).toEqual(all);
    },
  );

  it.each(Object.entries(workerDamages))("for %s, counts as dead when it is left behind", async (_, edit) => {
    const a = worker("a");
    await store.announceWorker("gone", 3_500);
    await damage(db, "workers", "gone", edit);
    await rounds(LEASE_ROUNDS + 1, a);
    expect(heldBy(a)).toEqual(all);
  });

  it("with an id that is not UTF-8 is skipped, and logged once", async () => {
    await store.announceWorker("gone", 3_500);
    await damage(db, "workers", "gone", invalidUtf8("gone"));
    const a = worker("a");
    await rounds(2, a);
    expect([heldBy(a), told]).toEqual([all, ["worker"]]);
  });
});
