import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHeartbeatWorld } from "../../test/harness/heartbeat-world.ts";
import { expectedAfter, type Heartbeat, type HeartbeatChange } from "./heartbeat.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BEGIN = Date.parse("2030-01-01T02:00:00.000Z");
const at = (ms: number) => new Date(BEGIN + ms);

const DAILY: Heartbeat = { schedule: { kind: "period", periodMs: DAY }, graceMs: HOUR, paused: false };
const NIGHTLY: Heartbeat = {
  schedule: { kind: "cron", expression: "0 2 * * *", timezone: "UTC" },
  graceMs: HOUR,
  paused: false,
};

const run = (heartbeat: Heartbeat) => createHeartbeatWorld(heartbeat, BEGIN);

const causes = ({ changes }: { readonly changes: readonly HeartbeatChange[] }) =>
  changes.map(({ cause }) => cause);

describe("a heartbeat", () => {
  it("waits for its first success ping without an alert", () => {
    const one = run(DAILY);
    one.check(400 * DAY);
    expect([one.state(400 * DAY), one.changes]).toEqual(["new", []]);
  });

  it("is up, late, and down with one alert, until its next ping", () => {
    const one = run(DAILY);
    one.ping("success", 0);
    expect([DAY - 1, DAY, DAY + HOUR - 1].map(one.state)).toEqual(["up", "late", "late"]);
    one.check(DAY + HOUR - 1);
    expect(one.changes).toEqual([]);
    for (const ms of [DAY + HOUR, DAY + HOUR, 9 * DAY]) one.check(ms);
    expect(one.state(9 * DAY)).toBe("down");
    one.ping("success", 9 * DAY);
    expect(one.changes).toEqual([
      { status: "firing", cause: "missed", at: at(DAY + HOUR) },
      { status: "resolved", cause: "returned", at: at(9 * DAY), since: at(DAY + HOUR) },
    ]);
    expect(one.state(9 * DAY)).toBe("up");
  });

  it("is down at once after a failure, and one alert covers missed pings after it", () => {
    const one = run(DAILY);
    one.ping("fail", 5);
    one.ping("fail", 6);
    one.check(3 * DAY);
    one.ping("success", 3 * DAY);
    expect(causes(one)).toEqual(["failed", "returned"]);
  });

  it("measures the time from the start of a job, which is no success", () => {
    const one = run(DAILY);
    one.ping("success", 0);
    one.ping("start", DAY);
    one.check(DAY + HOUR);
    expect(causes(one)).toEqual(["missed"]);
    one.ping("success", DAY + 2 * HOUR);
    expect(one.heartbeat()).toMatchObject({ durationMs: 2 * HOUR });
    one.ping("success", DAY + 3 * HOUR);
    expect(one.heartbeat()).not.toHaveProperty("durationMs");
  });

  it("expects nothing while it is paused, ends its alert, and expects pings from its resumption", () => {
    const one = run(DAILY);
    one.ping("success", 0);
    one.check(2 * DAY);
    one.pause(2 * DAY);
    one.ping("fail", 3 * DAY);
    one.check(9 * DAY);
    expect([one.state(9 * DAY), causes(one)]).toEqual(["paused", ["missed", "paused"]]);
    one.resume(9 * DAY);
    expect(one.heartbeat().expectedAt).toEqual(at(10 * DAY));
    one.check(10 * DAY + HOUR);
    expect(causes(one)).toEqual(["missed", "paused", "missed"]);
  });

  it("that never had a ping is new again after a pause", () => {
    const one = run(DAILY);
    one.pause(0);
    one.resume(DAY);
    expect(one.state(9 * DAY)).toBe("new");
  });

  it("begins a new period when its times change, and stays down", () => {
    const one = run(DAILY);
    const hourly = { schedule: { kind: "period", periodMs: HOUR }, graceMs: MINUTE } as const;
    one.ping("success", 0);
    one.retime(hourly, 5 * HOUR);
    expect(one.heartbeat().expectedAt).toEqual(at(6 * HOUR));
    one.check(7 * HOUR);
    one.retime(DAILY, 8 * HOUR);
    expect([one.state(9 * DAY), causes(one)]).toEqual(["down", ["missed"]]);
  });

  it("never dates a change before the one before it, even if the clock was set back", () => {
    const one = run(DAILY);
    one.ping("fail", DAY);
    one.ping("success", 0);
    expect(one.changes.map(({ at: time }) => time)).toEqual([at(DAY), at(DAY)]);
  });
});

