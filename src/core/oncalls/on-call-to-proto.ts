import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  OnCallOverrideSchema,
  OnCallPersonSchema,
  OnCallScheduleSchema,
  OnCallScheduleSettingsSchema,
  OnCallShiftSchema,
} from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import type { OnCallShift } from "../../alerts/on-call/find-shifts.ts";
import {
  type OnCallLayer,
  type OnCallOverride,
  type OnCallSettings,
  type Participant,
  participantKey,
} from "../../alerts/on-call/on-call-schedule.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { type OnCallScheduleDocument, onCallRevision } from "../../store/oncall-documents.ts";
import { addressOf } from "./present-recipients.ts";

/** Addresses of members, by user. */
type Addresses = ReadonlyMap<string, string>;

export function toOnCallSchedule(
  schedule: OnCallScheduleDocument,
  addresses: Addresses,
): MessageInitShape<typeof OnCallScheduleSchema> {
  const { _id: id, accountId, settings, createdAt, updatedAt } = schedule;
  const participants = settings.layers.flatMap((layer) => layer.participants);
  const people = new Map(participants.map((one) => [participantKey(one), toPerson(one, addresses)]));
  return {
    id,
    accountId,
    settings: toOnCallSettings(settings),
    people: [...people.values()],
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    revision: onCallRevision(schedule),
  };
}

/** Settings in answers, with the defaults of fields that were left out. */
export function toOnCallSettings(
  settings: OnCallSettings,
): MessageInitShape<typeof OnCallScheduleSettingsSchema> {
  const { name, description, layers, fallback } = settings;
  return { name, description, layers: layers.map(toLayer), fallbackRecipients: [...fallback] };
}

function toLayer({ name, participants, startsAt, zone, shift, handover, windows }: OnCallLayer) {
  return {
    name,
    participants: participants.map(({ userId, address }) => withoutUndefined({ userId, address })),
    startsAt: timestampFromDate(startsAt),
    timeZone: zone,
    shift: { ...shift },
    handover: { ...handover },
    windows: windows.map(({ days, from, to }) => ({ days: [...days], from, to })),
  };
}

export function toPerson(
  participant: Participant,
  addresses: Addresses,
): MessageInitShape<typeof OnCallPersonSchema> {
  return { userId: participant.userId ?? "", address: addressOf(participant, addresses) ?? "" };
}

export function toShift(
  { from, until, participant, layer = "", override: overrideId = "" }: OnCallShift,
  addresses: Addresses,
): MessageInitShape<typeof OnCallShiftSchema> {
  return {
    from: timestampFromDate(from),
    until: timestampFromDate(until),
    ...(participant && { person: toPerson(participant, addresses) }),
    layer,
    overrideId,
  };
}

export function toOverride(
  { _id: id, participant, from, until, comment, createdBy, createdAt }: OnCallOverride,
  addresses: Addresses,
  now: Date,
): MessageInitShape<typeof OnCallOverrideSchema> {
  return {
    id,
    person: toPerson(participant, addresses),
    from: timestampFromDate(from),
    until: timestampFromDate(until),
    comment,
    createdBy,
    createdAt: timestampFromDate(createdAt),
    state: until <= now ? "ended" : from > now ? "pending" : "active",
  };
}
