import { describe, expect, it } from "vitest";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Priority } from "../../store/policy-document.ts";
import { createDestinationLimits, type Destination, SLOW_AFTER_MS } from "../routing/destination-limits.ts";
import { createBacklog } from "./backlog.ts";
import { createCapacity } from "./capacity.ts";
import type { Started } from "./entry.ts";

const limits = createDestinationLimits();
let made = 0;

function destination(concurrency = 1_000): Destination {
  // A new destination begins with less than its limit; this test checks the order.
  const to = limits.at(`destination ${made++}`, { concurrency, perMinute: undefined });
  for (let i = 0; i < 2_000; i++) {
    to.started(0);
    to.ended("accepted", 0, 0);
  }
  return to;
}

function entry(id: string, priority: Priority = "transactional", accountId = "acc") {
  const message = { _id: id, traceId: id, priority, accountId, sizeBytes: 1 } as MessageDocument;
  return { message, body: undefined, epoch: 1 };
}

function backlogOf(concurrency = 100) {
  const capacity = createCapacity({ slots: concurrency, bytes: 1_000_000, slowAfterMs: SLOW_AFTER_MS });
  const backlog = createBacklog({ concurrency, capacity });
  return {
    ...backlog,
    addMany: (ids: readonly string[], to: Destination, priority?: Priority, accountId?: string) => {
      for (const id of ids) backlog.add(entry(id, priority, accountId), to);
    },
    takeAll: (nowMs = 0): Started[] => {
      const all: Started[] = [];
      for (let one = backlog.next(nowMs); one; one = backlog.next(nowMs)) all.push(one);
      return all;
    },
  };
}

const ids = (started: readonly Started[]) => started.map(({ message }) => message._id);

describe("the order", () => {
  it("is first come, first served within an account and a destination", () => {
    const backlog = backlogOf();
    backlog.addMany(["1", "2", "3"], destination());
    expect(ids(backlog.takeAll())).toEqual(["1", "2", "3"]);
  });

  it("takes destinations in turn", () => {
    const backlog = backlogOf();
    backlog.addMany(["a1", "a2", "a3"], destination());
    backlog.addMany(["b1"], destination());
    expect(ids(backlog.takeAll())).toEqual(["a1", "b1", "a2", "a3"]);
  });

  it("takes accounts in turn within a destination", () => {
    const backlog = backlogOf();
    const to = destination();
    backlog.addMany(["a1", "a2", "a3"], to, "transactional", "acc_a");
    backlog.addMany(["b1", "b2"], to, "transactional", "acc_b");
    expect(ids(backlog.takeAll())).toEqual(["a1", "b1", "a2", "b2", "a3"]);
  });
});

describe("classes", () => {
  const many = (prefix: string) => Array.from({ length: 40 }, (_, i) => `${prefix}${i}`);

  it("gives transactional messages four of five turns, and bulk messages one", () => {
    const backlog = backlogOf(1_000);
    const to = destination();
    backlog.addMany(many("b"), to, "bulk");
    backlog.addMany(many("t"), to, "transactional");
    const first = ids(backlog.takeAll()).slice(0, 20);
    expect(first.filter((id) => id.startsWith("t")).length).toBe(16);
  });

  it("uses all turns for the only class with messages", () => {
    const backlog = backlogOf(1_000);
    backlog.addMany(many("b"), destination(), "bulk");
    expect(backlog.takeAll().length).toBe(40);
  });

  it("leaves capacity for transactional messages when bulk messages use all of theirs, and the other way round", () => {
    const backlog = backlogOf(20);
    backlog.addMany(many("b"), destination(), "bulk");
    expect(backlog.takeAll().length).toBe(16);
    const other = backlogOf(20);
    other.addMany(many("t"), destination());
    expect(other.takeAll().length).toBe(18);
    other.addMany(["b"], destination(), "bulk");
    expect(ids(other.takeAll())).toEqual(["b"]);
  });
});

