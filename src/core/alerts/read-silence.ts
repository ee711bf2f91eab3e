import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Condition } from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import type { WeeklyWindows } from "../../../gen/hermod/silence/v1/silence_service_pb.ts";
import { RECENT_ALERTS, selectsNearlyAll } from "../../alerts/breadth.ts";
import { meetsEverything } from "../../alerts/check-matchers.ts";
import type { Matchers } from "../../alerts/condition.ts";
import type { QuietHours } from "../../alerts/quiet-hours.ts";
import { NO_END, nextEffectOf, SILENCE_KEPT_MS, type SilenceTimes } from "../../alerts/silence-times.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { SilenceContent } from "../../store/silence-writes.ts";
import type { AccountStore } from "../../store/store.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { readMatchers, readWindows } from "./read-rule.ts";

const MAX_COMMENT = 500;
const YEAR_MS = 366 * 86_400_000;

interface GivenConditions {
  readonly match: readonly Condition[];
  readonly any: readonly Condition[];
  readonly weekly?: WeeklyWindows | undefined;
}

interface GivenSilence extends GivenConditions {
  readonly startsAt?: Timestamp | undefined;
  readonly endsAt?: Timestamp | undefined;
  readonly comment: string;
}

/**
 * Reads the content of a silence.
 * @param start start of a silence that names none
 * @throws Fault request.validation_failed
 */
export function readSilence(given: GivenSilence, start: Date, now: Date): SilenceContent {
  const faults = createFieldFaults();
  const { matchers, weekly } = readParts(given, faults);
  const times = readTimes(given, { weekly, start, now }, faults);
  const comment = given.comment.trim();
  if (comment === "" || comment.length > MAX_COMMENT)
    faults.add("/comment", "field.invalid", say("say_why_1_characters", { max: MAX_COMMENT }));
  if (faults.found.length > 0) throw validationFault(faults.found);
  return { matchers, comment, ...times };
}

/** Reads the conditions and windows of a silence. @throws Fault request.validation_failed */
export function readSilenceConditions(given: GivenConditions) {
  const faults = createFieldFaults();
  const parts = readParts(given, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return parts;
}

/** Whether a silence of these alerts needs a confirmation. The latest alerts of the account count. */
export async function needsConfirmation(
  { incidents }: Pick<AccountStore, "incidents">,
  matchers: Matchers,
): Promise<boolean> {
  const recent = await incidents.listAlerts({ limit: RECENT_ALERTS });
  const alerts = recent.map(({ alert }) => alert);
  return meetsEverything(matchers) || selectsNearlyAll(matchers, alerts);
}

function readParts(given: GivenConditions, faults: FieldFaults) {
  const matchers = readMatchers(given, "", faults);
  const weekly = given.weekly && readWindows(given.weekly, say("silence_windows_end"), "/weekly", faults);
  return { matchers, weekly };
}

interface TimesOptions {
  readonly weekly: QuietHours | undefined;
  readonly start: Date;
  readonly now: Date;
}

type Times = SilenceTimes & Pick<SilenceContent, "expireAt">;

function readTimes(given: GivenSilence, { weekly, start, now }: TimesOptions, faults: FieldFaults): Times {
  const startsAt = given.startsAt ? timestampDate(given.startsAt) : start;
  const end = given.endsAt ? timestampDate(given.endsAt) : weekly && NO_END;
  // Also refuses times beyond the range of dates, which compare with nothing.
  if (!(startsAt.getTime() - now.getTime() <= YEAR_MS))
    faults.add("/starts_at", "field.invalid", say("silence_starts_within_year"));
  if (!end) faults.add("/ends_at", "field.required", say("silence_end"));
  else if (!(end > startsAt && end > now && end <= NO_END))
    faults.add("/ends_at", "field.invalid", say("ends_after_begins_not_past"));
  else if (!weekly && end.getTime() - now.getTime() > YEAR_MS)
    faults.add("/ends_at", "field.invalid", say("ends_within_year"));
  const endsAt = end ?? NO_END;
  const kept = endsAt < NO_END && { expireAt: new Date(endsAt.getTime() + SILENCE_KEPT_MS) };
  if (!weekly) return { startsAt, endsAt, ...kept };
  const times = { startsAt, weekly, recursUntil: endsAt, ...kept };
  if (faults.found.length === 0 && !nextEffectOf(times, now))
    faults.add("/weekly", "field.invalid", say("silence_never_in_effect"));
  return times;
}
