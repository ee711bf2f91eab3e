import { describe, expect, it } from "vitest";
import { createSlots } from "./slots.ts";

let made = 0;
const message = (accountId: string, recipientDomain: string) => ({
  _id: `m${made++}`,
  accountId,
  recipientDomain,
});

/** Slots used in the same way as by pending messages. */
function slots(count: number) {
  const slots = createSlots(count);
  const waiting = new Map<string, ReturnType<typeof message>>();
  /** True if the message found a slot. */
  const come = (accountId: string, recipientDomain: string): boolean => {
    const one = message(accountId, recipientDomain);
    if (!slots.isThereFor(one)) return false;
    const leaving = waiting.get(slots.givesWayTo(one) ?? "");
    if (leaving) {
      slots.remove(leaving);
      waiting.delete(leaving._id);
    }
    slots.add(one);
    waiting.set(one._id, one);
    return true;
  };
  const countOf = (accountId: string, recipientDomain?: string) =>
    [...waiting.values()].filter(
      (one) =>
        one.accountId === accountId &&
        (recipientDomain === undefined || one.recipientDomain === recipientDomain),
    ).length;
  return { slots: slots, come, countOf };
}

describe("slots in memory", () => {
  it("are all available to one account and one domain while no other needs them", () => {
    const { come, countOf, slots: all } = slots(100);
    for (let i = 0; i < 150; i++) come("a", "one.example");
    expect([countOf("a"), all.size]).toEqual([100, 100]);
    expect(all.isThereFor(message("a", "one.example"))).toBe(false);
  });

  it("are given up by the largest holder, until all accounts have the same number, and so have their domains", () => {
    const { come, countOf, slots: all } = slots(120);
    for (let i = 0; i < 300; i++) come("a", `slow${i % 12}.example`);
    expect(come("a", "new.example")).toBe(true);
    for (let i = 0; i < 300; i++) come("b", "slow0.example");
    for (let i = 0; i < 300; i++) come("c", "slow0.example");
    expect(["a", "b", "c"].map((account) => countOf(account))).toEqual([40, 40, 40]);
    expect(countOf("a", "new.example")).toBe(1);
    expect(come("d", "slow0.example")).toBe(true);
    expect(all.size).toBe(120);
  });

  it("are not taken by an account that already has as many", () => {
    const { come, countOf } = slots(100);
    for (let i = 0; i < 50; i++) come("a", "one.example");
    for (let i = 0; i < 50; i++) come("b", "one.example");
    expect([come("a", "one.example"), come("b", "one.example")]).toEqual([false, false]);
    expect([countOf("a"), countOf("b")]).toEqual([50, 50]);
  });

  it("of an account with one slot for each of its domains go only to another account", () => {
    const { come } = slots(50);
    for (let i = 0; i < 49; i++) come("a", `${i}.example`);
    expect(come("a", "last.example")).toBe(true);
    expect(come("a", "new.example")).toBe(false);
    expect(come("b", "new.example")).toBe(true);
  });
});
