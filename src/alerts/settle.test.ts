import { describe, expect, it } from "vitest";
import { createAlertWorld } from "../../test/harness/alert-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
type World = ReturnType<typeof createAlertWorld>;

const reasons = ({ mails }: World) => mails.map(({ notice }) => notice.reason);
const times = ({ mails }: World) => mails.map(({ atMs }) => atMs);
const is = (field: string, value: string) => ({ match: [{ field, op: "eq" as const, value }], any: [] });

describe("an incident", () => {
  it("is told at once, and its end as soon as it is known", () => {
    const world = createAlertWorld();
    world.fire();
    world.pass(12 * MINUTE);
    world.end();
    expect([reasons(world), times(world)]).toEqual([
      ["first", "resolved"],
      [0, 12 * MINUTE],
    ]);
    expect(world.open()).toEqual([]);
  });

  it("is not told to be over to those who never heard of it", () => {
    const world = createAlertWorld({ waitMs: 5 * MINUTE });
    world.fire();
    world.pass(MINUTE);
    world.end();
    world.pass(HOUR);
    expect(world.mails).toEqual([]);
    expect(world.incidents()).toMatchObject([{ state: "resolved", expireAt: expect.any(Date) }]);
  });

  it("tells what is new after a minute, and then in its own time", () => {
    const world = createAlertWorld({ groupBy: ["source"] });
    world.fire({ entityId: "a" });
    world.pass(10_000);
    for (const entityId of ["b", "c", "d"]) world.fire({ entityId });
    world.pass(2 * MINUTE);
    world.fire({ entityId: "e" });
    world.pass(10 * MINUTE);
    expect([reasons(world), times(world)]).toEqual([
      ["first", "new", "new"],
      [0, MINUTE, 6 * MINUTE],
    ]);
    expect(world.mails.map(({ notice }) => notice.alerts.length)).toEqual([1, 3, 1]);
  });

  it("says the same again after a while, and not to those who know of it", () => {
    const world = createAlertWorld();
    world.fire();
    for (let n = 0; n < 9; n++) {
      world.pass(30 * MINUTE);
      world.fire();
    }
    expect([reasons(world), times(world)]).toEqual([
      ["first", "repeat"],
      [0, 4 * HOUR],
    ]);
    world.acknowledge();
    world.fire();
    world.pass(24 * HOUR);
    expect(world.mails).toHaveLength(2);
    world.end();
    expect(reasons(world).at(-1)).toBe("resolved");
  });

  it("is told again when it gets worse, though somebody knows, and not when it gets better", () => {
    const world = createAlertWorld();
    world.fire({ severity: "info" });
    world.acknowledge();
    world.pass(10_000);
    world.fire({ severity: "critical" });
    expect(reasons(world)).toEqual(["first", "severity"]);
    expect(world.open()).toMatchObject([{ state: "open", severity: "critical" }]);
    world.fire({ severity: "warning" });
    world.fire({ severity: "critical" });
    world.pass(HOUR);
    expect(world.mails).toHaveLength(2);
  });

  it("is told once after hours in which nobody was there, and not once for each time that it was due", () => {
    const world = createAlertWorld({ groupBy: ["source"] });
    world.fire({ entityId: "a" });
    world.fire({ entityId: "b" }, false);
    world.sleep(30 * HOUR);
    world.send();
    expect(reasons(world)).toEqual(["first", "new"]);
    world.pass(HOUR);
    expect(world.mails).toHaveLength(2);
  });

  it("keeps the rule with which it began: a change of that mails nothing", () => {
    const world = createAlertWorld();
    world.fire();
    world.edit({ recipients: ["other@example.com"], repeatMs: 5 * MINUTE });
    world.pass(HOUR);
    world.fire();
    world.end();
    expect(world.mails.map(({ to }) => to)).toEqual(["ops@example.com", "ops@example.com"]);
    world.fire();
    expect(world.mails.at(-1)?.to).toBe("other@example.com");
  });

  it("holds its mails together: each answers the one before, and names the first", () => {
    const world = createAlertWorld({ groupBy: ["source"] });
    world.fire({ entityId: "a" });
    world.fire({ entityId: "b" });
    world.pass(MINUTE);
    world.resolveAll();
    const [first, second, last] = world.mails.map(({ notice }) => notice.mails[0]);
    expect(first?.inReplyTo).toBeUndefined();
    expect([second?.inReplyTo, second?.root]).toEqual([first?.messageId, first?.messageId]);
    expect([last?.inReplyTo, last?.root]).toEqual([second?.messageId, first?.messageId]);
    expect(new Set(world.mails.map(({ incident }) => incident.title)).size).toBe(1);
  });

  it("is marked as flapping when it comes and goes, is mailed less often each time, and its digest says how it ended", () => {
    const world = createAlertWorld();
    for (let n = 0; n < 100; n++) {
      world.fire();
      world.pass(3_000);
      world.end();
      world.pass(3_000);
    }
    expect(world.mails).toHaveLength(4);
    expect(world.incidents().filter(({ flapping }) => flapping).length).toBeGreaterThan(90);
    world.pass(HOUR);
    expect(
      world.digests.map(({ held, counts }) => [held.length, held[0]?.times, held[0]?.state, counts]),
    ).toEqual([[1, 196, "resolved", { warning: 196 }]]);
  });

  it("resolves by itself where nothing is heard of it any more, if its rule wants that", () => {
    const world = createAlertWorld({ autoResolveMs: 10 * MINUTE, groupBy: ["source"] });
    world.fire({ entityId: "a" });
    world.pass(8 * MINUTE);
    world.fire({ entityId: "b" });
    world.pass(5 * MINUTE);
    expect(world.open()).toMatchObject([{ firing: 1 }]);
    world.pass(10 * MINUTE);
    expect(world.open()).toEqual([]);
    expect(reasons(world).at(-1)).toBe("resolved");
  });
});

