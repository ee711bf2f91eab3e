import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createSessionSlots, type SessionSlot } from "./session-slots.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const LIMITS = {
  maxSessions: 2_000,
  maxUnauthenticated: 500,
  authenticateWithinMs: 60_000,
  authenticateUnderPressureMs: 15_000,
};

function slotsWith(limits: Partial<typeof LIMITS> = {}) {
  let open = 0;
  const onChange = (count: number) => {
    open = count;
  };
  const slots = createSessionSlots({ ...LIMITS, ...limits, onChange });
  const ended: string[] = [];
  const come = (address: string, name = address): SessionSlot => {
    const slot = slots.admit(address, ({ text }) => ended.push(`${name}: ${text}`));
    if ("code" in slot) throw new Error(slot.text);
    return slot;
  };
  /** A session of this key; the key begins with its account. The session is idle until the test changes it. */
  const own = (keyId: string, name = keyId) => {
    const session = { slot: come("198.51.100.1", name), idle: true };
    const owner = { accountId: keyId.replace(/-.*/, ""), keyId };
    const refusal = session.slot.authenticated({ owner, isIdle: () => session.idle });
    if (refusal) session.slot.release();
    return Object.assign(session, { refusal });
  };
  const ownMany = (count: number, keyId: string) => Array.from({ length: count }, () => own(keyId));
  return { slots: slots, ended, come, own, ownMany, open: () => open };
}

it("has a slot for any client, although 4 clients hold their maximum of silent sessions", () => {
  const { come, ended, open } = slotsWith();
  for (let n = 0; n < 500; n++) for (const client of [1, 2, 3, 4]) come(`192.0.2.${client}`);
  expect(open()).toBe(1_000);
  const known: SessionSlot[] = [];
  for (let n = 0; n < 1_000; n++) {
    const slot = come("198.51.100.1", "owner");
    slot.authenticated();
    known.push(slot);
  }
  expect(ended.filter((line) => line.startsWith("owner"))).toEqual([]);
  // The first of them took the slot of a silent one.
  expect(open()).toBe(1_999);
  for (const slot of known) slot.release();
  expect(open()).toBeLessThanOrEqual(1_000);
});

it("ends the oldest session of the client with the most sessions, and no other", () => {
  const { come, ended } = slotsWith({ maxSessions: 8 });
  come("192.0.2.1", "first");
  come("192.0.2.2", "many 1");
  come("192.0.2.2", "many 2");
  come("192.0.2.2", "many 3");
  come("192.0.2.3", "new");
  expect(ended).toEqual([expect.stringMatching(/^many 1: /)]);
});

it("gives a client no more slots than its own limit, for its newest sessions", () => {
  const { come, ended, open } = slotsWith({ maxUnauthenticated: 2 });
  for (const name of ["a", "b", "c"]) come("2001:db8::1", name);
  expect(ended).toEqual([expect.stringMatching(/^a: /)]);
  expect(open()).toBe(2);
});

it("refuses a client if other owners hold every slot", () => {
  const { come, own, slots } = slotsWith({ maxSessions: 2 });
  own("ann");
  const last = come("192.0.2.1");
  last.authenticated({ owner: { accountId: "ben", keyId: "ben" }, isIdle: () => true });
  expect(slots.admit("192.0.2.2", () => undefined)).toMatchObject({ code: 421, enhanced: "4.3.2" });
  last.release();
  come("192.0.2.2");
});

it("ends a session that has not authenticated in time, and earlier under pressure", () => {
  const { come, ended } = slotsWith({ maxSessions: 8 });
  come("192.0.2.1", "alone");
  const known = come("192.0.2.2", "known");
  known.authenticated();
  vi.advanceTimersByTime(59_999);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended.splice(0)).toEqual(["alone: Authentication took too long"]);
  come("192.0.2.1", "one");
  come("192.0.2.3", "other");
  vi.advanceTimersByTime(15_000);
  expect(ended.splice(0)).toEqual(["one: Authentication took too long"]);
  vi.advanceTimersByTime(45_000);
  expect(ended.splice(0)).toEqual(["other: Authentication took too long"]);
  known.unauthenticated();
  vi.advanceTimersByTime(60_000);
  expect(ended).toEqual(["known: Authentication took too long"]);
});

