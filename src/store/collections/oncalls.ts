import type { OnCallOverride, Participant } from "../../alerts/on-call/on-call-schedule.ts";
import type { Classes } from "../audit/classes.ts";
import type { OnCallScheduleDocument } from "../oncall-documents.ts";
import { byName, EXPIRES, FEW, type Manifest } from "./manifest.ts";

const participant: Classes<Participant> = { userId: "track", address: "track" };

export interface OncallDocuments {
  readonly onCallSchedules: OnCallScheduleDocument;
  readonly onCallOverrides: OnCallOverride;
}

export const oncallManifest = {
  onCallSchedules: {
    indexes: [{ key: { accountId: 1, name: 1 }, unique: true }],
    deletion: "settings",
    export: { by: ["name"], limit: FEW },
    audited: {
      on_call_schedule: {
        _id: "ignore",
        accountId: "ignore",
        name: "ignore",
        settings: {
          name: "track",
          description: "track",
          layers: {
            name: "track",
            participants: participant,
            startsAt: "track",
            zone: "track",
            shift: { length: "track", unit: "track" },
            handover: { time: "track", weekday: "track" },
            windows: { days: "track", from: "track", to: "track" },
          },
          fallback: "track",
        },
        edits: "ignore",
        createdAt: "ignore",
        updatedAt: "ignore",
      },
    },
    named: { on_call_schedule: byName },
  },
  onCallOverrides: {
    indexes: [
      { key: { accountId: 1, scheduleId: 1, _id: -1 } },
      { key: { accountId: 1, scheduleId: 1, until: 1 } },
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["scheduleId", "-_id"] },
    audited: {
      on_call_override: {
        _id: "ignore",
        accountId: "ignore",
        scheduleId: "track",
        number: "ignore",
        participant,
        from: "track",
        until: "track",
        comment: "track",
        createdBy: "ignore",
        createdAt: "ignore",
        expireAt: "ignore",
      },
    },
    named: { on_call_override: ({ comment }) => ({ name: comment }) },
  },
} as const satisfies Manifest<OncallDocuments>;
