import { describe, expect, it } from "vitest";
import { createAlertWorld } from "../../test/harness/alert-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
type World = ReturnType<typeof createAlertWorld>;

const reasons = ({ mails }: World) => mails.map(({ notice }) => notice.reason);
const times = ({ mails }: World) => mails.map(({ atMs }) => atMs);
const is = (field: string, value: string) => ({ match: [{ field, op: "eq" as const, value }], any: [] });

describe("an incident", () => {
  it("is notified at once, and its resolution as soon as it is known", () => {
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

  it("has no resolution notice for recipients that were not notified of it", () => {
    const world = createAlertWorld({ waitMs: 5 * MINUTE });
    world.fire();
    world.pass(MINUTE);
    world.end();
    world.pass(HOUR);
    expect(world.mails).toEqual([]);
    expect(world.incidents()).toMatchObject([{ state: "resolved", expireAt: expect.any(Date) }]);
  });

  it("notifies new alerts after a minute, then at the interval of the rule", () => {
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

  it("repeats a notice after an interval, but not after an acknowledgement", () => {
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

  it("is notified again when its severity rises, even if acknowledged, but not when it falls", () => {
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

  it("is notified once after a downtime, not once per missed due time", () => {
    const world = createAlertWorld({ groupBy: ["source"] });
    world.fire({ entityId: "a" });
    world.fire({ entityId: "b" }, false);
    world.sleep(30 * HOUR);
    world.send();
    expect(reasons(world)).toEqual(["first", "new"]);
    world.pass(HOUR);
    expect(world.mails).toHaveLength(2);
  });

  it("keeps the rule version with which it was opened, and a rule change sends no e-mail", () => {
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

  it("keeps its e-mails in one thread: each replies to the previous one and references the first", () => {
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

  it("is marked as flapping when it reopens often, is mailed less often, and its digest shows the final state", () => {
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

  it("resolves after the auto-resolve time without an update", () => {
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

describe("a suppressed notification", () => {
  it("of a silenced alert is sent once at the end of the silence if the alert is still active", () => {
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

  it("does not delay the resolution notice for recipients that know of the incident", () => {
    const world = createAlertWorld();
    world.fire();
    world.silence(HOUR);
    world.pass(MINUTE);
    world.end();
    expect(reasons(world)).toEqual(["first", "resolved"]);
  });

  it("of a silenced alert does not suppress other alerts", () => {
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

  it("of a silenced alert suppresses neither repeats nor escalations of other alerts", () => {
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

  it("is dropped if the alert that raised the severity is resolved while others are active", () => {
    const world = createAlertWorld({ groupBy: ["source"], repeatMs: HOUR });
    world.fire({ entityId: "a" });
    world.silence(HOUR, is("entity_id", "b"));
    world.fire({ entityId: "b", severity: "critical" });
    world.pass(MINUTE);
    world.end({ entityId: "b" });
    world.pass(4 * HOUR);
    expect(reasons(world)).toEqual(["first", "repeat", "repeat", "repeat", "repeat"]);
  });

  it("of an inhibited alert is sent once when the inhibiting alert is resolved, in any process", () => {
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

  it("of an inhibited alert waits for days if needed, and is sent when the inhibiting alert is less severe", () => {
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

  it("is not caused by the alert itself, nor by alerts that match both source and target", () => {
    const world = createAlertWorld();
    const any = { match: [], any: [] };
    world.inhibit(any, is("event_type", "disk.full"), []);
    world.fire({ entityId: "a" });
    world.fire({ entityId: "b" });
    expect(world.mails).toHaveLength(2);
  });

  it("in quiet hours is sent at their end, unless it is critical", () => {
    // Simulated time begins at noon.
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

  it("goes through all steps and rounds until an acknowledgement", () => {
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

  it("ends with an acknowledgement or with the resolution", () => {
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
  it("keeps joiners of letters and emoji, and shows the event type if the message is empty", () => {
    const world = createAlertWorld();
    world.fire({ message: "\u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f4bb}", entityId: "a" });
    world.fire({ message: "\u0000\u202e", entityId: "b" });
    expect(world.incidents().map(({ title }) => title)).toEqual([
      "[warning] node: \u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f4bb} (a)",
      "[warning] node: disk.full (b)",
    ]);
  });

  it("is one line of 100 characters at most, for any alert", () => {
    const hostile = `a\r\nBcc: x@example.com\u0000\u202e${"b".repeat(10_000)}`;
    const world = createAlertWorld();
    world.fire({ message: hostile, source: hostile, entityType: hostile, entityId: hostile });
    const [incident] = world.incidents();
    expect([...(incident?.title ?? "")].length).toBeLessThanOrEqual(100);
    expect(incident?.title).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
