import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  Handover as HandoverMessage,
  OnCallLayer as LayerMessage,
  OnCallScheduleSettings,
  OnCallWindow,
  Participant as ParticipantMessage,
} from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import {
  type Handover,
  type OnCallLayer,
  type OnCallSettings,
  type Participant,
  type ShiftUnit,
  shiftUnits,
} from "../../alerts/on-call/on-call-schedule.ts";
import { minutesOf, type QuietWindow } from "../../alerts/quiet-hours.ts";
import { parseMailbox } from "../../message/address/addresses.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { createLocalTime } from "../../shared/local-time.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import { isTimeZone } from "../../shared/time-zone.ts";
import type { FieldFaults } from "../field-faults.ts";
import { readRecipients } from "../read-recipients.ts";

const MAX_DESCRIPTION = 200;
const MAX_LAYERS = 10;
const MAX_LAYER_NAME = 100;
const MAX_PARTICIPANTS = 50;
const MAX_WINDOWS = 20;
const MAX_LENGTH: Readonly<Record<ShiftUnit, number>> = { hour: 744, day: 366, week: 52 };
/** Times of other centuries would be mistakes. */
const [FIRST_TIME, END_TIME] = [new Date("2000-01-01T00:00:00Z"), new Date("2100-01-01T00:00:00Z")];
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Reads the settings of an on-call schedule; errors are added to `faults`, with pointers into the settings. */
export function readOnCallSchedule(given: OnCallScheduleSettings, faults: FieldFaults): OnCallSettings {
  const { name, description, layers, fallbackRecipients } = given;
  if (!isResourceName(name)) faults.add("/name", "field.invalid", say("on_call_schedule_name"));
  if (description.length > MAX_DESCRIPTION)
    faults.add("/description", "field.invalid", say("at_most_characters", { max: MAX_DESCRIPTION }));
  if (layers.length === 0) faults.add("/layers", "field.required", say("needed"));
  if (layers.length > MAX_LAYERS)
    faults.add("/layers", "field.too_many", say("at_most", { max: MAX_LAYERS }));
  const names = new Set<string>();
  const read = layers.slice(0, MAX_LAYERS).map((layer, index) => {
    const at = `/layers/${index}`;
    if (!isLayerName(layer.name) || names.has(layer.name))
      faults.add(`${at}/name`, "field.invalid", say("on_call_layer_name", { max: MAX_LAYER_NAME }));
    names.add(layer.name);
    return readLayer(layer, at, faults);
  });
  const fallback = readRecipients(fallbackRecipients, "/fallback_recipients", faults, 1);
  return { name, description, layers: read, fallback };
}

/** Whether shifts at a time can be found. */
export function isOnCallTime(at: Date): boolean {
  return at >= FIRST_TIME && at < END_TIME;
}

function isLayerName(name: string): boolean {
  return name !== "" && name.length <= MAX_LAYER_NAME && !CONTROL_CHARACTER.test(name);
}

function readLayer(given: LayerMessage, at: string, faults: FieldFaults): OnCallLayer {
  const add = (where: string, message: FaultText) => faults.add(`${at}${where}`, "field.invalid", message);
  const { name, participants, startsAt: start, timeZone: zone, shift, handover, windows } = given;
  if (participants.length === 0) faults.add(`${at}/participants`, "field.required", say("needed"));
  if (participants.length > MAX_PARTICIPANTS)
    faults.add(`${at}/participants`, "field.too_many", say("at_most", { max: MAX_PARTICIPANTS }));
  const startsAt = start ? timestampDate(start) : FIRST_TIME;
  if (!start) faults.add(`${at}/starts_at`, "field.required", say("needed"));
  else if (!isOnCallTime(startsAt)) add("/starts_at", say("on_call_time"));
  const isZone = isTimeZone(zone);
  if (!isZone) add("/time_zone", say("time_zone_europe_berlin"));
  const { length = 0, unit: unitName = "" } = shift ?? {};
  const unit = shiftUnits.find((one) => one === unitName);
  if (!shift) faults.add(`${at}/shift`, "field.required", say("needed"));
  else if (!unit) add("/shift/unit", say("one_of", { allowed: [...shiftUnits] }));
  else if (length < 1 || length > MAX_LENGTH[unit])
    add("/shift/length", say("number_range", { min: 1, max: MAX_LENGTH[unit] }));
  const read: Start = { startsAt, zone: isZone ? zone : "UTC", unit: unit ?? "day" };
  return {
    name,
    participants: participants
      .slice(0, MAX_PARTICIPANTS)
      .map((one, index) => readParticipant(one, `${at}/participants/${index}`, faults)),
    startsAt,
    zone,
    shift: { length, unit: read.unit },
    handover: readHandover(handover, read, `${at}/handover`, faults),
    windows: readWindows(windows, `${at}/windows`, faults),
  };
}

/** @param at JSON pointer to the participant */
export function readParticipant(
  given: ParticipantMessage | undefined,
  at: string,
  faults: FieldFaults,
): Participant {
  const { userId, address } = given ?? {};
  if ((userId === undefined) === (address === undefined) || userId === "") {
    faults.add(at, "field.invalid", say("on_call_participant"));
    return {};
  }
  if (address === undefined) return { userId: userId ?? "" };
  const read = parseMailbox(address);
  if (!read.ok) {
    faults.add(`${at}/address`, read.code, read.message);
    return {};
  }
  return { address: read.mailbox.address };
}

interface Start {
  readonly startsAt: Date;
  readonly zone: string;
  readonly unit: ShiftUnit;
}

/** Missing values are those of the layer's start, in local time. */
function readHandover(
  given: HandoverMessage | undefined,
  { startsAt, zone, unit }: Start,
  at: string,
  faults: FieldFaults,
): Handover {
  const { time = "", weekday } = given ?? {};
  if (time !== "" && minutesOf(time) === undefined)
    faults.add(`${at}/time`, "field.invalid", say("time_day_22_00"));
  if (weekday !== undefined && unit !== "week")
    faults.add(`${at}/weekday`, "field.invalid", say("on_call_weekday_of_weeks"));
  else if (weekday !== undefined && (weekday < 1 || weekday > 7))
    faults.add(`${at}/weekday`, "field.invalid", say("day_number_from_1_monday_7"));
  const startMs = startsAt.getTime();
  const local = new Date(createLocalTime(zone).localAt(startMs));
  return {
    time: time || local.toISOString().slice(11, 16),
    ...(unit === "week" && { weekday: weekday ?? (local.getUTCDay() || 7) }),
  };
}

function readWindows(given: readonly OnCallWindow[], at: string, faults: FieldFaults): QuietWindow[] {
  if (given.length > MAX_WINDOWS) faults.add(at, "field.too_many", say("at_most", { max: MAX_WINDOWS }));
  return given.slice(0, MAX_WINDOWS).map(({ days, from, to }, index) => {
    if (days.some((day) => day < 1 || day > 7) || days.length > 7)
      faults.add(`${at}/${index}/days`, "field.invalid", say("day_number_from_1_monday_7"));
    for (const [name, time] of Object.entries({ from, to }))
      if (minutesOf(time) === undefined)
        faults.add(`${at}/${index}/${name}`, "field.invalid", say("time_day_22_00"));
    return { days: [...days], from, to };
  });
}
