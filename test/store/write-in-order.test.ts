import { MongoClient, ObjectId } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isFull } from "../../src/store/store-fault.ts";
import { createWriteInOrder, type EngineChannel, type WriteInOrder } from "../../src/store/write-in-order.ts";
import { messageOf, type RunningEngine, startEngine } from "../engine/harness.ts";

let engine: RunningEngine;
let client: MongoClient;

beforeEach(async () => {
  engine = await startEngine();
  client = await MongoClient.connect(engine.url, { serverSelectionTimeoutMS: 500 });
});
afterEach(async () => {
  await client.close();
  await engine.close();
});

const all = (collection: string) => client.db("ordered").collection(collection).find().sort("_id").toArray();

describe.each([["by the driver"], ["by messages to the engine"]])("writes in order, %s,", (way) => {
  let inOrder: WriteInOrder;

  beforeEach(() => {
    inOrder = createWriteInOrder(client.db("ordered"), way === "by the driver" ? undefined : engine.channel);
  });

  it("are executed in several collections", async () => {
    expect(await inOrder.isSpoken()).toBe(true);
    const document = {
      _id: new ObjectId(),
      at: new Date(5),
      bytes: new Uint8Array([1, 2]),
      none: null,
      list: [1, "ä", 2 ** 40, 0.5],
    };
    const inserted = await inOrder.write([
      { collection: "a", document: { ...document, missing: undefined } },
      { collection: "b", document: { _id: 1 as never, n: 1 } },
    ]);
    expect(inserted).toEqual({ matched: 0 });
    const updated = await inOrder.write([
      { collection: "b", filter: { _id: 1 }, update: { $inc: { n: 1 }, $set: { missing: undefined } } },
      { collection: "b", filter: { _id: 2 }, update: { $set: { n: 9 } } },
      { collection: "b", document: { _id: 3 as never } },
    ]);
    expect(updated).toEqual({ matched: 1 });
    expect(await all("b")).toEqual([{ _id: 1, n: 2 }, { _id: 3 }]);
    const [stored] = await all("a");
    expect({ ...stored, bytes: [...(stored?.bytes.buffer ?? [])] }).toEqual({ ...document, bytes: [1, 2] });
  });

  it("end at the first refused write, and return its position", async () => {
    const writes = ["x", "y", "x", "z"].map((_id) => ({ collection: "a", document: { _id: _id as never } }));
    const change = { collection: "a", filter: { _id: "x" }, update: { $set: { n: 1 } } };
    await inOrder.write(writes.slice(0, 1));
    const { matched, refused } = await inOrder.write([change, ...writes.slice(1)]);
    expect([matched, refused?.position, refused?.error.code]).toEqual([1, 2, 11000]);
    expect(refused?.error.message).toMatch(/^E11000 duplicate key error collection: ordered\.a /);
    expect(await all("a")).toEqual([{ _id: "x", n: 1 }, { _id: "y" }]);
  });

  it("change nothing if the command is refused", async () => {
    const writes = ["a", "", "c"].map((collection) => ({ collection, document: { _id: 1 as never } }));
    await expect(inOrder.write(writes)).rejects.toMatchObject({ code: "store.unavailable" });
    expect(await all("a")).toEqual([]);
  });

  it("are not executed by a stopped engine", async () => {
    await engine.close();
    const written = inOrder.write([{ collection: "a", document: { _id: 1 as never } }]);
    await expect(written).rejects.toMatchObject({ code: "store.unavailable" });
  });
});

it("reports a full disk like the driver", async () => {
  const channel: EngineChannel = {
    ask: async () => messageOf({ ok: 0, code: 14031, errmsg: "out of disk space: it is full" }),
  };
  const written = createWriteInOrder(client.db("ordered"), channel).write([]);
  const error = await written.catch((thrown) => thrown);
  expect([error.code, isFull(error)]).toEqual(["store.full", true]);
});
