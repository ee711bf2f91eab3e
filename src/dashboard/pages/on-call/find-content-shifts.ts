import { findShifts } from "../../../alerts/on-call/find-shifts.ts";
import type { OnCallLayer } from "../../../alerts/on-call/on-call-schedule.ts";
import { createLocalTime } from "../../../shared/local-time.ts";
import type { Layer, Participant, Person, Shift } from "../../api/oncalls.ts";

interface Range {
  /** ISO 8601. */
  readonly from: string;
  /** Exclusive. */
  readonly until: string;
}

const MOST = { hour: 744, day: 366, week: 52 } as const;

/**
 * Shifts of layers, without overrides: the same as the server would find.
 * @param personOf undefined for a participant who cannot be notified
 * @returns undefined while a layer is incomplete
 */
export function findContentShifts(
  layers: readonly Layer[],
  { from, until }: Range,
  personOf: (participant: Participant) => Person | undefined,
): Shift[] | undefined {
  if (layers.length === 0 || !layers.every(isComplete)) return undefined;
  const options = { from: new Date(from), until: new Date(until), overrides: [] };
  try {
    const found = findShifts(
      { layers: layers.map(readLayer) },
      { ...options, isPresent: (participant) => personOf(asSent(participant)) !== undefined },
    );
    return found.map((shift) => {
      const person = shift.participant && personOf(asSent(shift.participant));
      const times = { from: shift.from.toISOString(), until: shift.until.toISOString() };
      return { ...times, ...(person && { person }), layer: shift.layer ?? "", override_id: "" };
    });
  } catch (error) {
    // A zone or a time of the day that is not known.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether the shifts of a layer can be found. A length of nothing would have no end. */
function isComplete({ participants, starts_at: start, shift: { length, unit } }: Layer): boolean {
  return (
    participants.length > 0 &&
    !Number.isNaN(Date.parse(start)) &&
    Number.isInteger(length) &&
    length > 0 &&
    length <= MOST[unit]
  );
}

/** The handover that is left out is that of the start, in local time. */
function readLayer(layer: Layer): OnCallLayer {
  const { name, participants, starts_at, time_zone: zone, shift, handover, windows = [] } = layer;
  const startsAt = new Date(starts_at);
  const local = new Date(createLocalTime(zone).localAt(startsAt.getTime()));
  return {
    name,
    participants: participants.map(({ user_id, address }) =>
      user_id === undefined ? { address: address ?? "" } : { userId: user_id },
    ),
    startsAt,
    zone,
    shift,
    handover: {
      time: handover?.time || local.toISOString().slice(11, 16),
      ...(shift.unit === "week" && { weekday: handover?.weekday ?? (local.getUTCDay() || 7) }),
    },
    windows: windows.map(({ days = [], from, to }) => ({ days, from, to })),
  };
}

const asSent = ({ userId, address }: OnCallLayer["participants"][number]): Participant =>
  userId === undefined ? { address: address ?? "" } : { user_id: userId };
