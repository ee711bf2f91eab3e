import { describe, expect, it } from "vitest";
import type { MessageDocument } from "../../store/documents.ts";
import type { Priority } from "../../store/policy-document.ts";
import { createDestinationLimits, type Destination } from "../routing/destination-limits.ts";
import { createBacklog, type Started } from "./backlog.ts";

const limits = createDestinationLimits();
let made = 0;

function destination(concurrency = 1_000): Destination {
  // A new destination begins with less than its limit: what is looked at here is the order.
  const to = limits.at(`destination ${made++}`, { concurrency, perMinute: undefined });
  for (let i = 0; i < 2_000; i++) {
    to.started(0);
    to.ended("accepted", 0, 0);
  }
  return to;
}

function entry(id: string, priority: Priority = "transactional", accountId = "acc") {
  const message = { _id: id, priority, accountId } as MessageDocument;
  return { message, content: undefined, epoch: 1 };
}

function backlogOf(concurrency = 100) {
  const backlog = createBacklog({ concurrency });
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

  it("gives transactional messages four of five turns, and bulk its one", () => {
    const backlog = backlogOf(1_000);
    const to = destination();
    backlog.addMany(many("b"), to, "bulk");
    backlog.addMany(many("t"), to, "transactional");
    const first = ids(backlog.takeAll()).slice(0, 20);
    expect(first.filter((id) => id.startsWith("t")).length).toBe(16);
  });

  it("uses all turns for the class that has something", () => {
    const backlog = backlogOf(1_000);
    backlog.addMany(many("b"), destination(), "bulk");
    expect(backlog.takeAll().length).toBe(40);
  });

  it("leaves room for transactional messages when bulk has all of its own under way, and the other way round", () => {
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

describe("a destination that bears no more", () => {
  it("is passed over, and goes on when one of its own has ended", () => {
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

  it("does not hold up the other class to other destinations", () => {
    const backlog = backlogOf();
    const busy = destination(1);
    backlog.addMany(["t1", "t2"], busy);
    backlog.addMany(["b1"], destination(), "bulk");
    expect(ids(backlog.takeAll()).toSorted()).toEqual(["b1", "t1"]);
  });
});

describe("remove", () => {
  it("takes out what waits, and nothing else", () => {
    const backlog = backlogOf();
    backlog.addMany(["1", "2"], destination());
    expect(backlog.remove("1")?.message._id).toBe("1");
    expect([backlog.remove("1"), backlog.remove("other")]).toEqual([undefined, undefined]);
    expect(ids(backlog.takeAll())).toEqual(["2"]);
    expect(backlog.remove("2")).toBeUndefined();
  });
});
