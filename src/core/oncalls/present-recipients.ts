import { findShifts, type OnCallShift } from "../../alerts/on-call/find-shifts.ts";
import type { OnCallOverride, OnCallSettings, Participant } from "../../alerts/on-call/on-call-schedule.ts";
import type { Logger } from "../../shared/logger.ts";
import { createLru } from "../../shared/lru.ts";
import type { OnCallScheduleDocument } from "../../store/oncall-documents.ts";
import type { AccountStore } from "../../store/store.ts";

const DAY_MS = 86_400_000;
/** Length of a range that stands for one moment: times are whole milliseconds. */
const MOMENT_MS = 1;

/** Overrides and members on which the shifts of a schedule depend. */
export interface Present {
  readonly overrides: readonly OnCallOverride[];
  /** Addresses of members, by user. */
  readonly addresses: ReadonlyMap<string, string>;
}

export interface Range {
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
}

/**
 * Shifts of a schedule in a range, without gaps. Participants that have left the account have none.
 * @throws RangeError for an unknown zone
 */
export function presentShifts(
  settings: OnCallSettings,
  { from, until, overrides, addresses }: Range & Present,
): OnCallShift[] {
  const isPresent = (participant: Participant) => addressOf(participant, addresses) !== undefined;
  return findShifts(settings, { from, until, overrides, isPresent });
}

/** Addresses that a schedule notifies at a time: that of the participant on call, or the fallback recipients. */
function recipientsAt(
  { settings }: Pick<OnCallScheduleDocument, "settings">,
  { at, overrides, addresses }: Present & { readonly at: Date },
): readonly string[] {
  const range = { from: at, until: new Date(at.getTime() + MOMENT_MS) };
  const [shift] = presentShifts(settings, { ...range, overrides, addresses });
  const address = shift?.participant && addressOf(shift.participant, addresses);
  return address === undefined ? settings.fallback : [address];
}

interface Now {
  readonly now: Date;
  readonly log: Logger;
}

/** Addresses that existing schedules notify now, by the name of the schedule. */
export async function recipientsNow(
  { id: accountId, oncalls }: Pick<AccountStore, "id" | "oncalls">,
  names: readonly string[],
  { now, log }: Now,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const schedules = names.length === 0 ? [] : await oncalls.findNamed(names);
  if (schedules.length === 0) return new Map();
  const ids = schedules.map(({ _id }) => _id);
  const overrides = await oncalls.overridesIn(ids, now, new Date(now.getTime() + MOMENT_MS));
  const addresses = await oncalls.addresses(userIdsOf(schedules, overrides));
  return new Map(
    schedules.map((schedule): [name: string, addresses: readonly string[]] => {
      const own = overrides.filter(({ scheduleId }) => scheduleId === schedule._id);
      try {
        return [schedule.name, recipientsAt(schedule, { at: now, overrides: own, addresses })];
      } catch (err) {
        // For example, the program no longer knows the time zone of a layer. The notice must not be lost.
        log.error({ err, accountId, schedule: schedule.name }, "an on-call schedule cannot be evaluated");
        return [schedule.name, schedule.settings.fallback];
      }
    }),
  );
}

/** Maximum number of days of schedules with shifts in memory. */
const MAX_DAYS = 1_000;

/**
 * Finds the addresses that existing schedules notify at any time, without overrides. It is quick for times in order:
 * the shifts of one day are found together.
 */
export async function createRecipientsByTime(
  { oncalls }: Pick<AccountStore, "oncalls">,
  names: readonly string[],
): Promise<(schedule: string, at: Date) => readonly string[]> {
  const found = names.length === 0 ? [] : await oncalls.findNamed(names);
  const addresses = await oncalls.addresses(userIdsOf(found, []));
  const schedules = new Map(found.map(({ name, settings }) => [name, settings]));
  const days = createLru<readonly OnCallShift[]>(MAX_DAYS);

  function shiftsOfDay(settings: OnCallSettings, day: number): readonly OnCallShift[] {
    const key = `${settings.name} ${day}`;
    const known = days.get(key);
    if (known) return known;
    const [from, until] = [new Date(day * DAY_MS), new Date((day + 1) * DAY_MS)];
    const shifts = presentShifts(settings, { from, until, overrides: [], addresses });
    days.set(key, shifts);
    return shifts;
  }

  return (schedule, at) => {
    const settings = schedules.get(schedule);
    if (!settings) return [];
    const shifts = shiftsOfDay(settings, Math.floor(at.getTime() / DAY_MS));
    const participant = shifts.findLast(({ from }) => from <= at)?.participant;
    const address = participant && addressOf(participant, addresses);
    return address === undefined ? settings.fallback : [address];
  };
}

/** Addresses that existing schedules notify at some time, except by overrides, by the name of the schedule. */
export async function possibleRecipients(
  { oncalls }: Pick<AccountStore, "oncalls">,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (names.length === 0) return new Map();
  const schedules = await oncalls.findNamed(names);
  const addresses = await oncalls.addresses(userIdsOf(schedules, []));
  return new Map(
    schedules.map(({ name, settings: { layers, fallback } }): [string, readonly string[]] => {
      const participants = layers.flatMap((layer) => layer.participants);
      return [name, [...participants.flatMap((one) => addressOf(one, addresses) ?? []), ...fallback]];
    }),
  );
}

/** Present address of a participant; undefined: the user is no longer a member. */
export function addressOf(
  { userId, address }: Participant,
  addresses: ReadonlyMap<string, string>,
): string | undefined {
  return userId === undefined ? address : addresses.get(userId);
}

/** Users among the participants of schedules and overrides. */
export function userIdsOf(
  schedules: readonly Pick<OnCallScheduleDocument, "settings">[],
  overrides: readonly Pick<OnCallOverride, "participant">[],
): string[] {
  const participants = [
    ...schedules.flatMap(({ settings }) => settings.layers.flatMap((layer) => layer.participants)),
    ...overrides.map(({ participant }) => participant),
  ];
  return [...new Set(participants.flatMap(({ userId }) => userId ?? []))];
}
