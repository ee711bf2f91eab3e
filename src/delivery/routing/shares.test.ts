import { describe, expect, it } from "vitest";
import type { LiveWorkers } from "../../leases/partitions.ts";
import type { WorkerDocument } from "../../store/documents.ts";
import { createDestinationLimits, type Destination } from "./destination-limits.ts";

type Live = LiveWorkers["workers"][number];

/** Workers that share limits through the announcements in the store. */
function cluster(whole = 20, perMinute?: number) {
  let nowMs = 0;
  const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
  const documents = new Map<string, Live>();

  function join(id: string) {
    const limits = createDestinationLimits(3_000, clock);
    const to = (key = "gmail.com"): Destination =>
      limits.at(key, { concurrency: whole, perMinute, shared: true });
    // As if earlier deliveries had succeeded: the test checks the share.
    const site = to();
    for (let n = 0; n < 2_000; n++) {
      site.started(0);
      site.ended("accepted", 0, 0);
    }
    const worker = {
      to,
      limits,
      /** Waiting messages by destination. */
      waiting: new Map<string, number>(),
      begun: 0,
      announce: (leaving = false, isKept = true) => {
        const waiting = [...worker.waiting].map(([key, count]) => ({ limits: to(key).limits, count }));
        documents.set(id, { _id: id, claims: limits.shares.claims(waiting, isKept), leaving });
      },
      read: () => {
        const live = { self: id, workers: [...documents.values()], at: clock.now() };
        return limits.shares.divide(live);
      },
      round: ({ leaving = false, isKept = true } = {}) => {
        worker.announce(leaving, isKept);
        worker.read();
      },
      /** Begins as many deliveries as permitted. */
      fill: () => {
        for (
          ;
          site.startsAtMs(nowMs) <= nowMs && (worker.waiting.get("gmail.com") ?? 0) > 0;
          worker.begun++
        ) {
          worker.waiting.set("gmail.com", (worker.waiting.get("gmail.com") ?? 0) - 1);
          site.started(nowMs);
        }
        return worker.begun;
      },
      end: (count: number) => {
        for (let n = 0; n < count; n++) site.ended("neutral", nowMs, nowMs);
        worker.begun -= count;
      },
    };
    // Before its first round a worker has no messages.
    worker.round();
    return worker;
  }

  return {
    documents,
    join,
    pass: (ms: number) => {
      nowMs += ms;
    },
    now: () => nowMs,
  };
}

type Worker = ReturnType<ReturnType<typeof cluster>["join"]>;

function rounds(count: number, ...workers: Worker[]): void {
  for (let n = 0; n < count; n++) for (const one of workers) one.round();
}

/** Workers with this many messages each to the same destination, after this many rounds. */
function busy(
  waiting: Readonly<Record<string, number>>,
  count: number,
  ...limits: Parameters<typeof cluster>
) {
  const shared = cluster(...limits);
  const workers = Object.keys(waiting).map(shared.join);
  for (const [index, messages] of Object.values(waiting).entries()) {
    if (messages > 0) workers[index]?.waiting.set("gmail.com", messages);
  }
  rounds(count, ...workers);
  return { ...shared, workers: workers as [Worker, Worker, Worker, Worker] };
}

/** Number of deliveries in progress of each, after all permitted ones have begun. */
const filled = (...workers: Worker[]) => workers.map((one) => one.fill());

