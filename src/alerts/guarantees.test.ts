import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAlertWorld } from "../../test/harness/alert-world.ts";
import { type Severity, severities, severityRank } from "./alert.ts";
import { compileMatchers } from "./condition.ts";
import type { QuietHours } from "./quiet-hours.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Step =
  | { readonly do: "fire" | "die"; readonly name: string; readonly severity: Severity }
  | { readonly do: "end"; readonly name: string }
  | { readonly do: "storm"; readonly count: number; readonly severity: Severity }
  | { readonly do: "calm" }
  | { readonly do: "pass" | "sleep"; readonly ms: number }
  | { readonly do: "acknowledge" };

const name = fc.constantFrom("a", "b", "c", "d");
const severity = fc.constantFrom(...severities);
const ms = fc.constantFrom(1, 10_000, MINUTE, 7 * MINUTE, 40 * MINUTE, 5 * HOUR);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 7, arbitrary: fc.record({ do: fc.constant("fire" as const), name, severity }) },
    // A process that ends before it sends a notice.
    { weight: 2, arbitrary: fc.record({ do: fc.constant("die" as const), name, severity }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("end" as const), name }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("pass" as const, "sleep" as const), ms }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("acknowledge" as const) }) },
  ),
  { maxLength: 40 },
);
const rules = fc.record({
  groupBy: fc.constantFrom(undefined, ["source"]),
  ceiling: fc.constantFrom(1, 2, 20),
  waitMs: fc.constantFrom(0, 0, 2 * MINUTE),
  // Without repeats, which would hide missing notifications.
  repeatMs: fc.constant(0),
  quiet: fc.constantFrom<(QuietHours | undefined)[]>(undefined, {
    zone: "UTC",
    windows: [{ days: [], from: "12:30", to: "21:00" }],
  }),
});

interface Rule {
  readonly groupBy: readonly string[] | undefined;
  readonly ceiling: number;
  readonly waitMs: number;
  readonly repeatMs: number;
  readonly quiet: QuietHours | undefined;
}

/** Runs steps, and tracks active alerts independently. */
function run({ groupBy, quiet, ...rule }: Rule, all: readonly Step[]) {
  const world = createAlertWorld({ ...rule, ...(groupBy && { groupBy }), ...(quiet && { quiet }) });
  const active = new Map<string, Severity>();
  let checked = 0;
  const checkEnds = () => {
    for (const { notice, incident } of world.mails.slice(checked)) {
      if (notice.reason !== "resolved") continue;
      // With a group, no alert of the group may be active. Without a group, the alert itself may not be active.
      const name = incident.latest.entityId ?? "";
      expect(groupBy ? active.size : Number(active.has(name))).toBe(0);
    }
    checked = world.mails.length;
  };
  for (const step of all) {
    if (step.do === "fire" || step.do === "die") {
      active.set(step.name, step.severity);
      world.fire({ entityId: step.name, severity: step.severity }, step.do === "fire");
    } else if (step.do === "storm") {
      for (let n = 0; n < step.count; n++) {
        active.set(`s${n}`, step.severity);
        world.fire({ entityId: `s${n}`, severity: step.severity }, false);
      }
      world.send();
    } else if (step.do === "end") {
      // The resolution is mailed before the same alert opens again.
      world.send();
      active.delete(step.name);
      world.end({ entityId: step.name });
      checkEnds();
    } else if (step.do === "calm") {
      for (const name of [...active.keys()]) {
        active.delete(name);
        world.end({ entityId: name });
        checkEnds();
      }
    } else if (step.do === "acknowledge") world.acknowledge();
    else if ("ms" in step) world[step.do](step.ms);
  }
  return { world, active };
}

