/**
 * Failures that users of other programs have reported, each with its guarantee here, if it only depends on the rules
 * of incidents. Tests that need a store are in `alert-restarts.test.ts`, those of the mail itself in
 * `alert-mail.test.ts`. Further tests of such reports:
 *
 * - prometheus/alertmanager#2648, #5447 quiet hours over midnight and on days of a clock change:
 *   `src/alerts/quiet-hours.test.ts`
 * - prometheus/alertmanager#226 a resolution is notified although it is silenced: `src/alerts/settle.test.ts`
 * - prometheus/alertmanager#4723, #1774 the costs of rules and silences: `bench/alerts`
 * - keephq/keep#1632, #6300 lists use an index: `test/store/store-functions.test.ts`
 * - prometheus/alertmanager#172, #560 sent notifications and their reasons: `test/api/alerts.test.ts`, and the
 *   history in `test/core/alerts.test.ts`
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Alert, severities, severityRank } from "../../src/alerts/alert.ts";
import { type Condition, compileCondition } from "../../src/alerts/condition.ts";
import { fingerprintOf } from "../../src/alerts/group-key.ts";
import { compileQuietHours } from "../../src/alerts/quiet-hours.ts";
import { createAlertWorld } from "../harness/alert-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
type World = ReturnType<typeof createAlertWorld>;

const reasons = ({ mails }: World) => mails.map(({ notice }) => notice.reason);
const times = ({ mails }: World) => mails.map(({ atMs }) => atMs);
const is = (field: string, value: string) => ({ match: [{ field, op: "eq" as const, value }], any: [] });
const alertOf = (given: Partial<Alert> = {}): Alert => ({
  eventType: "e",
  severity: "info",
  source: "s",
  message: "m",
  context: {},
  ...given,
});

describe("a resolution", () => {
  it("is mailed immediately, and not at the next tick (prometheus/alertmanager#1510, #1660)", () => {
    const world = createAlertWorld({ intervalMs: 5 * MINUTE });
    world.fire();
    world.pass(7_000);
    world.end();
    expect([reasons(world), times(world)]).toEqual([
      ["first", "resolved"],
      [0, 7_000],
    ]);
  });

  it("is mailed although the rule is silenced by then (grafana/oncall#5450)", () => {
    const quiet = { zone: "UTC", windows: [{ days: [], from: "12:30", to: "11:00" }] };
    const world = createAlertWorld({ quiet, quietHoldsCritical: true, repeatMs: 0 });
    world.fire({ severity: "critical" });
    world.pass(HOUR);
    world.silence(DAY);
    world.acknowledge();
    world.end();
    expect([reasons(world), times(world)]).toEqual([
      ["first", "resolved"],
      [0, HOUR],
    ]);
  });

  it("is sent when all alerts are resolved, and not before (keephq/keep#3142)", () => {
    const world = createAlertWorld({ groupBy: ["source"] });
    const things = ["a", "b", "c"];
    for (const entityId of things) world.fire({ entityId });
    for (const entityId of things) {
      expect(world.open()).toHaveLength(1);
      world.end({ entityId });
      // A repetition resolves nothing else.
      world.end({ entityId });
    }
    expect([world.open(), world.incidents().map(({ firing }) => firing)]).toEqual([[], [0]]);
    expect(reasons(world).filter((reason) => reason === "resolved")).toHaveLength(1);
  });
});

describe("a flapping alert", () => {
  it.each([1_000, 3_000, 3 * MINUTE])(
    "that changes 100 times every %d ms is mailed within the limit, is marked, and reports its final state (prometheus/alertmanager#204, #1063, #3048, #3846)",
    (everyMs) => {
      for (const last of ["firing", "resolved"] as const) {
        const world = createAlertWorld({ ceiling: 10 });
        for (let n = 0; n < 100; n++) {
          world.fire();
          world.pass(everyMs);
          if (n < 99 || last === "resolved") world.end();
          world.pass(everyMs);
        }
        for (const { atMs } of world.mails) {
          const inHour = times(world).filter((ms) => ms >= atMs && ms < atMs + HOUR);
          expect(inHour.length).toBeLessThanOrEqual(10);
        }
        const isFlapping = everyMs < MINUTE;
        expect(world.incidents().some(({ flapping }) => flapping)).toBe(isFlapping);
        world.pass(20 * MINUTE);
        const told = world.mails.map(({ notice, atMs }) => ({ state: notice.state as string, atMs }));
        const digests = world.digests.map(({ held, at }) => ({
          state: (held[0]?.state ?? "") as string,
          atMs: at.getTime() - Date.parse("2030-01-01T12:00:00Z"),
        }));
        const [final] = [...told, ...digests].sort((a, b) => b.atMs - a.atMs);
        expect(final?.state).toBe(last === "resolved" ? "resolved" : "open");
      }
    },
  );
});

describe("an alert that is active while it is suppressed", () => {
  const quiet = { zone: "UTC", windows: [{ days: [], from: "11:00", to: "13:00" }] };

  it("is notified within seconds of the end of quiet hours, and not at its repeat time (prometheus/alertmanager#3367, #3617)", () => {
    const world = createAlertWorld({ quiet, repeatMs: 12 * HOUR });
    world.fire();
    world.pass(HOUR - 1);
    expect(world.mails).toEqual([]);
    world.pass(1_000);
    expect(reasons(world)).toEqual(["first"]);
  });

  it("is still evaluated: it opens, rises, is resolved and is notified in its final state (PostHog/posthog#89862)", () => {
    const world = createAlertWorld({ quiet, quietHoldsCritical: true });
    world.fire({ entityId: "a", severity: "info" });
    world.fire({ entityId: "b" });
    world.pass(10 * MINUTE);
    world.fire({ entityId: "a", severity: "critical" });
    world.end({ entityId: "b" });
    expect(world.incidents().map(({ state, severity }) => [state, severity])).toEqual([
      ["open", "critical"],
      ["resolved", "warning"],
    ]);
    world.pass(HOUR);
    expect(world.mails.map(({ notice }) => [notice.reason, notice.severity])).toEqual([
      ["first", "critical"],
    ]);
  });

  it("and was notified before is notified again at the end of the quiet hours (prometheus/alertmanager#3617)", () => {
    const later = { zone: "UTC", windows: [{ days: [], from: "12:30", to: "13:30" }] };
    const world = createAlertWorld({ quiet: later, groupBy: ["source"] });
    world.fire({ entityId: "a" });
    world.pass(40 * MINUTE);
    world.fire({ entityId: "b" });
    world.pass(HOUR);
    expect([reasons(world), times(world)]).toEqual([
      ["first", "new"],
      [0, 90 * MINUTE],
    ]);
  });
});

describe("quiet hours follow the local time of their zone (prometheus/alertmanager#2648, #5447)", () => {
  const night = { days: [], from: "22:00", to: "07:00" };

  it.each([
    // Both clock changes of a year: New York skips 02:00 to 03:00 on 10 March 2030, and has 01:00 to 02:00 twice on 3
    // November.
    ["Europe/Berlin", "2030-03-30T21:00:00Z", "2030-03-31T05:00:00.000Z"],
    ["Europe/Berlin", "2030-10-26T20:00:00Z", "2030-10-27T06:00:00.000Z"],
    ["America/New_York", "2030-03-10T03:00:00Z", "2030-03-10T11:00:00.000Z"],
    ["America/New_York", "2030-11-03T02:00:00Z", "2030-11-03T12:00:00.000Z"],
    ["Pacific/Kiritimati", "2030-01-01T08:00:00Z", "2030-01-01T17:00:00.000Z"],
    ["Etc/GMT+12", "2030-01-01T10:00:00Z", "2030-01-01T19:00:00.000Z"],
  ])("in %s, quiet hours that begin at %s end at %s", (zone, begin, end) => {
    const hours = compileQuietHours({ zone, windows: [night] });
    const before = new Date(Date.parse(begin) - 1);
    expect([hours.isQuiet(before), hours.isQuiet(new Date(begin))]).toEqual([false, true]);
    expect(hours.endsAt(new Date(begin))?.toISOString()).toBe(end);
  });
});

describe("severities", () => {
  it("are compared by their rank, and not as texts (keephq/keep#5086)", () => {
    const met = (op: "gte" | "lte" | "eq", found: string, value: string) =>
      compileCondition({ field: "severity", op, value })(alertOf({ severity: found as never })) === "holds";
    for (const [a, one] of severities.entries())
      for (const [b, other] of severities.entries()) {
        expect([severityRank(one) < severityRank(other), met("gte", one, other)]).toEqual([a < b, a >= b]);
        expect([met("lte", one, other), met("eq", one, other)]).toEqual([a <= b, a === b]);
      }
  });

  it("that rise are notified although a member has acknowledged a lower one, those that fall are not (keephq/keep#1250)", () => {
    for (const [a, one] of severities.entries())
      for (const [b, other] of severities.entries()) {
        const world = createAlertWorld();
        world.fire({ severity: one });
        world.acknowledge();
        world.pass(MINUTE);
        world.fire({ severity: other });
        world.pass(HOUR);
        expect(reasons(world)).toEqual(b > a ? ["first", "severity"] : ["first"]);
        expect(world.open()[0]?.state).toBe(b > a ? "open" : "acknowledged");
      }
  });
});

describe("an acknowledgement", () => {
  it("stays, with its author, after any repeats (prometheus/alertmanager#2292)", () => {
    const world = createAlertWorld({ groupBy: ["source"] });
    world.fire({ entityId: "a" });
    world.acknowledge();
    for (let n = 0; n < 50; n++) {
      world.pass(10 * MINUTE);
      world.fire({ entityId: n % 2 === 0 ? "a" : "b", message: `again, ${n}` });
    }
    expect(world.open()).toMatchObject([{ state: "acknowledged", acknowledgedBy: "ada" }]);
    expect(reasons(world)).toEqual(["first"]);
  });

  it("stops the escalation steps, and the repeats that were due (grafana/oncall#4760)", () => {
    const steps = [{ afterMs: 10 * MINUTE, recipients: ["lead@example.com"] }];
    const world = createAlertWorld({ escalation: { steps, rounds: 5 }, repeatMs: 10 * MINUTE });
    world.fire();
    world.sleep(9 * MINUTE);
    world.acknowledge();
    world.pass(DAY);
    expect(reasons(world)).toEqual(["first"]);
  });
});

describe("keys by which alerts are the same (prometheus/alertmanager#958, #2316, #5251)", () => {
  it("distinguish empty, missing and similar values", () => {
    const e = "caf\u00e9";
    const all = [
      fingerprintOf({ alert: alertOf() }),
      fingerprintOf({ alert: alertOf({ entityId: "" }) }),
      fingerprintOf({ alert: alertOf({ entityId: "s" }) }),
      fingerprintOf({ alert: alertOf({ entityType: "" }) }),
      fingerprintOf({ alert: alertOf({ entityId: "null" }) }),
      fingerprintOf({ alert: alertOf({ entityId: e }) }),
      fingerprintOf({ alert: alertOf({ entityId: e.normalize("NFD") }) }),
      fingerprintOf({ alert: alertOf({ entityId: `${e}\u200b` }) }),
      fingerprintOf({ alert: alertOf({ entityId: "a", entityType: "b" }) }),
      fingerprintOf({ alert: alertOf({ entityId: "b", entityType: "a" }) }),
      fingerprintOf({ alert: alertOf(), dedupKey: "" }),
      fingerprintOf({ alert: alertOf(), dedupKey: e }),
      fingerprintOf({ alert: alertOf(), dedupKey: e.normalize("NFD") }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it("are the same for the same values, independent of other fields", () => {
    const text = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(text, text, text, (entityId, message, source) => {
        const first = alertOf({ entityId });
        const again = alertOf({ entityId, message, source, severity: "critical", context: { message } });
        expect(fingerprintOf({ alert: again })).toBe(fingerprintOf({ alert: first }));
        const dedupKey = entityId;
        expect(fingerprintOf({ alert: again, dedupKey })).toBe(fingerprintOf({ alert: first, dedupKey }));
      }),
    );
  });
});

describe("special characters in values of conditions (prometheus/alertmanager#3279)", () => {
  const hostile = [
    'a"b',
    '"',
    "'",
    "}",
    ".*",
    "^a.b$",
    "(a|b)",
    "a\\",
    "[a-",
    "a+",
    "$",
    "{{ a }}",
    "\u0000",
    "\n",
  ];
  const asks = (op: Condition["op"], value: string, entityId: string) =>
    compileCondition({ field: "entity_id", op, value })(alertOf({ entityId })) === "holds";

  it.each(hostile)("are compared literally: %j", (value) => {
    for (const op of ["eq", "prefix", "glob", "contains"] as const) {
      // A star in a glob matches other text than itself.
      if (!(op === "glob" && value.includes("*"))) expect(asks(op, value, "anything")).toBe(false);
      expect(asks(op, value, value)).toBe(true);
    }
    const world = createAlertWorld();
    world.silence(HOUR, is("entity_id", value));
    world.fire({ entityId: "a.b" });
    world.fire({ entityId: value });
    expect(world.mails.map(({ incident }) => incident.latest.entityId)).toEqual(["a.b"]);
  });
});

describe("elapsed time", () => {
  it("does not change the repeats of an incident, for any duration (SigNoz/signoz#10043)", () => {
    // The world keeps resolved incidents for a year.
    const world = createAlertWorld({ repeatMs: 30 * DAY, ceiling: 1_000 });
    world.fire();
    world.pass(3 * 366 * DAY);
    expect(times(world)).toEqual(Array.from({ length: 37 }, (_, n) => n * 30 * DAY));
    expect(world.open()).toHaveLength(1);
  });
});