describe("a destination at its limit", () => {
  it("is skipped, and continues when one of its deliveries has ended", () => {
    const backlog = backlogOf();
    backlog.addMany(["a1", "a2", "a3"], destination(2));
    backlog.addMany(["b1", "b2"], destination());
    const first = backlog.takeAll();
    expect(ids(first)).toEqual(["a1", "b1", "a2", "b2"]);
    backlog.ended(first[0] as Started, "accepted", 1);
    expect(ids(backlog.takeAll(1))).toEqual(["a3"]);
  });

  it("wakes when its pause is over", () => {
    const backlog = backlogOf();
    const to = destination();
    backlog.addMany(["1", "2"], to);
    const one = backlog.next(1_000) as Started;
    backlog.ended(one, "slow_down", 1_000);
    expect(backlog.next(1_000)).toBeUndefined();
    expect(backlog.wakesAtMs()).toBe(2_000);
    expect(backlog.next(1_999)).toBeUndefined();
    expect(backlog.next(2_000)?.message._id).toBe("2");
  });

  it("does not block the other class to other destinations", () => {
    const backlog = backlogOf();
    const busy = destination(1);
    backlog.addMany(["t1", "t2"], busy);
    backlog.addMany(["b1"], destination(), "bulk");
    expect(ids(backlog.takeAll()).toSorted()).toEqual(["b1", "t1"]);
  });
});

describe("remove", () => {
  it("removes waiting messages only", () => {
    const backlog = backlogOf();
    backlog.addMany(["1", "2"], destination());
    expect(backlog.remove("1")?.message._id).toBe("1");
    expect([backlog.remove("1"), backlog.remove("other")]).toEqual([undefined, undefined]);
    expect(ids(backlog.takeAll())).toEqual(["2"]);
    expect(backlog.remove("2")).toBeUndefined();
  });
});

