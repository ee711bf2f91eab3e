import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { withNamedLock } from "../../src/store/named-lock.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());
const turns = () => opened.db.collection<{ _id: string; until: Date }>("installation");
beforeEach(async () => void (await turns().deleteMany({})));

it("never runs two at once, and runs each once", async () => {
  let running = 0;
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 4 }, () =>
      withNamedLock(opened.db, "indexes", async () => {
        seen.push(++running);
        await opened.db.command({ ping: 1 });
        running--;
      }),
    ),
  );
  expect(seen).toEqual([1, 1, 1, 1]);
});

it("passes the turn on after a failure, and after a crash of its holder", async () => {
  const failing = withNamedLock(opened.db, "indexes", () => Promise.reject(new Error("no room")));
  await expect(failing).rejects.toThrow("no room");
  expect(await withNamedLock(opened.db, "indexes", async () => "done")).toBe("done");
  await turns().updateOne({ _id: "indexes" }, { $set: { until: new Date(Date.now() - 1) } });
  expect(await withNamedLock(opened.db, "indexes", async () => "done")).toBe("done");
});

it("does not wait for a process with a clock that was ahead", async () => {
  await turns().insertOne({ _id: "indexes", until: new Date(Date.now() + 3_600_000) });
  expect(await withNamedLock(opened.db, "indexes", async () => "done")).toBe("done");
});
