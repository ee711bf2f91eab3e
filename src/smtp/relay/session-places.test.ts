import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createSessionPlaces, type SessionPlace } from "./session-places.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const LIMITS = {
  maxSessions: 2_000,
  maxUnauthenticated: 500,
  authenticateWithinMs: 60_000,
  authenticateUnderPressureMs: 15_000,
};

function placesWith(limits: Partial<typeof LIMITS> = {}) {
  let open = 0;
  const onChange = (count: number) => {
    open = count;
  };
  const places = createSessionPlaces({ ...LIMITS, ...limits, onChange });
  const ended: string[] = [];
  const come = (address: string, name = address): SessionPlace => {
    const place = places.admit(address, ({ text }) => ended.push(`${name}: ${text}`));
    if ("code" in place) throw new Error(place.text);
    return place;
  };
  return { places, ended, come, open: () => open };
}

it("has a place for whoever comes, though 4 clients hold as many silent sessions as they may", () => {
  const { come, ended, open } = placesWith();
  for (let n = 0; n < 500; n++) for (const client of [1, 2, 3, 4]) come(`192.0.2.${client}`);
  expect(open()).toBe(1_000);
  const known: SessionPlace[] = [];
  for (let n = 0; n < 1_000; n++) {
    const place = come("198.51.100.1", "owner");
    place.authenticated();
    known.push(place);
  }
  expect(ended.filter((line) => line.startsWith("owner"))).toEqual([]);
  // The first of them took the place of a silent one.
  expect(open()).toBe(1_999);
  for (const place of known) place.release();
  expect(open()).toBeLessThanOrEqual(1_000);
});

it("ends the oldest session of the client with the most, and nobody else's", () => {
  const { come, ended } = placesWith({ maxSessions: 8 });
  come("192.0.2.1", "first");
  come("192.0.2.2", "many 1");
  come("192.0.2.2", "many 2");
  come("192.0.2.2", "many 3");
  come("192.0.2.3", "new");
  expect(ended).toEqual([expect.stringMatching(/^many 1: /)]);
});

it("gives a client no more than its own bound, the newest of them", () => {
  const { come, ended, open } = placesWith({ maxUnauthenticated: 2 });
  for (const name of ["a", "b", "c"]) come("2001:db8::1", name);
  expect(ended).toEqual([expect.stringMatching(/^a: /)]);
  expect(open()).toBe(2);
});

it("turns away who comes when all places are taken by those who have authenticated", () => {
  const { come, places } = placesWith({ maxSessions: 2 });
  come("192.0.2.1").authenticated();
  const last = come("192.0.2.1");
  last.authenticated();
  expect(places.admit("192.0.2.2", () => undefined)).toMatchObject({ code: 421, enhanced: "4.3.2" });
  last.release();
  come("192.0.2.2");
});

it("ends a session that has not authenticated in time, and earlier under pressure", () => {
  const { come, ended } = placesWith({ maxSessions: 8 });
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
  const { come, open } = placesWith({ maxSessions: 4 });
  const place = come("192.0.2.1");
  place.authenticated();
  place.authenticated();
  place.release();
  place.release();
  place.authenticated();
  place.unauthenticated();
  expect(open()).toBe(0);
  come("192.0.2.1").release();
  expect(open()).toBe(0);
});