it("counts each session once, however it ends", () => {
  const { come, open } = slotsWith({ maxSessions: 4 });
  const slot = come("192.0.2.1");
  slot.authenticated();
  slot.authenticated();
  slot.release();
  slot.release();
  slot.authenticated();
  slot.unauthenticated();
  expect(open()).toBe(0);
  come("192.0.2.1").release();
  expect(open()).toBe(0);
});

it("gives an account three times the slots that stay free, and a key as many", () => {
  const { ended, open, own, ownMany } = slotsWith({ maxSessions: 80 });
  ownMany(50, "greedy-1");
  expect(open()).toBe(40);
  ownMany(50, "greedy-2");
  expect(open()).toBe(60);
  ownMany(10, "greedy-3");
  expect(open()).toBe(60);
  ended.length = 0;
  for (let n = 0; n < 20; n++) own(`other${n}`);
  expect(ended).toEqual([]);
  expect(open()).toBe(80);
});

it("at the limit of an owner, ends its session that has been idle longest, and none of others", () => {
  const { ended, own } = slotsWith({ maxSessions: 8 });
  own("ann", "other");
  const busy = own("greedy", "busy");
  busy.idle = false;
  const lately = own("greedy", "lately");
  own("greedy", "long ago");
  lately.slot.used();
  expect(own("greedy", "new").refusal).toBeUndefined();
  expect(ended).toEqual([expect.stringMatching(/^long ago: This idle session was closed/)]);
});

it("refuses an owner that has transactions in all its slots, and accepts it again when there are fewer", () => {
  const { ended, open, own, ownMany } = slotsWith({ maxSessions: 8 });
  const busy = ownMany(4, "greedy-1");
  for (const session of busy) session.idle = false;
  expect(own("greedy-1").refusal).toMatchObject({ code: 421, enhanced: "4.3.2" });
  for (const session of ownMany(2, "greedy-2")) session.idle = false;
  expect(own("greedy-3").refusal?.text).toMatch(/of this account/);
  expect(ended).toEqual([]);
  expect(open()).toBe(6);
  for (const session of busy) session.slot.release();
  expect(own("greedy-1").refusal).toBeUndefined();
});

it("if all slots are used, takes one from the account with the most, and only from idle sessions", () => {
  const { come, ended, own, ownMany, slots } = slotsWith({ maxSessions: 8 });
  const most = ownMany(4, "most");
  for (const session of most) session.idle = false;
  const two = ownMany(2, "two");
  for (const owner of ["ann", "ben"]) own(owner);
  come("192.0.2.1", "first");
  expect(ended.splice(0)).toEqual([expect.stringMatching(/^two: /)]);
  // A session that has not authenticated loses its slot before another owner does.
  come("192.0.2.2", "second").authenticated();
  expect(ended.splice(0)).toEqual([expect.stringMatching(/^first: /)]);
  for (const session of most.slice(1, 3)) session.idle = true;
  come("192.0.2.3").authenticated();
  come("192.0.2.3").authenticated();
  expect(ended).toEqual([expect.stringMatching(/^most: /), expect.stringMatching(/^most: /)]);
  expect(two[1]?.refusal).toBeUndefined();
  expect(slots.admit("192.0.2.4", () => undefined)).toMatchObject({ code: 421, enhanced: "4.3.2" });
});

it("if all slots are used, lets new clients authenticate at the same time", () => {
  const { come, ended, own, ownMany } = slotsWith({ maxSessions: 32 });
  ownMany(8, "most");
  for (let n = 0; n < 24; n++) own(`other${n}`);
  expect(ended).toEqual([]);
  for (const guest of ["one", "two", "three"]) come("192.0.2.1", guest);
  expect(ended).toEqual(["most", "most", "one"].map((name) => expect.stringMatching(`^${name}: `)));
});