describe("capacity", () => {
  const SLOTS = 250;
  const MEGABYTE = 1024 * 1024;
  let domains = 0;

  /** A server without earlier deliveries. */
  const unknown = () => limits.at(`domain ${domains++}`, { concurrency: 20, perMinute: undefined });

  function roomy() {
    const capacity = createCapacity({ slots: SLOTS, bytes: 256 * MEGABYTE, slowAfterMs: SLOW_AFTER_MS });
    const backlog = createBacklog({ concurrency: SLOTS, capacity });
    let count = 0;
    const add = (to: Destination, changes: Partial<MessageDocument> = {}) => {
      const id = `m${count++}`;
      const message = { _id: id, traceId: id, accountId: "acc", priority: "transactional", sizeBytes: 1_000 };
      backlog.add({ message: { ...message, ...changes } as MessageDocument, body: undefined, epoch: 1 }, to);
      return id;
    };
    const takeAll = (nowMs: number) => {
      const all: Started[] = [];
      for (let one = backlog.next(nowMs); one; one = backlog.next(nowMs)) all.push(one);
      return all;
    };
    /** One submission to ten recipients at each of this many domains. */
    const flood = (domainCount: number, changes: Partial<MessageDocument>) => {
      for (let d = 0; d < domainCount; d++) {
        const to = unknown();
        for (let i = 0; i < 10; i++) add(to, changes);
      }
    };
    return { backlog, add, takeAll, flood };
  }

  it("remains for others from the first moment when the servers of a submission are silent", () => {
    const { add, takeAll, flood } = roomy();
    flood(60, { traceId: "sx_slow" });
    for (const nowMs of [0, 60, SLOW_AFTER_MS, SLOW_AFTER_MS + 60, 100_000]) takeAll(nowMs);
    const same = add(unknown());
    const other = add(unknown(), { accountId: "acc_other" });
    expect(ids(takeAll(200_000)).toSorted()).toEqual([same, other].toSorted());
  });

  it("remains for others when an account has any number of such submissions, and for its own new ones", () => {
    const { add, takeAll, flood } = roomy();
    for (let i = 0; i < 20; i++) flood(20, { traceId: `sx_${i}` });
    expect(takeAll(0).length).toBe(SLOTS / 2);
    const others = add(unknown(), { accountId: "acc_other" });
    expect(ids(takeAll(60))).toEqual([others]);
    let held = SLOTS / 2 + 1;
    for (let nowMs = SLOW_AFTER_MS; nowMs < 60_000; nowMs += SLOW_AFTER_MS) held += takeAll(nowMs).length;
    expect(held).toBeLessThanOrEqual((SLOTS * 2) / 3 + 1);
    const other = add(unknown(), { accountId: "acc_another" });
    expect(ids(takeAll(70_000))).toEqual([other]);
  });

  it("remains within an account for its new destinations once the others are known to be slow", () => {
    const { add, takeAll } = roomy();
    for (let d = 0; d < 60; d++) {
      const to = unknown();
      for (let i = 0; i < 50; i++) add(to);
    }
    expect(takeAll(0).length).toBe(SLOTS / 2);
    expect(takeAll(SLOW_AFTER_MS)).toEqual([]);
    const fresh = add(unknown());
    expect(ids(takeAll(10_000))).toEqual([fresh]);
  });

  it("remains for one more account beside several such accounts; the fewer they are, the more each has", () => {
    const { add, takeAll, flood } = roomy();
    for (let i = 0; i < 4; i++) flood(60, { accountId: `acc_${i}`, traceId: `sx_${i}` });
    const held = takeAll(0).length + takeAll(100).length;
    expect(held).toBeGreaterThan(SLOTS / 2);
    expect(held).toBeLessThanOrEqual((SLOTS * 4) / 5);
    const other = add(unknown(), { accountId: "acc_other" });
    expect(ids(takeAll(200))).toEqual([other]);
  });

  it("remains beside slow destinations together, regardless of the sender", () => {
    const { backlog, add, takeAll } = roomy();
    const slow = Array.from({ length: 60 }, unknown);
    for (const [i, to] of slow.entries()) add(to, { accountId: `acc_${i}` });
    for (const started of takeAll(0)) backlog.ended(started, "neutral", 5_000);
    for (const [i, to] of slow.entries()) {
      for (let n = 0; n < 10; n++) add(to, { accountId: `acc_${i} ${n}` });
    }
    const held = takeAll(6_000).length;
    expect(held).toBe(SLOTS / 2);
    const fresh = add(unknown(), { accountId: "acc_other" });
    expect(ids(takeAll(6_060))).toEqual([fresh]);
  });

  it("is fully available to destinations that answer quickly", () => {
    const { add, takeAll } = roomy();
    for (let i = 0; i < SLOTS; i++) add(destination(), { traceId: "sx_one" });
    expect(takeAll(0).length).toBe(Math.floor(SLOTS * 0.9));
  });

  it("counts deliveries that become slow, also at a destination that was quick", () => {
    const { add, takeAll } = roomy();
    const turned = Array.from({ length: 12 }, () => destination());
    for (const to of turned) for (let i = 0; i < 10; i++) add(to, { traceId: "sx_one" });
    expect(takeAll(0).length).toBe(120);
    add(unknown(), { traceId: "sx_one" });
    expect(takeAll(SLOW_AFTER_MS)).toEqual([]);
    const other = add(unknown());
    expect(ids(takeAll(SLOW_AFTER_MS))).toEqual([other]);
  });

  it("is also measured in bytes: a few large messages to silent servers block no others", () => {
    const { add, takeAll } = roomy();
    for (let i = 0; i < 20; i++) add(unknown(), { traceId: "sx_large", sizeBytes: 25 * MEGABYTE });
    takeAll(0);
    const other = add(unknown(), { sizeBytes: 25 * MEGABYTE });
    expect(ids(takeAll(1))).toEqual([other]);
  });

  it("that becomes free is used by the messages that waited for it", () => {
    const { backlog, takeAll, flood } = roomy();
    flood(60, { traceId: "sx_slow" });
    const [first] = takeAll(0);
    backlog.ended(first as Started, "unattempted", 10);
    expect(takeAll(10).length).toBe(1);
    expect(backlog.wakesAtMs()).toBeLessThanOrEqual(60);
  });
});

describe("accounts", () => {
  it("take turns regardless of the number of their destinations", () => {
    const backlog = backlogOf();
    for (let i = 0; i < 50; i++) backlog.addMany([`a${i}`], destination(), "transactional", "acc_a");
    backlog.addMany(["b"], destination(), "transactional", "acc_b");
    expect(ids(backlog.takeAll()).indexOf("b")).toBeLessThan(2);
  });
});
