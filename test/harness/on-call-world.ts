import { findShifts } from "../../src/alerts/on-call/find-shifts.ts";
import type {
  OnCallLayer,
  OnCallOverride,
  OnCallSettings,
} from "../../src/alerts/on-call/on-call-schedule.ts";
import { type ModelSchedule, modelSchedules, NIGHTS, PRIMARY } from "./alert-model.ts";
import { BEGIN_MS } from "./alert-world.ts";

const layer: OnCallLayer = {
  name: "Layer",
  participants: PRIMARY.map((address) => ({ address })),
  startsAt: new Date(BEGIN_MS),
  zone: "UTC",
  shift: { length: 3, unit: "hour" },
  handover: { time: "12:00" },
  windows: [],
};
const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

/** The schedules of the model, as their users would set them up. */
const settings: Readonly<Record<ModelSchedule, Pick<OnCallSettings, "layers" | "fallback">>> = {
  "on call: primary": { layers: [layer], fallback: ["nobody@example.com"] },
  "on call: nights": {
    layers: [
      {
        ...layer,
        participants: [{ address: NIGHTS.person }],
        shift: { length: 1, unit: "day" },
        windows: [{ days: [], from: clock(NIGHTS.fromHour), to: clock(NIGHTS.toHour) }],
      },
    ],
    fallback: [NIGHTS.fallback],
  },
};

/** On-call schedules with rotations, windows and overrides. */
export function createOnCallWorld() {
  const overrides: Omit<OnCallOverride, "accountId" | "comment" | "createdBy" | "createdAt" | "expireAt">[] =
    [];
  return {
    /** Addresses that a schedule notifies at a time. */
    at(name: string, now: Date): readonly string[] {
      const schedule = modelSchedules.find((one) => one === name);
      if (!schedule) throw new Error(`no schedule: ${name}`);
      const [shift] = findShifts(settings[schedule], {
        from: now,
        until: new Date(now.getTime() + 1),
        overrides: overrides.filter(({ scheduleId }) => scheduleId === schedule),
        isPresent: () => true,
      });
      const address = shift?.participant?.address;
      return address === undefined ? settings[schedule].fallback : [address];
    },

    override(scheduleId: ModelSchedule, address: string, from: Date, forMs: number): void {
      const number = overrides.length;
      const until = new Date(from.getTime() + forMs);
      overrides.push({ _id: `oco_${number}`, number, scheduleId, participant: { address }, from, until });
    },
  };
}
