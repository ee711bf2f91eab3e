import fc from "fast-check";
import { isTargetId } from "../../src/alerts/notify/target.ts";
import type { ModelRule } from "./alert-model.ts";
import { createAlertWorld } from "./alert-world.ts";

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
  ),
  rounds: fc.constantFrom(1, 3),
  quiet: fc.constantFrom(undefined, { fromMs: 0, toMs: 2 * HOUR }, { fromMs: HOUR, toMs: 9 * HOUR }),
});

/** Simulated time begins at noon. */
const clock = (atMs: number) => `${String(12 + atMs / HOUR).padStart(2, "0")}:00`;

/** Recipients and targets, which rules name apart. */
export const receivers = (all: readonly string[]) => ({
  recipients: all.filter((one) => !isTargetId(one)),
  targets: all.filter(isTargetId),
});

export function worldOf({ isGrouped, quiet, steps, rounds, recipients, ...notify }: ModelRule) {
  const escalation = steps.map(({ afterMs, recipients: all }) => ({ afterMs, ...receivers(all) }));
  const windows = quiet && [{ days: [2], from: clock(quiet.fromMs), to: clock(quiet.toMs) }];
  return createAlertWorld({
    ...notify,
    ...receivers(recipients),
    ceiling: 100_000,
    escalation: { steps: escalation, rounds },
    ...(isGrouped && { groupBy: ["source"] }),
    ...(windows && { quiet: { zone: "UTC", windows } }),
  });
}

type World = ReturnType<typeof createAlertWorld>;

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
