import type { HeartbeatSettings as Asked } from "../../../gen/hermod/heartbeat/v1/heartbeat_service_pb.ts";
import { severities } from "../../alerts/alert.ts";
import { expectedAfter, type HeartbeatSchedule } from "../../alerts/heartbeat.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { timeZoneOf } from "../../shared/time-zone.ts";
import type { HeartbeatSettings } from "../../store/heartbeat-documents.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";

const MAX_NAME = 100;
/** As in alerts, which count UTF-16 units. */
const MAX_TEXT = 255;
const MAX_TAGS = 20;
const MAX_TAG = 64;
const MIN_PERIOD_SECONDS = 30;
const MAX_PERIOD_SECONDS = 366 * 86_400;
const MAX_GRACE_SECONDS = 30 * 86_400;
const DEFAULT_GRACE_SECONDS = 300;
const DEFAULT_WORD = "heartbeat";
const CONTROL = /\p{Cc}/u;

/**
 * Reads the settings of a heartbeat from a request.
 * @throws Fault request.validation_failed
 */
export function readHeartbeat(asked: Asked | undefined, now: Date): HeartbeatSettings {
  if (!asked)
    throw validationFault([{ pointer: "/settings", code: "field.required", message: say("needed") }]);
  const faults = createFieldFaults();
  const name = asked.name.trim();
  if (name === "") faults.add("/name", "field.required", say("not_empty"));
  checkText(name, "/name", MAX_NAME, faults);
  const schedule = readSchedule(asked, now, faults);
  const { graceSeconds = DEFAULT_GRACE_SECONDS } = asked;
  if (graceSeconds > MAX_GRACE_SECONDS)
    faults.add("/grace_seconds", "field.invalid", say("number_range", { min: 0, max: MAX_GRACE_SECONDS }));
  const severity = severities.find((known) => known === (asked.severity || "critical"));
  if (!severity) faults.add("/severity", "field.invalid", say("one_of", { allowed: severities }));
  const { eventType, source, entityType, entityId } = asked;
  checkAlertText(eventType, "/event_type", faults);
  checkAlertText(source, "/source", faults);
  checkAlertText(entityType, "/entity_type", faults);
  checkAlertText(entityId, "/entity_id", faults);
  if (entityType !== "" && entityId === "")
    faults.add("/entity_type", "field.conflict", say("heartbeat_entity"));
  const tags = readTags(asked.tags, faults);
  if (faults.found.length > 0 || !schedule || !severity) throw validationFault(faults.found);
  return {
    name,
    schedule,
    graceMs: graceSeconds * 1_000,
    severity,
    eventType: eventType || DEFAULT_WORD,
    source: source || DEFAULT_WORD,
    ...(entityType !== "" && { entityType }),
    ...(entityId !== "" && { entityId }),
    tags,
  };
}

function readSchedule(asked: Asked, now: Date, faults: FieldFaults): HeartbeatSchedule | undefined {
  const { periodSeconds, timezone } = asked;
  const expression = asked.cron.trim();
  if (periodSeconds !== undefined && expression !== "")
    faults.add("/period_seconds", "field.conflict", say("heartbeat_period_and_cron"));
  if (expression === "") {
    if (timezone !== "") faults.add("/timezone", "field.conflict", say("heartbeat_zone_without_cron"));
    if (periodSeconds === undefined) {
      faults.add("/period_seconds", "field.required", say("period_or_cron"));
      return undefined;
    }
    if (periodSeconds < MIN_PERIOD_SECONDS || periodSeconds > MAX_PERIOD_SECONDS) {
      const range = { min: MIN_PERIOD_SECONDS, max: MAX_PERIOD_SECONDS };
      faults.add("/period_seconds", "field.invalid", say("number_range", range));
    }
    return { kind: "period", periodMs: periodSeconds * 1_000 };
  }
  const zone = timeZoneOf(timezone || "UTC");
  if (zone === undefined)
    faults.add("/timezone", "field.invalid", say("time_zone_iana_database_europe_berlin"));
  const schedule: HeartbeatSchedule = { kind: "cron", expression, timezone: zone ?? "UTC" };
  if (!expectedAfter({ schedule }, now)) faults.add("/cron", "field.invalid", say("cron_expression"));
  return schedule;
}

/** Each tag once. */
function readTags(tags: readonly string[], faults: FieldFaults): string[] {
  if (tags.length > MAX_TAGS) faults.add("/tags", "field.too_many", say("at_most", { max: MAX_TAGS }));
  for (const [index, tag] of tags.slice(0, MAX_TAGS).entries()) {
    if (tag.trim() === "") faults.add(pointer("tags", index), "field.required", say("tag_character"));
    checkText(tag, pointer("tags", index), MAX_TAG, faults);
  }
  return [...new Set(tags)];
}

/** A longer text would make the alert invalid when it is raised. */
function checkAlertText(text: string, at: string, faults: FieldFaults): void {
  if (text.length > MAX_TEXT) faults.add(at, "field.too_long", say("at_most_characters", { max: MAX_TEXT }));
  checkControls(text, at, faults);
}

function checkText(text: string, at: string, most: number, faults: FieldFaults): void {
  if ([...text].length > most) faults.add(at, "field.too_long", say("at_most_characters", { max: most }));
  checkControls(text, at, faults);
}

function checkControls(text: string, at: string, faults: FieldFaults): void {
  if (CONTROL.test(text)) faults.add(at, "field.invalid", say("control_character"));
}
