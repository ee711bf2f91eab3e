import { describe, expect, it } from "vitest";
import { systemClock } from "./clock.ts";
import { type BatchOptions, createNaturalBatch } from "./natural-batch.ts";

type Limits = Omit<BatchOptions<number, number>, "run" | "sizeOf">;

function recorder(limits: Partial<Limits> = {}) {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const batch = createNaturalBatch<number, number>({
    run: async (items) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => gates.push(resolve));
      return items.map((item) =>
        item < 0 ? { ok: false, error: new Error("negative") } : { ok: true, value: item * 2 },
      );
    },
    sizeOf: (item) => Math.abs(item),
    maxItems: 100,
    maxSize: 1000,
    maxConcurrent: 1,
    ...limits,
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
  const open = async () => {
    gates.shift()?.();
    await turn();
  };
  return { batch, batches, turn, open };
}

describe("a natural batch", () => {
  it("takes many items of one caller without Node's warning of a leak, which would be in the log", async () => {
    const { batch, turn, open } = recorder();
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    const { signal } = new AbortController();
    const all = Array.from({ length: 30 }, (_, item) => batch.submit(item, 0, signal));
    await turn();
    await open();
    await Promise.all(all);
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("sends a single item at once, and then all items that arrived during its batch", async () => {
    const { batch, batches, turn, open } = recorder();
    const first = batch.submit(1);
    await turn();
    const others = [batch.submit(2), batch.submit(3)];
    await turn();
    expect(batches).toEqual([[1]]);
    await open();
    expect(batches).toEqual([[1], [2, 3]]);
    await open();
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6]);
  });

  it("keeps within its limits of number, size and batches at once, and lets an oversized item go alone", async () => {
    const { batch, batches, turn } = recorder({ maxItems: 2, maxSize: 50, maxConcurrent: 10 });
    for (const item of [1, 2, 3, 49, 5, 80]) void batch.submit(item);
    await turn();
    expect(batches).toEqual([[1, 2], [3], [49], [5], [80]]);
  });

  it("removes an item if its caller no longer waits, and keeps the others", async () => {
    const { batch, batches, turn, open } = recorder();
    const gone = new AbortController();
    const first = batch.submit(1, 0, gone.signal);
    await turn();
    const leaves = batch.submit(2, 0, gone.signal);
    const stays = batch.submit(3, 0, new AbortController().signal);
    const late = new Error("too late");
    gone.abort(late);
    await expect(leaves).rejects.toBe(late);
    await expect(batch.submit(4, 0, gone.signal)).rejects.toBe(late);
    await open();
    expect(batches).toEqual([[1], [3]]);
    await open();
    expect(await Promise.all([first, stays])).toEqual([2, 6]);
  });

  it("is idle when the last waiting item has been removed", async () => {
    const { batch, turn, open } = recorder({ gatherMs: 3_600_000, enoughItems: 9 });
    const many = [1, 2, 3, 4].map((item) => batch.submit(item));
    await turn();
    await open();
    await Promise.all(many);
    const gone = new AbortController();
    const leaves = batch.submit(5, 0, gone.signal);
    const idle = batch.idle();
    gone.abort(new Error("too late"));
    await expect(leaves).rejects.toThrow("too late");
    await idle;
  });

  it("starts beside another one only when enough wait", async () => {
    const { batch, batches, turn, open } = recorder({ maxConcurrent: 2, enoughItems: 3 });
    void batch.submit(1);
    await turn();
    for (const item of [2, 3]) void batch.submit(item);
    await turn();
    expect(batches).toEqual([[1]]);
    void batch.submit(4);
    await turn();
    expect(batches).toEqual([[1], [2, 3, 4]]);
    for (const item of [5, 6, 7]) void batch.submit(item);
    await turn();
    expect(batches).toHaveLength(2);
    await open();
    expect(batches).toEqual([[1], [2, 3, 4], [5, 6, 7]]);
  });

  describe("that gathers items", () => {
    const gathering = () => recorder({ gatherMs: 60_000, enoughItems: 3 });

    it("sends single items at once, each time", async () => {
      const { batch, batches, turn, open } = gathering();
      for (const item of [1, 2, 3]) {
        void batch.submit(item);
        await turn();
        await open();
      }
      expect(batches).toEqual([[1], [2], [3]]);
    });

    it("lets a single item wait for others if configured, until there are enough", async () => {
      const { batch, batches, turn, open } = recorder({
        gatherMs: 60_000,
        enoughItems: 3,
        gathersAlways: true,
      });
      for (const item of [1, 2]) void batch.submit(item);
      await turn();
      expect(batches).toEqual([]);
      void batch.submit(3);
      await turn();
      expect(batches).toEqual([[1, 2, 3]]);
      await open();
      void batch.submit(4);
      await turn();
      expect(batches).toHaveLength(1);
    });

    it("waits until as many items arrive as arrived together before", async () => {
      const { batch, batches, turn, open } = gathering();
      for (const item of [1, 2]) void batch.submit(item);
      await turn();
      await open();
      void batch.submit(3);
      await turn();
      expect(batches).toEqual([[1, 2]]);
      void batch.submit(4);
      await turn();
      expect(batches).toEqual([
        [1, 2],
        [3, 4],
      ]);
    });

    it("waits for no more than enough", async () => {
      const { batch, batches, turn, open } = gathering();
      for (const item of [1, 2, 3, 4, 5]) void batch.submit(item);
      await turn();
      await open();
      for (const item of [6, 7, 8]) void batch.submit(item);
      await turn();
      expect(batches[1]).toEqual([6, 7, 8]);
    });

    it("waits no longer than its limit, and adapts to the number of items that arrive", async () => {
      const { batch, batches, turn, open } = recorder({ gatherMs: 20, enoughItems: 3 });
      for (const item of [1, 2]) void batch.submit(item);
      await turn();
      await open();
      let waits = 0;
      for (let item = 3; item < 20; item++) {
        void batch.submit(item);
        await turn();
        if (batches.length < item - 1) waits++;
        await expect.poll(() => batches).toHaveLength(item - 1);
        await open();
      }
      expect(waits).toBeGreaterThan(0);
      expect(waits).toBeLessThan(5);
    });

    it("is not idle before the waiting items are sent", async () => {
      const { batch, batches, turn, open } = recorder({ gatherMs: 20, enoughItems: 3 });
      for (const item of [1, 2]) void batch.submit(item);
      await turn();
      await open();
      void batch.submit(3);
      let idle = false;
      const ended = batch.idle().then(() => {
        idle = true;
      });
      await expect.poll(() => batches).toHaveLength(2);
      expect(idle).toBe(false);
      await open();
      await ended;
    });
  });

  it("gives each caller its own outcome", async () => {
    const { batch, turn, open } = recorder();
    const outcomes = Promise.allSettled([batch.submit(1), batch.submit(-1), batch.submit(2)]);
    await turn();
    await open();
    expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("fails all of a batch that could not be run, and goes on with the next", async () => {
    let runs = 0;
    const batch = createNaturalBatch<number, number>({
      run: async (items) => {
        if (++runs === 1) throw new Error("away");
        return items.map((value) => ({ ok: true, value }));
      },
      sizeOf: () => 1,
      maxItems: 10,
      maxSize: 10,
      maxConcurrent: 1,
    });
    await expect(Promise.all([batch.submit(1), batch.submit(2)])).rejects.toThrow("away");
    expect(await batch.submit(3)).toBe(3);
    await batch.idle();
  });
});

describe("an item of a natural batch that has a time", () => {
  const maxAge = (ms: number) => ({
    ms,
    clock: systemClock,
    error: (waiting: boolean) => new Error(waiting ? "not begun" : "not answered"),
  });

  it("that waits when it is over is answered, and not begun with", async () => {
    const { batch, batches, turn, open } = recorder({ maxAge: maxAge(60_000) });
    const first = batch.submit(1);
    await turn();
    const [second, late, third] = [batch.submit(2), batch.submit(3, 59_990), batch.submit(4)];
    await expect(late).rejects.toThrow("not begun");
    await open();
    await open();
    expect(await Promise.all([first, second, third])).toEqual([2, 4, 8]);
    expect(batches).toEqual([[1], [2, 4]]);
  });

  it("that is under way when it is over is answered, and the others of its batch are waited for", async () => {
    const { batch, turn, open } = recorder({ maxAge: maxAge(60_000) });
    const [late, other] = [batch.submit(1, 59_900), batch.submit(2)];
    await turn();
    await expect(late).rejects.toThrow("not answered");
    await open();
    expect(await other).toBe(4);
    await batch.idle();
  });

  it("leaves its batch the time of the one that came last", async () => {
    const left: number[] = [];
    const batch = createNaturalBatch<number, number>({
      run: async (items, withinMs) => {
        left.push(withinMs);
        return items.map((value) => ({ ok: true, value }));
      },
      maxItems: 10,
      maxSize: 10,
      sizeOf: () => 1,
      maxConcurrent: 1,
      maxAge: { ...maxAge(1_000), clock: { monotonicMs: () => 5 } },
    });
    await Promise.all([batch.submit(1, 700), batch.submit(2, 300)]);
    expect(left).toEqual([700]);
  });
});