describe("for random alerts, severities, groups, limits, quiet hours, resolutions and process crashes", () => {
  it("every critical alert is notified, and no active alert is reported as resolved", () => {
    fc.assert(
      fc.property(rules, steps, (rule, all) => {
        const { world, active } = run(rule, all);
        world.pass(DAY);
        for (const [name, current] of active) {
          if (current !== "critical") continue;
          const named = world.mails.flatMap(({ notice }) =>
            notice.reason === "resolved" ? [] : notice.alerts,
          );
          // The last e-mail about the alert has the severity critical.
          expect(named.findLast(({ entityId }) => entityId === name)?.severity).toBe("critical");
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it("counts and severities are exact, and all news is notified", () => {
    fc.assert(
      fc.property(rules, steps, (rule, all) => {
        const { world, active } = run(rule, all);
        world.pass(DAY);
        const open = world.open();
        expect(open.reduce((sum, { firing }) => sum + firing, 0)).toBe(active.size);
        for (const incident of open) {
          expect(incident.untoldCritical ?? 0).toBe(0);
          if (incident.state === "open") expect(incident.untold).toBe(0);
          const own = rule.groupBy ? [...active.values()] : [active.get(incident.latest.entityId ?? "")];
          for (const one of own)
            expect(severityRank(incident.severity)).toBeGreaterThanOrEqual(severityRank(one ?? "info"));
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it("a digest lists each alert once, highest severity first, and counts each notice", () => {
    fc.assert(
      fc.property(rules, steps, (rule, all) => {
        const { world } = run({ ...rule, ceiling: 1 }, all);
        world.pass(DAY);
        for (const { held, more, counts = {} } of world.digests) {
          const keys = held.map(({ groupKey }) => groupKey);
          expect(new Set(keys).size).toBe(keys.length);
          const ranks = held.map((one) => severityRank(one.severity));
          expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
          const notices = held.reduce((sum, { times = 1 }) => sum + times, more);
          expect(Object.values(counts).reduce((a, b) => a + b, 0)).toBe(notices);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("a group of more than 1,000 alerts is as exact as a small one", () => {
    const storms = fc.record({
      before: severity,
      late: fc.array(fc.record({ do: fc.constant("fire" as const), name, severity }), {
        minLength: 1,
        maxLength: 6,
      }),
      count: fc.integer({ min: 1_000, max: 1_010 }),
    });
    fc.assert(
      fc.property(rules, storms, (rule, { before, late, count }) => {
        const grouped = { ...rule, groupBy: ["source"] };
        const storm = { do: "storm" as const, count, severity: before };
        const { world, active } = run(grouped, [storm, { do: "pass", ms: HOUR }, ...late]);
        world.pass(DAY);
        const [incident] = world.open();
        expect(incident?.firing).toBe(active.size);
        const worst = Math.max(...[storm, ...late].map((one) => severityRank(one.severity)));
        expect(incident?.severity).toBe(severities[worst]);
        for (const [name, current] of active)
          if (current === "critical" && !name.startsWith("s"))
            expect(
              world.mails.some(({ notice }) =>
                notice.alerts.some((one) => one.entityId === name && one.severity === "critical"),
              ),
            ).toBe(true);
      }),
      { numRuns: 3 },
    );
  });

  it("a group of more than 1,000 alerts resolves with its last alert", () => {
    const rule = { groupBy: ["source"], ceiling: 20, waitMs: 0, repeatMs: 0, quiet: undefined };
    const storm = { do: "storm" as const, count: 1_010, severity: "info" as const };
    const { world } = run(rule, [storm, { do: "pass", ms: HOUR }, { do: "calm" }]);
    expect(world.open()).toEqual([]);
    expect(world.mails.filter(({ notice }) => notice.reason === "resolved")).toHaveLength(1);
  });
});

describe("the notification limit", () => {
  const mailed = (world: ReturnType<typeof createAlertWorld>) =>
    world.mails.map(({ notice }) => `${notice.reason} ${notice.severity}`);

  it("never delays a critical alert", () => {
    const world = createAlertWorld({ ceiling: 2 });
    for (const entityId of ["a", "b", "c", "d"]) world.fire({ entityId, severity: "info" });
    world.fire({ entityId: "e", severity: "critical" });
    world.fire({ entityId: "d", severity: "critical" });
    expect(mailed(world)).toEqual(["first info", "first info", "first critical", "severity critical"]);
  });

  it("lets the first notice of a higher severity pass and delays the next one", () => {
    const world = createAlertWorld({ ceiling: 1 });
    world.fire({ entityId: "a", severity: "info" });
    world.fire({ entityId: "b", severity: "warning" });
    world.fire({ entityId: "c", severity: "warning" });
    expect(mailed(world)).toEqual(["first info", "first warning"]);
  });

  it("is not used up by an alert that opens and resolves repeatedly", () => {
    const world = createAlertWorld({ repeatMs: 0 });
    for (let n = 0; n < 200; n++) {
      world.fire({ entityId: "flapping", severity: "info" });
      world.pass(3_000);
      world.end({ entityId: "flapping" });
      world.pass(3_000);
      if (n % 20 === 0) world.fire({ entityId: `other-${n}`, severity: "info" });
    }
    const others = world.mails.filter(({ incident }) => incident.latest.entityId !== "flapping");
    expect(others).toHaveLength(10);
    expect(world.mails.length - others.length).toBeLessThanOrEqual(10);
    world.pass(HOUR);
    for (const { held } of world.digests) expect(held).toHaveLength(1);
  });

  it("delays digests until the end of quiet hours", () => {
    const quiet = { zone: "UTC", windows: [{ days: [], from: "12:10", to: "14:00" }] };
    const world = createAlertWorld({ ceiling: 1, quiet, repeatMs: 0 });
    for (const entityId of ["a", "b"]) world.fire({ entityId });
    world.pass(HOUR);
    expect(world.digests).toEqual([]);
    world.pass(HOUR);
    expect(world.digests.map(({ at }) => at.toISOString())).toEqual(["2030-01-01T14:00:00.000Z"]);
  });
});

describe("one alert of a group", () => {
  const grouped = { groupBy: ["source"], repeatMs: 0 };
  const reasons = (world: ReturnType<typeof createAlertWorld>) =>
    world.mails.map(({ notice }) => notice.reason);

  it("is notified when it turns critical while another one is critical", () => {
    const world = createAlertWorld(grouped);
    world.fire({ entityId: "a", severity: "critical" });
    world.fire({ entityId: "b", severity: "warning" });
    world.pass(10 * MINUTE);
    world.fire({ entityId: "b", severity: "critical" });
    expect(reasons(world)).toEqual(["first", "new", "severity"]);
    expect(world.mails.at(-1)?.notice.alerts.map(({ entityId }) => entityId)).toEqual(["b"]);
    world.fire({ entityId: "b", severity: "critical" });
    world.pass(HOUR);
    expect(world.mails).toHaveLength(3);
  });

  it("is notified in quiet hours when it turns critical, together with alerts that were waiting", () => {
    const quiet = { zone: "UTC", windows: [{ days: [], from: "12:05", to: "14:00" }] };
    const world = createAlertWorld({ ...grouped, quiet });
    world.fire({ entityId: "a", severity: "critical" });
    world.pass(10 * MINUTE);
    world.fire({ entityId: "b", severity: "warning" });
    world.pass(10 * MINUTE);
    expect(reasons(world)).toEqual(["first"]);
    world.fire({ entityId: "b", severity: "critical" });
    expect(reasons(world)).toEqual(["first", "severity"]);
  });

  it("is notified after an acknowledgement when it turns critical, or when it is new and critical", () => {
    const world = createAlertWorld(grouped);
    world.fire({ entityId: "a", severity: "critical" });
    world.fire({ entityId: "b", severity: "warning" });
    world.pass(10 * MINUTE);
    world.acknowledge();
    world.fire({ entityId: "c", severity: "critical" });
    world.pass(10 * MINUTE);
    expect([reasons(world), world.open()[0]?.state]).toEqual([["first", "new", "new"], "acknowledged"]);
    world.fire({ entityId: "b", severity: "critical" });
    expect([reasons(world).at(-1), world.open()[0]?.state]).toEqual(["severity", "open"]);
  });

  it("is notified again if the last notice had a lower severity", () => {
    const world = createAlertWorld({ ...grouped, repeatMs: HOUR });
    world.fire({ entityId: "a", severity: "critical" });
    world.fire({ entityId: "a", severity: "info" });
    world.pass(HOUR);
    world.fire({ entityId: "a", severity: "critical" });
    world.pass(2 * MINUTE);
    expect(reasons(world)).toEqual(["first", "repeat", "severity"]);
  });
});

describe("a silence", () => {
  /** More than is stored with an active alert: names, long texts and depth. */
  const contexts = fc.record({
    names: fc.constantFrom(1, 99, 100, 101, 150),
    length: fc.constantFrom(1, 499, 500, 501, 4_000),
    last: fc.constantFrom("staging", "production"),
  });
  const contextOf = ({ names, length, last }: { names: number; length: number; last: string }) => ({
    ...Object.fromEntries(Array.from({ length: names }, (_, n) => [`name_${n}`, "x"])),
    text: `${"y".repeat(length)}${last}`,
    env: last,
  });
  const matchers = fc.constantFrom(
    { field: "context.env", op: "eq" as const, value: "staging" },
    { field: "context.text", op: "contains" as const, value: "staging" },
    { field: "context.name_149", op: "exists" as const, value: true },
    { field: "context.env", op: "ne" as const, value: "production" },
  );

  it("suppresses exactly the alerts that meet its conditions, for any context", () => {
    fc.assert(
      fc.property(contexts, matchers, fc.boolean(), (given, condition, isGrouped) => {
        const world = createAlertWorld({ repeatMs: 0, ...(isGrouped && { groupBy: ["source"] }) });
        const context = contextOf(given);
        const alert = {
          entityId: "a",
          eventType: "e",
          source: "node",
          message: "m",
          severity: "info" as const,
        };
        world.silence(HOUR, { match: [condition], any: [] });
        world.fire({ ...alert, context });
        const isMet = compileMatchers({ match: [condition], any: [] })({ ...alert, context });
        expect(world.mails.length).toBe(isMet ? 0 : 1);
      }),
      { numRuns: 300 },
    );
  });
});
