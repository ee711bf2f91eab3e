import type { OnCallSettings } from "../../src/alerts/on-call/on-call-schedule.ts";
import type { NewOverride } from "../../src/store/oncall-documents.ts";

/** An on-call schedule without members: its participants change each day at 09:00 in Berlin. */
export const onCallSettings: OnCallSettings = {
  name: "primary",
  description: "",
  layers: [
    {
      name: "Daily",
      participants: [{ address: "ada@example.net" }, { address: "bob@example.net" }],
      startsAt: new Date("2026-01-01T08:00:00Z"),
      zone: "Europe/Berlin",
      shift: { length: 1, unit: "day" },
      handover: { time: "09:00" },
      windows: [],
    },
  ],
  fallback: ["ops@example.net"],
};

/** An override that has begun, and ends beyond the end of the slowest run. */
export function newOverride(now: Date): NewOverride {
  const until = new Date(now.getTime() + 24 * 60 * 60_000);
  return { participant: { address: "eve@example.net" }, from: now, until, comment: "dentist" };
}

/** For schedules without members among their participants. */
export const anyParticipants = (): void => undefined;
