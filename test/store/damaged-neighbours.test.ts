import { BSON, type Document } from "mongodb";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { hasClearSecrets, missingSecretKeys } from "../../src/store/sealing/missing-keys.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";
import { accountId, storeCalls } from "../harness/store-calls.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const NOTE = "damaged!";

let opened: TestStore;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const { name } of await opened.db.listCollections().toArray()) {
    await opened.db.collection(name).deleteMany({});
  }
});

/** Damages a stored text with invalid UTF-8 and, if the store allows it, a nested document with invalid BSON. */
async function spoil(collection: string, _id: unknown): Promise<void> {
  await damage(opened.db, collection, _id, (bytes) => {
    const fields = { ...BSON.deserialize(bytes), note: NOTE, more: { inmost: "value" } };
    const edited = Buffer.from(BSON.serialize(fields));
    invalidUtf8(NOTE)(edited);
    // A MongoDB server rejects it.
    if (!process.env.MONGODB_URL) edited.writeInt32LE(999, edited.indexOf("inmost\0") + 7);
    return edited;
  });
}

/** The failing functions among all functions of the store. */
async function failing(): Promise<Record<string, string>> {
  const failed: Record<string, string> = {};
  const calls: typeof storeCalls = {
    ...storeCalls,
    missingSecretKeys: () => missingSecretKeys(opened.db, testSealing),
    hasClearSecrets: () => hasClearSecrets(opened.db),
  };
  for (const [name, call] of Object.entries(calls)) {
    await call(store).catch((error) => {
      failed[name] = error.message;
    });
  }
  return failed;
}

/** Adds a document of another account to every collection, consistent with the indexes. */
async function insertOthers(): Promise<void> {
  for (const { name } of await opened.db.listCollections().toArray()) {
    if (name === "accounts" || name === "installation") continue;
    const known = (await opened.db.collection(name).findOne({})) ?? {};
    const other: Document = {
      ...known,
      _id: name === "partitions" ? 50 : `0-${name}`,
      accountId: "acc_other",
    };
    for (const field of ["hash", "tokenHash", "email", "traceId", "idempotencyKey"]) {
      if (field in other) other[field] = `other ${other[field]}`;
    }
    await opened.db.collection(name).insertOne(other as never);
    await spoil(name, other._id);
  }
}

// Three runs of all functions in sequence take minutes on a slow disk.
const LIMIT_MS = 900_000;

it("serves every function of the store despite a damaged document of another account", {
  timeout: LIMIT_MS,
}, async () => {
  expect(await failing()).toEqual({});
  // Some insert documents that exist now.
  const before = await failing();
  await insertOthers();
  await spoil("accounts", accountId);
  const more = Object.entries(await failing()).filter(([name]) => !(name in before));
  expect(more.map(([name, message]) => `${name}: ${message}`).join("\n")).toBe("");
});
