import { create } from "@bufbuild/protobuf";
import { type Db, type FindCursor, MongoNetworkError } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ExportSuppressionsRequestSchema } from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { createExportSuppressions } from "../../src/core/suppressions/export-suppressions.ts";
import { fault } from "../../src/shared/fault.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { withoutUndefined } from "../../src/shared/without-undefined.ts";
import { readThroughOutage } from "../../src/store/read-through-outage.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const ACCOUNT = "acc_outage";
const MESSAGES = 1_200;
const START = Date.parse("2030-01-01T00:00:00.000Z");

let opened: TestStore;
/** Outcomes of the next cursor reads. Later ones succeed. */
let next: ("connection breaks" | "succeeds")[] = [];
let broken = 0;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  const { acrossAccounts, accounts } = createStore(opened.db, testSealing);
  await accounts.insert({ _id: ACCOUNT, name: "Acme", createdAt: new Date(START) }, testAudit);
  const messages = Array.from({ length: MESSAGES }, (_, index) => {
    const at = new Date(START + index * 1_000);
    const _id = newIdInBucket("msg", at, 1);
    const tags = index % 2 === 0 ? ["even"] : [];
    return queuedMessage(at, { _id, bucket: 1, accountId: ACCOUNT, tags });
  });
  await acrossAccounts.messages.insertMany(messages);
  await acrossAccounts.journal.fold(new Date(START + MESSAGES * 1_000));
  store = createStore(withBreaks(opened.db), testSealing);
});
afterAll(() => opened.close());
beforeEach(() => {
  next = [];
  broken = 0;
});

/** A database with breaking connections for all driver attempts of a read, if `next` requires it. */
function withBreaks(db: Db): Db {
  const breaking = <T>(read: () => Promise<T>): Promise<T> => {
    if (next.shift() !== "connection breaks") return read();
    broken++;
    return Promise.reject(new MongoNetworkError("connection 7 closed"));
  };
  const find = (cursor: FindCursor) => {
    const toArray = cursor.toArray.bind(cursor);
    const iterate = cursor[Symbol.asyncIterator].bind(cursor);
    return Object.assign(cursor, {
      toArray: () => breaking(toArray),
      [Symbol.asyncIterator]: async function* () {
        await breaking(async () => undefined);
        yield* { [Symbol.asyncIterator]: iterate };
      },
    });
  };
  return new Proxy(db, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (name !== "collection") return typeof value === "function" ? value.bind(target) : value;
      return (collection: string) => {
        const own = target.collection(collection);
        const wrapped = { value: (...args: Parameters<typeof own.find>) => find(own.find(...args)) };
        return Object.create(own, { find: wrapped });
      };
    },
  });
}

async function idsOf(tags?: string[]): Promise<string[]> {
  const ids: string[] = [];
  for await (const found of store.forAccount(ACCOUNT).messages.all(withoutUndefined({ tags })))
    ids.push(...found.map(({ _id }) => _id));
  return ids;
}

describe("a long read", () => {
  it.each([
    ["all messages", undefined],
    ["messages with a tag", ["even"]],
  ])("of %s has the same messages if connections break in between", async (_, tags) => {
    const whole = await idsOf(tags);
    expect(whole).toHaveLength(tags ? MESSAGES / 2 : MESSAGES);
    for (let at = 0; at < 6; at++) {
      broken = 0;
      next = [...Array<"succeeds">(at).fill("succeeds"), "connection breaks", "connection breaks"];
      expect(await idsOf(tags)).toEqual(whole);
      expect(broken).toBe(at < 4 ? 2 : broken);
    }
  });

  it("of suppressions continues in the same way", async () => {
    const at = new Date(START);
    const entries = Array.from({ length: 700 }, (_, index) => ({
      address: `user-${index}@example.net`,
      addressKey: `user-${index}@example.net`,
      reason: "manual" as const,
      createdAt: at,
    }));
    await store.forAccount(ACCOUNT).suppressions.addMany(entries, at, testAudit);
    const exportAll = createExportSuppressions({ store, clock: { now: () => at } });
    const context = { audit: testAudit, signal: new AbortController().signal };
    const asked = create(ExportSuppressionsRequestSchema, { accountId: ACCOUNT });
    const read = async (breaks: typeof next) => {
      const parts: Uint8Array[] = [];
      for await (const { data } of exportAll(asked, context)) {
        // The heading precedes the first page.
        if (parts.length === 0) next = [...breaks];
        if (data) parts.push(data);
      }
      return Buffer.concat(parts).toString();
    };
    const whole = await read([]);
    expect(whole.split("\r\n").length).toBeGreaterThan(entries.length);
    expect(await read(["succeeds", "connection breaks", "connection breaks"])).toBe(whole);
    expect(broken).toBe(2);
  });

  it("ends with the store's fault if the store stays unavailable", async () => {
    const away = () => Promise.reject(fault("store.unavailable", { internal: "there is no server" }));
    await expect(readThroughOutage(away, 0)).rejects.toMatchObject({ code: "store.unavailable" });
  });

  it("ends immediately for another fault", async () => {
    let reads = 0;
    const damaged = () => {
      reads++;
      return Promise.reject(fault("internal.error", { internal: "a page is damaged" }));
    };
    await expect(readThroughOutage(damaged)).rejects.toMatchObject({ code: "internal.error" });
    expect(reads).toBe(1);
  });
});
