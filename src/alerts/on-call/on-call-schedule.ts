import { addressKey } from "../../message/address/address-key.ts";
import type { QuietWindow } from "../quiet-hours.ts";

/** A member of the account, or an e-mail address: exactly one of the two. */
export interface Participant {
  readonly userId?: string;
  readonly address?: string;
}

export const shiftUnits = ["hour", "day", "week"] as const;
export type ShiftUnit = (typeof shiftUnits)[number];

/** A rotation of participants, one shift each. */
export interface OnCallLayer {
  /** Unique within the schedule. */
  readonly name: string;
  /** In the order of their shifts. The first one begins at `startsAt`. */
  readonly participants: readonly Participant[];
  /** Begin of the first shift. The layer has none before. */
  readonly startsAt: Date;
  /** IANA time zone of handovers and windows, such as `Europe/Berlin`. */
  readonly zone: string;
  /** Shifts end at local times: a shift of a day with a clock change has 23 or 25 hours. */
  readonly shift: { readonly length: number; readonly unit: ShiftUnit };
  readonly handover: Handover;
  /** Weekly time ranges of the layer, in local time. Empty: all times. */
  readonly windows: readonly QuietWindow[];
}

/** Local time at which shifts begin. Shifts of several hours begin at this time, and then after each length. */
export interface Handover {
  /** Time of the day, such as `09:00`. */
  readonly time: string;
  /** 1 is Monday, 7 is Sunday. Missing: shifts do not have the unit `week`. */
  readonly weekday?: number;
}

/** Settings of an on-call schedule. */
export interface OnCallSettings {
  /** Name within the account, such as `primary`. */
  readonly name: string;
  /** Description for people. May be empty. */
  readonly description: string;
  /** A later layer has priority over an earlier one. */
  readonly layers: readonly OnCallLayer[];
  /** Addresses that are notified when no participant is on call. At least one. */
  readonly fallback: readonly string[];
}

/** A participant that replaces the layers for a time. */
export interface OnCallOverride {
  /** `oco_…`. */
  readonly _id: string;
  readonly accountId: string;
  readonly scheduleId: string;
  /** Order of creation within the schedule: the highest of overlapping overrides applies. */
  readonly number: number;
  readonly participant: Participant;
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
  /** Reason for people. May be empty. */
  readonly comment: string;
  /** Name of the actor. */
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Time of its removal from the store, some time after its end. */
  readonly expireAt: Date;
}

/** Key that is equal for equal participants only. */
export function participantKey({ userId, address = "" }: Participant): string {
  return userId === undefined ? addressKey(address) : `user ${userId}`;
}