describe("an outage of Hermod", () => {
  it("excuses a ping that could not be received, at its end", () => {
    const one = run(NIGHTLY);
    one.ping("success", 5_000);
    one.outage(DAY - MINUTE, DAY + MINUTE);
    one.check(DAY + HOUR);
    expect([one.changes, one.heartbeat()]).toEqual([
      [],
      expect.objectContaining({ excusedAt: at(DAY + MINUTE), expectedAt: at(2 * DAY) }),
    ]);
    one.ping("success", 2 * DAY);
    expect(one.heartbeat()).not.toHaveProperty("excusedAt");
  });

  it("that ended before a ping was expected excuses nothing", () => {
    const one = run(NIGHTLY);
    one.ping("success", 5_000);
    one.outage(HOUR, 20 * HOUR);
    one.check(DAY + HOUR);
    expect(causes(one)).toEqual(["missed"]);
  });

  it("after the deadline excuses nothing, even before the alert is raised", () => {
    const one = run(NIGHTLY);
    one.ping("success", 5_000);
    one.outage(DAY + HOUR, DAY + 9 * HOUR);
    one.check(DAY + 9 * HOUR);
    expect(one.changes).toEqual([{ status: "firing", cause: "missed", at: at(DAY + HOUR) }]);
  });

  it("excuses one ping in a row, so that a restart every night does not hide a dead job", () => {
    const one = run(NIGHTLY);
    one.ping("success", 5_000);
    for (const day of [1, 2, 3]) one.outage(day * DAY + 10 * MINUTE, day * DAY + 11 * MINUTE);
    one.check(3 * DAY + HOUR);
    expect(one.changes).toEqual([{ status: "firing", cause: "missed", at: at(2 * DAY + HOUR) }]);
  });

  it("that covers the whole time of a second ping excuses it too", () => {
    const one = run(NIGHTLY);
    one.ping("success", 5_000);
    one.outage(DAY, DAY + MINUTE);
    one.outage(2 * DAY - MINUTE, 2 * DAY + 2 * HOUR);
    one.check(2 * DAY + 2 * HOUR);
    expect([one.changes, one.heartbeat().expectedAt]).toEqual([[], at(3 * DAY)]);
  });

  it("of several periods is one excuse", () => {
    const one = run(DAILY);
    one.ping("success", 0);
    one.outage(HOUR, 9 * DAY);
    one.check(9 * DAY);
    expect([one.changes, one.heartbeat().expectedAt]).toEqual([[], at(10 * DAY)]);
    one.check(10 * DAY + HOUR);
    expect(one.changes).toEqual([{ status: "firing", cause: "missed", at: at(10 * DAY + HOUR) }]);
  });

  const graceMs = 10 * MINUTE;
  const schedules = fc.constantFrom<Heartbeat>(
    { schedule: { kind: "period", periodMs: HOUR }, graceMs, paused: false },
    {
      schedule: { kind: "cron", expression: "0 * * * *", timezone: "Europe/Berlin" },
      graceMs,
      paused: false,
    },
  );

  it("never raises an alert about a job that reports on time, if no two pings in a row are lost", () => {
    fc.assert(
      fc.property(
        schedules,
        fc.array(fc.record({ lateMs: fc.nat(4 * MINUTE), isLost: fc.boolean() }), { maxLength: 40 }),
        (heartbeat, pings) => {
          const one = run(heartbeat);
          one.ping("success", 0);
          for (const [index, { lateMs, isLost }] of pings.entries()) {
            const pingMs = (index + 1) * HOUR + lateMs;
            one.check(pingMs - 1);
            if (isLost && !pings[index - 1]?.isLost) one.outage(pingMs - 1_000, pingMs + 1_000);
            else one.ping("success", pingMs);
          }
          expect(one.changes).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("delays the alert about a dead job by at most one ping, however often Hermod restarts", () => {
    fc.assert(
      fc.property(
        schedules,
        fc.array(fc.record({ fromMs: fc.nat(20 * HOUR), ms: fc.integer({ min: 1_000, max: MINUTE }) }), {
          maxLength: 60,
        }),
        (heartbeat, restarts) => {
          const one = run(heartbeat);
          one.ping("success", 0);
          for (const { fromMs, ms } of restarts) one.outage(fromMs, fromMs + ms);
          for (let ms = 0; ms <= 21 * HOUR; ms += MINUTE) one.check(ms);
          expect(causes(one)).toEqual(["missed"]);
          // One excused ping, its period from the end of the outage, and the grace time.
          const latest = at(HOUR + graceMs + MINUTE + HOUR + graceMs);
          expect(one.changes[0]?.at.getTime()).toBeLessThanOrEqual(latest.getTime());
        },
      ),
      { numRuns: 200 },
    );
  });

  it("is decided in the same way at any later time", () => {
    expect(expectedAfter(NIGHTLY, at(0))).toEqual(at(DAY));
    fc.assert(
      fc.property(
        schedules,
        fc.array(fc.tuple(fc.nat(9 * HOUR), fc.nat(3 * HOUR)), { maxLength: 5 }),
        fc.nat(12 * HOUR),
        (heartbeat, times, lateMs) => {
          const [early, late] = [run(heartbeat), run(heartbeat)];
          for (const one of [early, late]) {
            one.ping("success", 0);
            for (const [fromMs, ms] of times) one.outage(fromMs, fromMs + ms);
          }
          for (let ms = 0; ms <= 12 * HOUR; ms += MINUTE) early.check(ms);
          late.check(12 * HOUR + lateMs);
          early.check(12 * HOUR + lateMs);
          expect(late.changes).toEqual(early.changes);
        },
      ),
      { numRuns: 200 },
    );
  });
});
