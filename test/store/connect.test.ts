import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import { connectStore, type StoreConnection } from "../../src/store/connect.ts";
import { type SharedStore, startSharedStore } from "../harness/shared-store.ts";
import { proxyMongoDb } from "../harness/tcp-proxy.ts";

const ANSWER_WITHIN_MS = 1_000;
const database = `hermod_test_${randomBytes(6).toString("hex")}`;
const log = createLogger("silent");

let shared: SharedStore;
let proxy: Awaited<ReturnType<typeof proxyMongoDb>>;
let connection: StoreConnection;

beforeAll(async () => {
  shared = await startSharedStore();
  const url = shared.settings.MONGODB_URL ?? "";
  proxy = await proxyMongoDb(url);
  connection = await connectStore({ url: proxy.url, database, log, answerWithinMs: ANSWER_WITHIN_MS });
});
afterAll(async () => {
  await connection.db.dropDatabase();
  await connection.close();
  await proxy.close();
  await shared.close();
});

it("does not wait forever for an answer on a silent connection, and writes once", async () => {
  const { db } = connection;
  const notes = db.collection<{ _id: number }>("notes");
  await notes.insertOne({ _id: 0 });
  proxy.swallow(["from the server"]);
  const answered = proxy.swallowed.next();
  const writing = notes.insertMany([{ _id: 1 }, { _id: 2 }], { ordered: false });
  await answered;
  // All other connections work, including new ones: only the waiting operation can notice.
  proxy.heal();
  expect(await writing).toMatchObject({ insertedCount: 2 });
  expect(await notes.countDocuments({})).toBe(3);
});