describe("what is held back", () => {
  it("by a silence is told at its end, if it still fires, and only once", () => {
    const world = createAlertWorld();
    world.silence(HOUR);
    world.fire();
    for (let n = 0; n < 5; n++) {
      world.pass(5 * MINUTE);
      world.fire();
    }
    expect(world.mails).toEqual([]);
    world.pass(2 * HOUR);
    expect([reasons(world), times(world)]).toEqual([["first"], [HOUR]]);
  });

  it("is told to be over even while it is silenced, to those who heard that it fires", () => {
    const world = createAlertWorld();
    world.fire();
    world.silence(HOUR);
    world.pass(MINUTE);
    world.end();
    expect(reasons(world)).toEqual(["first", "resolved"]);
  });

  it("by a silence does not hold back what that is not about", () => {
    const world = createAlertWorld({ groupBy: ["source"] });
    world.silence(HOUR, is("entity_id", "a"));
    world.fire({ entityId: "a" });
    expect(world.mails).toEqual([]);
    world.fire({ entityId: "b" });
    expect(world.mails.map(({ notice }) => notice.alerts.map(({ entityId }) => entityId))).toEqual([["b"]]);
    world.pass(2 * HOUR);
    expect(world.mails.map(({ notice }) => notice.alerts.map(({ entityId }) => entityId))).toEqual([
      ["b"],
      ["a"],
    ]);
  });

  it("by a silence about one thing holds back neither repeats of the others nor their escalation", () => {
    const escalation = { steps: [{ afterMs: 30 * MINUTE, recipients: ["lead@example.com"] }], rounds: 1 };
    const world = createAlertWorld({ groupBy: ["source"], repeatMs: HOUR, escalation });
    world.fire({ entityId: "b" });
    world.silence(10 * HOUR, is("entity_id", "a"));
    world.fire({ entityId: "a" });
    world.pass(2 * HOUR);
    expect([reasons(world), times(world)]).toEqual([
      ["first", "escalation", "repeat", "repeat"],
      [0, 30 * MINUTE, 90 * MINUTE, 90 * MINUTE],
    ]);
  });

  it("is not what had risen and is well again, while others fire on", () => {
    const world = createAlertWorld({ groupBy: ["source"], repeatMs: HOUR });
    world.fire({ entityId: "a" });
    world.silence(HOUR, is("entity_id", "b"));
    world.fire({ entityId: "b", severity: "critical" });
    world.pass(MINUTE);
    world.end({ entityId: "b" });
    world.pass(4 * HOUR);
    expect(reasons(world)).toEqual(["first", "repeat", "repeat", "repeat", "repeat"]);
  });

  it("by something greater is told once that has ended, whichever process is asked", () => {
    const world = createAlertWorld();
    world.inhibit(is("event_type", "host.down"), is("event_type", "disk.full"), ["entity_id"]);
    world.fire({ eventType: "host.down", entityId: "a" });
    world.fire({ entityId: "a" });
    world.fire({ entityId: "b" });
    expect(world.mails.map(({ incident }) => incident.latest.entityId)).toEqual(["a", "b"]);
    world.pass(HOUR);
    world.send();
    expect(world.mails).toHaveLength(2);
    world.end({ eventType: "host.down", entityId: "a" });
    expect(world.mails.slice(2).map(({ notice }) => notice.reason)).toEqual(["resolved", "first"]);
  });

  it("is held while its inhibitor is active, also for days, and is notified once the inhibitor is less severe", () => {
    const world = createAlertWorld({ repeatMs: 0 });
    const source = {
      match: [...is("event_type", "host.down").match, ...is("severity", "critical").match],
      any: [],
    };
    world.inhibit(source, is("event_type", "disk.full"), ["entity_id"]);
    world.fire({ eventType: "host.down", entityId: "a", severity: "critical" });
    world.fire({ entityId: "a" });
    world.pass(72 * HOUR);
    expect(world.mails).toHaveLength(1);
    world.fire({ eventType: "host.down", entityId: "a", severity: "warning" });
    expect(world.mails.map(({ notice }) => notice.alerts[0]?.eventType)).toEqual(["host.down", "disk.full"]);
    world.fire({ eventType: "host.down", entityId: "a", severity: "critical" });
    world.fire({ entityId: "a", eventType: "disk.full", severity: "critical" });
    world.pass(HOUR);
    expect(world.mails).toHaveLength(2);
  });

  it("is not held back by itself, nor by its like where both are greater and less", () => {
    const world = createAlertWorld();
    const any = { match: [], any: [] };
    world.inhibit(any, is("event_type", "disk.full"), []);
    world.fire({ entityId: "a" });
    world.fire({ entityId: "b" });
    expect(world.mails).toHaveLength(2);
  });

  it("by quiet hours waits for their end, unless it is critical", () => {
    // The world begins at noon.
    const quiet = { zone: "UTC", windows: [{ days: [], from: "11:00", to: "13:00" }] };
    const world = createAlertWorld({ quiet });
    world.fire({ entityId: "a" });
    world.fire({ entityId: "b", severity: "critical" });
    world.fire({ entityId: "c" });
    world.end({ entityId: "c" });
    world.pass(2 * HOUR);
    expect(world.mails.map(({ atMs, incident }) => [atMs, incident.latest.entityId])).toEqual([
      [0, "b"],
      [HOUR, "a"],
    ]);
    const strict = createAlertWorld({ quiet, quietHoldsCritical: true });
    strict.fire({ severity: "critical" });
    expect(strict.mails).toEqual([]);
  });
});