describe("shares", () => {
  it("are everything for a single worker at once, announced or not", () => {
    const a = cluster().join("a");
    a.round();
    a.waiting.set("gmail.com", 100);
    expect(filled(a)).toEqual([20]);
  });

  it("follow need: a worker with one message needs one delivery, and the others have the rest", () => {
    const [a, b] = busy({ a: 1, b: 1_000 }, 3).workers;
    expect(filled(a, b)).toEqual([1, 19]);
  });

  it("pass to workers with mail now; the others keep one delivery that need not wait for a round", () => {
    const [a, b] = busy({ a: 1_000, b: 0, c: 0, d: 0 }, 3).workers;
    expect(filled(a)).toEqual([20]);
    b.waiting.set("gmail.com", 1_000);
    expect(filled(b)).toEqual([1]);
  });

  it("grow only by capacity that the others have given up, regardless of the claim", () => {
    const [a, b] = busy({ a: 1_000, b: 0 }, 2).workers;
    expect(filled(a)).toEqual([20]);
    b.waiting.set("gmail.com", 1_000);
    rounds(4, b, a);
    expect(filled(a, b)).toEqual([20, 1]);
    a.end(4);
    rounds(1, a, b);
    expect(filled(a, b)).toEqual([16, 4]);
    a.end(16);
    rounds(1, a, b);
    expect(filled(a, b)).toEqual([10, 10]);
  });

  it("never exceed the whole plus one each, in whatever order workers announce and read", () => {
    const { join } = cluster();
    const workers = Array.from({ length: 6 }, (_, n) => join(`wrk_${n}`));
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 16) % below;
    };
    for (let step = 0; step < 20_000; step++) {
      const one = workers[random(workers.length)] as Worker;
      const what = random(6);
      if (what === 0) one.waiting.set("gmail.com", random(40));
      else if (what === 1) one.announce();
      else if (what === 2) one.round();
      else if (what === 3) one.end(random(one.begun + 1));
      else one.fill();
      const all = workers.reduce((sum, { begun }) => sum + begun, 0);
      expect(all).toBeLessThanOrEqual(20 + workers.length);
    }
  });

  it("of a leaving worker go to the others only after its deliveries have ended", () => {
    const [a, b] = busy({ a: 1_000, b: 0 }, 2).workers;
    a.fill();
    a.waiting.clear();
    b.waiting.set("gmail.com", 1_000);
    const round = () => {
      a.round({ leaving: true });
      b.round();
    };
    for (let n = 0; n < 3; n++) round();
    expect(filled(a, b)).toEqual([20, 1]);
    a.end(15);
    for (let n = 0; n < 2; n++) round();
    expect(filled(b)).toEqual([15]);
  });

  it("of a crashed worker go to the others after its announcement has expired", () => {
    const { documents, workers } = busy({ a: 1_000, b: 1_000 }, 3);
    const [, b] = workers;
    documents.delete("a");
    rounds(3, b);
    expect(filled(b)).toEqual([20]);
  });

  it("that have expired are not used again: a paused worker begins with one", () => {
    const { documents, workers } = busy({ a: 1_000, b: 1_000 }, 3);
    const [a, b] = workers;
    documents.delete("a");
    rounds(3, b);
    expect(filled(b)).toEqual([20]);
    a.round({ isKept: false });
    expect(filled(a)).toEqual([1]);
  });

  it("apply to a rate in the same way as to deliveries", () => {
    const { workers, now } = busy({ a: 1_000, b: 1_000 }, 3, 20, 60);
    const [a, b] = workers;
    const to = a.to();
    to.started(now());
    expect(to.startsAtMs(now()) - now()).toBe(2_000);
    b.waiting.clear();
    rounds(20, a, b);
    expect(to.startsAtMs(now()) - now()).toBe(1_000);
  });

  it("count no messages that another limit blocks", () => {
    const { join } = cluster();
    const a = join("a");
    const policy = a.limits.at("policy", { concurrency: 2, perMinute: undefined, shared: true });
    const waiting = [{ limits: [...a.to().limits, ...policy.limits], count: 1_000 }];
    a.limits.shares.claims(waiting, true);
    const claims = a.limits.shares.claims(waiting, true);
    expect(claims.map(({ limit, wants }) => [limit, wants])).toEqual([
      ["gmail.com", 2],
      ["policy", 2],
    ]);
  });

  it("are announced for at most a hundred limits, the most wanted ones", () => {
    const { join } = cluster();
    const a = join("a");
    for (let n = 0; n < 300; n++) a.waiting.set(`domain${n}.example`, n < 100 ? 1 : 2);
    a.waiting.set("gmail.com", 1_000);
    const waiting = [...a.waiting].map(([key, count]) => ({ limits: a.to(key).limits, count }));
    const claims = a.limits.shares.claims(waiting, true);
    expect(claims).toHaveLength(100);
    expect(claims[0]?.limit).toBe("gmail.com");
    expect(claims.every(({ wants }) => wants >= 2)).toBe(true);
  });

  it("name the limits that permit more, so that their waiting messages are retried", () => {
    const { join } = cluster();
    const [a, b] = [join("a"), join("b")];
    rounds(2, a, b);
    a.waiting.set("gmail.com", 1_000);
    a.announce();
    const permitsMore = a.read();
    expect([permitsMore("gmail.com"), permitsMore("gmx.net")]).toEqual([true, false]);
  });
});

describe("an announcement of another worker", () => {
  /** A worker with much mail beside one with this announcement. */
  function besideOneWith(claims: unknown): Worker {
    const { join, documents } = cluster();
    const a = join("a");
    documents.set("b", { _id: "b", claims } as WorkerDocument);
    a.waiting.set("gmail.com", 1_000);
    rounds(3, a);
    return a;
  }

  it.each([
    ["is missing", undefined],
    ["is no list", "everything"],
    ["is null", null],
  ])("that %s counts as an equal share of everything", (_, value) => {
    const a = besideOneWith(value);
    expect(filled(a)).toEqual([10]);
  });

  it.each([
    ["no objects", [null, 1, "x", []]],
    ["amounts that are none", [{ limit: "gmail.com", wants: "20", holds: 20 }]],
    ["amounts below nothing", [{ limit: "gmail.com", wants: -20, holds: -20 }]],
    ["no number", [{ limit: "gmail.com", wants: Number.NaN, holds: Number.POSITIVE_INFINITY }]],
    ["names that are none", [{ limit: { $ne: 1 }, wants: 20, holds: 20 }]],
    ["limits that nobody knows", [{ limit: "__proto__", wants: 20, holds: 20 }]],
  ])("with %s takes nothing from other workers", (_, value) => {
    const a = besideOneWith(value);
    expect(filled(a)).toEqual([20]);
  });

  it("that claims more than the whole leaves the others a delivery", () => {
    const a = besideOneWith([{ limit: "gmail.com", wants: 1e300, holds: 1e300 }]);
    expect(filled(a)).toEqual([1]);
  });
});
