import fc from "fast-check";
import { expect, it } from "vitest";
import { createAlertModel, modelSchedules, PRIMARY, TICK_MS } from "../../test/harness/alert-model.ts";
import { notified, receivers, runRules, worldOf } from "../../test/harness/alert-runs.ts";
import type { Matchers } from "./condition.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const name = fc.constantFrom("a", "b", "c");
const severity = fc.constantFrom("info", "warning", "critical");
const ms = fc.constantFrom(TICK_MS, MINUTE, 4 * MINUTE, 11 * MINUTE, 70 * MINUTE, 5 * HOUR);
const lasting = fc.constantFrom(HOUR, 7 * HOUR, 100 * DAY);
/** Around the simulated time, which begins on a Tuesday at noon. Windows may cross midnight. */
const window = fc
  .record({
    days: fc.constantFrom([], [2], [2, 3], [1, 7]),
    start: fc.integer({ min: 0, max: 95 }),
    length: fc.integer({ min: 1, max: 95 }),
  })
  .map(({ days, start, length }) => ({ days, from: start * 15, to: ((start + length) % 96) * 15 }));
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("fire" as const), name, severity }) },
    // A process that ends before it sends a notice.
    { weight: 2, arbitrary: fc.record({ do: fc.constant("die" as const), name, severity }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("end" as const), name }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("silence" as const), name, ms }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("snooze" as const), ms }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("weekly" as const), name, ms: lasting, window }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("override" as const),
        schedule: fc.constantFrom(...modelSchedules),
        person: fc.constantFrom(PRIMARY[1], "zoe@example.com"),
        ms,
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("endSilences" as const) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("pass" as const, "sleep" as const), ms }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom(
          "acknowledge" as const,
          "unacknowledge" as const,
          "endSnooze" as const,
          "resolve" as const,
          "reopen" as const,
          "edit" as const,
        ),
      }),
    },
  ),
  { maxLength: 30 },
);
const matchersOf = (value: string): Matchers => ({
  match: [{ field: "entity_id", op: "eq", value }],
  any: [],
});

const timeOfDay = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

it("for random rules, alerts, on-call schedules, silences, snoozes, acknowledgements and their withdrawals, resolutions and reopenings, changes and crashes, the notices are those of the model", () => {
  fc.assert(
    fc.property(runRules, steps, (rule, all) => {
      const model = createAlertModel(rule);
      const world = worldOf(rule);
      const beganMs = world.now().getTime();
      for (const step of all) {
        if (step.do === "fire" || step.do === "die") {
          const isSent = step.do === "fire";
          model.fire(step.name, step.severity, isSent);
          world.fire({ entityId: step.name, severity: step.severity }, isSent);
        } else if (step.do === "end") {
          model.end(step.name);
          world.end({ entityId: step.name });
        } else if (step.do === "silence") {
          model.silence(step.name, step.ms);
          world.silence(step.ms, matchersOf(step.name));
        } else if (step.do === "weekly") {
          const { days, from, to } = step.window;
          const windows = [{ days, from: timeOfDay(from), to: timeOfDay(to) }];
          model.silenceWeekly(step.name, step.window, step.ms);
          world.silenceWeekly({ zone: "UTC", windows }, step.ms, matchersOf(step.name));
        } else if (step.do === "override") {
          model.override(step.schedule, step.person, step.ms);
          world.override(step.schedule, step.person, step.ms);
        } else if (step.do === "endSilences") {
          model.endSilences();
          world.endSilences();
        } else if (
          step.do === "acknowledge" ||
          step.do === "unacknowledge" ||
          step.do === "endSnooze" ||
          step.do === "reopen"
        ) {
          model[step.do]();
          world[step.do]();
        } else if (step.do === "resolve") {
          model.resolveAll();
          world.resolveAll();
        } else if (step.do === "edit") {
          const recipients = ["new@example.com", "atg_3", "on call: nights"];
          model.edit({ repeatMs: 2 * HOUR, recipients });
          world.edit({ repeatMs: 2 * HOUR, ...receivers(recipients) });
        } else if ("ms" in step) {
          model[step.do](step.ms);
          world[step.do](step.ms);
        }
      }
      model.pass(DAY / 4);
      world.pass(DAY / 4);
      expect(notified(world, beganMs)).toEqual(model.incidents.map(({ notices }) => notices));
    }),
    { numRuns: 500 },
  );
});
