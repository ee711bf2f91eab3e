/**
 * Failures that users of other programs have reported, each with its guarantee here: what follows from the rules of incidents
 * alone. What needs a store is in `alert-restarts.test.ts`, the mail itself in `alert-mail.test.ts`. Tests elsewhere that are of
 * such reports, too:
 *
 * - prometheus/alertmanager#2648, #5447 quiet hours over midnight and on days of a change of clocks: `src/alerts/quiet-hours.test.ts`
 * - prometheus/alertmanager#226 an end is told though it is silenced: `src/alerts/settle.test.ts`
 * - prometheus/alertmanager#4723, #1774 the costs of rules and silences: `bench/alerts`
 * - keephq/keep#1632, #6300 lists go by an index: `test/store/store-functions.test.ts`
 * - prometheus/alertmanager#172, #560 what was sent, and why: `test/api/alerts.test.ts`, and the history in `test/core/alerts.test.ts`
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

describe("an end", () => {
  it("is mailed at once, and not at the next tick (prometheus/alertmanager#1510, #1660)", () => {
    const world = createAlertWorld({ intervalMs: 5 * MINUTE });
    world.fire();
    world.pass(7_000);
    world.end();
    expect([reasons(world), times(world)]).toEqual([
      ["first", "resolved"],
      [0, 7_000],
    ]);
  });

  it("is mailed though the rule is silent by then (grafana/oncall#5450)", () => {
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

  it("comes when all that fired is well, and not before (keephq/keep#3142)", () => {
    const world = createAlertWorld({ groupBy: ["source"] });
    const things = ["a", "b", "c"];
    for (const entityId of things) world.fire({ entityId });
    for (const entityId of things) {
      expect(world.open()).toHaveLength(1);
      world.end({ entityId });
      // Said twice, it ends nothing else.
      world.end({ entityId });
    }
    expect([world.open(), world.incidents().map(({ firing }) => firing)]).toEqual([[], [0]]);
    expect(reasons(world).filter((reason) => reason === "resolved")).toHaveLength(1);
  });
});

describe("what comes and goes", () => {
  it.each([1_000, 3_000, 3 * MINUTE])(
    "100 times is mailed within the ceiling, is marked so, and tells how it stands in the end, every %d ms (prometheus/alertmanager#204, #1063, #3048, #3846)",
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

describe("what fires while it is held back", () => {
  const quiet = { zone: "UTC", windows: [{ days: [], from: "11:00", to: "13:00" }] };

  it("is told within seconds of the end of quiet hours, and not when it would be repeated (prometheus/alertmanager#3367, #3617)", () => {
    const world = createAlertWorld({ quiet, repeatMs: 12 * HOUR });
    world.fire();
    world.pass(HOUR - 1);
    expect(world.mails).toEqual([]);
    world.pass(1_000);
    expect(reasons(world)).toEqual(["first"]);
  });

  it("goes on being decided about: it opens, rises, ends and is told as it stands then (PostHog/posthog#89862)", () => {
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

  it("and was told before is told to be new, at the end of the hours (prometheus/alertmanager#3617)", () => {
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

describe("quiet hours are what clocks in the zone show (prometheus/alertmanager#2648, #5447)", () => {
  const night = { days: [], from: "22:00", to: "07:00" };

  it.each([
    // Both changes of clocks of a year; New York leaves out 02:00 to 03:00 on 10 March 2030, and has 01:00 to 02:00 twice on 3 November.
    ["Europe/Berlin", "2030-03-30T21:00:00Z", "2030-03-31T05:00:00.000Z"],
    ["Europe/Berlin", "2030-10-26T20:00:00Z", "2030-10-27T06:00:00.000Z"],
    ["America/New_York", "2030-03-10T03:00:00Z", "2030-03-10T11:00:00.000Z"],
    ["America/New_York", "2030-11-03T02:00:00Z", "2030-11-03T12:00:00.000Z"],
    ["Pacific/Kiritimati", "2030-01-01T08:00:00Z", "2030-01-01T17:00:00.000Z"],
    ["Etc/GMT+12", "2030-01-01T10:00:00Z", "2030-01-01T19:00:00.000Z"],
  ])("in %s a night that begins at %s ends at %s", (zone, begin, end) => {
    const hours = compileQuietHours({ zone, windows: [night] });
    const before = new Date(Date.parse(begin) - 1);
    expect([hours.isQuiet(before), hours.isQuiet(new Date(begin))]).toEqual([false, true]);
    expect(hours.endsAt(new Date(begin))?.toISOString()).toBe(end);
  });
});

describe("severities", () => {
  it("are compared by their weight, and not as texts (keephq/keep#5086)", () => {
    const met = (op: "gte" | "lte" | "eq", found: string, value: string) =>
      compileCondition({ field: "severity", op, value })(alertOf({ severity: found as never })) === "holds";
    for (const [a, one] of severities.entries())
      for (const [b, other] of severities.entries()) {
        expect([severityRank(one) < severityRank(other), met("gte", one, other)]).toEqual([a < b, a >= b]);
        expect([met("lte", one, other), met("eq", one, other)]).toEqual([a <= b, a === b]);
      }
  });

  it("that rise are told though somebody has acknowledged less, those that fall are not (keephq/keep#1250)", () => {
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
  it("stays, with who gave it, whatever is repeated (prometheus/alertmanager#2292)", () => {
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

  it("stops the steps, and those that were due beside it (grafana/oncall#4760)", () => {
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
  it("tell apart what is empty, what is missing, and what looks alike", () => {
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

  it("are the same for the same words, whatever else an alert says", () => {
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

describe("hostile values to compare with (prometheus/alertmanager#3279)", () => {
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

  it.each(hostile)("stand for themselves, and for nothing else: %j", (value) => {
    for (const op of ["eq", "prefix", "glob", "contains"] as const) {
      // A star alone is more than itself, in a glob.
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

describe("time that passes", () => {
  it("leaves the repeats of an incident as they are, however long it is open (SigNoz/signoz#10043)", () => {
    // The world keeps incidents that are over for a year.
    const world = createAlertWorld({ repeatMs: 30 * DAY, ceiling: 1_000 });
    world.fire();
    world.pass(3 * 366 * DAY);
    expect(times(world)).toEqual(Array.from({ length: 37 }, (_, n) => n * 30 * DAY));
    expect(world.open()).toHaveLength(1);
  });
});
