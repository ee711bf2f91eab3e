import type { Db } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JournalDocument } from "../../src/store/journal/journal-documents.ts";
import { createDeliveryNotes } from "../../src/store/journal/note-deliveries.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
beforeEach(async () => {
  opened = await openTestStore();
});
afterEach(() => opened.close());

const now = new Date();
const delivery = (endpointId: string, accountId = "acc_1") => ({ accountId, endpointId });
const journal = () => opened.db.collection<JournalDocument>("journal");
async function noted(): Promise<string[]> {
  const documents = await journal().find().sort({ _id: 1 }).toArray();
  return documents.flatMap(({ resources = [] }) =>
    resources.map(({ accountId, kind, id }) => `${accountId} ${kind} ${id}`),
  );
}

describe("notes of webhook deliveries", () => {
  it("name each endpoint once, with its account, in one document", async () => {
    const notes = createDeliveryNotes(opened.db);
    notes.note([delivery("wep_1"), delivery("wep_2", "acc_2")]);
    for (let n = 0; n < 5_000; n++) notes.note([delivery("wep_1")]);
    await notes.write(now);
    expect(await noted()).toEqual(["acc_1 webhook wep_1", "acc_2 webhook wep_2"]);
    expect(await journal().countDocuments()).toBe(1);
    await notes.write(now);
    expect(await journal().countDocuments()).toBe(1);
  });

  it("are split into documents of bounded size", async () => {
    const notes = createDeliveryNotes(opened.db);
    notes.note(Array.from({ length: 12_000 }, (_, n) => delivery(`wep_${n}`)));
    await notes.write(now);
    const documents = await journal().find().toArray();
    expect(documents.map(({ resources }) => resources?.length)).toEqual(Array(10).fill(1_000));
  });

  it("are written by the next call if the store was unavailable", async () => {
    let isAway = true;
    const collection = opened.db.collection("journal");
    const { insertMany } = collection;
    collection.insertMany = async (...args: Parameters<typeof insertMany>) => {
      if (isAway) throw new Error("the store is away");
      return insertMany.apply(collection, args);
    };
    const failing = Object.assign(Object.create(opened.db) as Db, {
      collection: (name: string) => (name === "journal" ? collection : opened.db.collection(name)),
    });
    const notes = createDeliveryNotes(failing);
    notes.note([delivery("wep_1")]);
    await expect(notes.write(now)).rejects.toThrow();
    notes.note([delivery("wep_2")]);
    isAway = false;
    await notes.write(now);
    expect((await noted()).toSorted()).toEqual(["acc_1 webhook wep_1", "acc_1 webhook wep_2"]);
  });
});
