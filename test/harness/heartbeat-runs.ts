import fc from "fast-check";
import type { HeartbeatTimes } from "../../src/alerts/heartbeat.ts";
import type { ModelTimes } from "./heartbeat-model.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Times in both forms. */
export interface RunTimes {
  readonly times: HeartbeatTimes;
  readonly model: ModelTimes;
}

const periodOf = (periodMs: number, graceMs: number): RunTimes => ({
  times: { schedule: { kind: "period", periodMs }, graceMs },
  model: { periodMs, graceMs },
});

function cronOf(
  expression: string,
  zone: string,
  graceMs: number,
  isTime: (hour: number, minute: number, weekday: number) => boolean,
): RunTimes {
  const schedule = { kind: "cron", expression, timezone: zone } as const;
  return { times: { schedule, graceMs }, model: { zone, isTime, graceMs } };
}

export const runTimes = fc.constantFrom<RunTimes>(
  periodOf(MINUTE, 0),
  periodOf(10 * MINUTE, 5 * MINUTE),
  periodOf(HOUR, 3 * HOUR),
  periodOf(24 * HOUR, HOUR),
  cronOf("30 2 * * *", "Europe/Berlin", 30 * MINUTE, (hour, minute) => hour === 2 && minute === 30),
  cronOf("*/20 * * * *", "Europe/Berlin", 5 * MINUTE, (_hour, minute) => minute % 20 === 0),
  cronOf("45 1-3 * * 0,6", "Europe/Berlin", HOUR, (hour, minute, weekday) => {
    return minute === 45 && hour >= 1 && hour <= 3 && weekday % 6 === 0;
  }),
  cronOf("15 2 * * *", "Australia/Lord_Howe", 0, (hour, minute) => hour === 2 && minute === 15),
);

/** The day before a change of clocks: of Berlin in spring and autumn, and of Lord Howe in spring. */
export const runBegins = fc.constantFrom(
  Date.parse("2030-03-30T12:00:00.000Z"),
  Date.parse("2030-10-26T12:00:00.000Z"),
  Date.parse("2030-10-05T09:00:00.000Z"),
);

const ms = fc.constantFrom(10_000, MINUTE, 4 * MINUTE, 11 * MINUTE, 70 * MINUTE, 5 * HOUR, 26 * HOUR);

export type RunStep =
  | { readonly do: "ping" | "fail" | "start" | "check" | "pause" | "resume" }
  /** Time passes while Hermod runs; `sleep`: while it does not. */
  | { readonly do: "pass" | "sleep"; readonly ms: number }
  | { readonly do: "change"; readonly to: RunTimes };

export const runSteps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant("ping" as const) }) },
    { weight: 8, arbitrary: fc.record({ do: fc.constant("pass" as const), ms }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("sleep" as const), ms }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom("check" as const, "fail" as const, "start" as const) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("pause" as const, "resume" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("change" as const), to: runTimes }) },
  ),
  { maxLength: 40 },
);
