import { findShifts } from "../../alerts/on-call/find-shifts.ts";
import type { OnCallOverride, Participant } from "../../alerts/on-call/on-call-schedule.ts";
import type { OnCallScheduleDocument } from "../../store/oncall-documents.ts";
import type { AccountStore } from "../../store/store.ts";

/** Length of a range that stands for one moment: times are whole milliseconds. */
export const MOMENT_MS = 1;

interface Present {
  readonly overrides: readonly OnCallOverride[];
  /** Addresses of members, by user. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Addresses that a schedule notifies at a time: that of the participant on call, or the fallback recipients. */
export function recipientsAt(
  { settings }: Pick<OnCallScheduleDocument, "settings">,
  { at, overrides, addresses }: Present & { readonly at: Date },
): readonly string[] {
  const isPresent = (participant: Participant) => addressOf(participant, addresses) !== undefined;
  const range = { from: at, until: new Date(at.getTime() + MOMENT_MS), overrides, isPresent };
  const [shift] = findShifts(settings, range);
  const address = shift?.participant && addressOf(shift.participant, addresses);
  return address === undefined ? settings.fallback : [address];
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
