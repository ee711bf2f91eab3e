import fc from "fast-check";
import { isTargetId } from "../../src/alerts/notify/target.ts";
import { type ModelRule, type ModelSchedule, ON_CALL } from "./alert-model.ts";
import { createAlertWorld } from "./alert-world.ts";
import { createOnCallWorld } from "./on-call-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Rules of random runs. */
export const runRules: fc.Arbitrary<ModelRule> = fc.record({
  isGrouped: fc.boolean(),
  waitMs: fc.constantFrom(0, 0, 2 * MINUTE),
  intervalMs: fc.constantFrom(30_000, 5 * MINUTE),
  repeatMs: fc.constantFrom(0, HOUR, 4 * HOUR),
  recipients: fc.constantFrom(
    ["ops@example.com"],
    ["ops@example.com", "dev@example.com"],
    ["ops@example.com", "atg_1", "atg_2"],
    ["atg_1"],
    ["on call: primary"],
    ["ops@example.com", "on call: primary", "on call: nights", "atg_1"],
  ),
  steps: fc.constantFrom(
    [],
    [
      { afterMs: 10 * MINUTE, recipients: ["lead@example.com"] },
      { afterMs: 20 * MINUTE, recipients: ["boss@example.com", "ops@example.com"] },
    ],
    [
      { afterMs: 10 * MINUTE, recipients: ["atg_2"] },
      { afterMs: 20 * MINUTE, recipients: ["boss@example.com", "atg_1"] },
    ],
    [
      { afterMs: 10 * MINUTE, recipients: ["on call: nights"] },
      { afterMs: 90 * MINUTE, recipients: ["on call: primary", "on call: nights", "ada@example.com"] },
    ],
  ),
  rounds: fc.constantFrom(1, 3),
  quiet: fc.constantFrom(undefined, { fromMs: 0, toMs: 2 * HOUR }, { fromMs: HOUR, toMs: 9 * HOUR }),
});

/** Simulated time begins at noon. */
const clock = (atMs: number) => `${String(12 + atMs / HOUR).padStart(2, "0")}:00`;

const isOnCall = (one: string) => one.startsWith(ON_CALL);

/** Recipients, targets and on-call schedules, which rules name apart. */
export const receivers = (all: readonly string[]) => ({
  recipients: all.filter((one) => !isTargetId(one) && !isOnCall(one)),
  targets: all.filter(isTargetId),
  onCall: all.filter(isOnCall),
});

export function worldOf({ isGrouped, quiet, steps, rounds, recipients, ...notify }: ModelRule) {
  const escalation = steps.map(({ afterMs, recipients: all }) => ({ afterMs, ...receivers(all) }));
  const windows = quiet && [{ days: [2], from: clock(quiet.fromMs), to: clock(quiet.toMs) }];
  const onCall = createOnCallWorld();
  const settings = {
    ...notify,
    ...receivers(recipients),
    ceiling: 100_000,
    escalation: { steps: escalation, rounds },
    ...(isGrouped && { groupBy: ["source"] }),
    ...(windows && { quiet: { zone: "UTC", windows } }),
  };
  const world = createAlertWorld(settings, onCall.at);
  return {
    ...world,
    override(schedule: ModelSchedule, person: string, forMs: number): void {
      onCall.override(schedule, person, world.now(), forMs);
    },
  };
}

type World = Pick<ReturnType<typeof createAlertWorld>, "incidents" | "mails">;

/** Notices of each incident, in the order in which incidents were opened. */
export function notified(world: World, beganMs: number) {
  return world.incidents().map(({ _id }) => {
    const mails = world.mails.filter(({ incident }) => incident._id === _id);
    const numbers = [...new Set(mails.map(({ notice }) => notice.number))];
    return numbers.map((number) => {
      const own = mails.filter(({ notice }) => notice.number === number);
      const notice = own[0]?.notice;
      const names = notice?.alerts.flatMap(({ entityId }) => entityId ?? []) ?? [];
      return {
        atMs: Number(notice?.at) - beganMs,
        reason: notice?.reason,
        to: own.map(({ to }) => to).sort(),
        things: notice?.reason === "resolved" ? [] : names.sort(),
      };
    });
  });
}