describe("escalation", () => {
  const steps = [
    { afterMs: 10 * MINUTE, recipients: ["lead@example.com"] },
    { afterMs: 20 * MINUTE, recipients: ["boss@example.com"] },
  ];

  it("goes from step to step, round by round, as long as nobody acknowledges", () => {
    const world = createAlertWorld({ repeatMs: 0, escalation: { steps, rounds: 2 } });
    world.fire();
    world.pass(24 * HOUR);
    expect(world.mails.map(({ atMs, to }) => [atMs / MINUTE, to])).toEqual([
      [0, "ops@example.com"],
      [10, "lead@example.com"],
      [30, "boss@example.com"],
      [40, "lead@example.com"],
      [60, "boss@example.com"],
    ]);
    expect(world.news.filter(({ type }) => type === "incident.escalated")).toHaveLength(4);
    world.end();
    expect(new Set(world.mails.slice(5).map(({ to }) => to)).size).toBe(3);
  });

  it("ends when somebody acknowledges, or when it is over", () => {
    for (const stop of ["acknowledge", "resolveAll"] as const) {
      const world = createAlertWorld({ escalation: { steps, rounds: 5 } });
      world.fire();
      world.pass(15 * MINUTE);
      world[stop]();
      world.pass(24 * HOUR);
      expect(world.mails.filter(({ notice }) => notice.reason === "escalation")).toHaveLength(1);
    }
  });
});

describe("the subject", () => {
  it("keeps what joins letters and emoji, and says what has happened where the message says nothing", () => {
    const world = createAlertWorld();
    world.fire({ message: "\u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f4bb}", entityId: "a" });
    world.fire({ message: "\u0000\u202e", entityId: "b" });
    expect(world.incidents().map(({ title }) => title)).toEqual([
      "[warning] node: \u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f4bb} (a)",
      "[warning] node: disk.full (b)",
    ]);
  });

  it("is one line of 100 characters at most, whatever an alert says", () => {
    const hostile = `a\r\nBcc: x@example.com\u0000\u202e${"b".repeat(10_000)}`;
    const world = createAlertWorld();
    world.fire({ message: hostile, source: hostile, entityType: hostile, entityId: hostile });
    const [incident] = world.incidents();
    expect([...(incident?.title ?? "")].length).toBeLessThanOrEqual(100);
    expect(incident?.title).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
