import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type {
  AlertRuleSettings,
  Condition as ConditionMessage,
  QuietHours,
  RuleNotification,
} from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import { isField } from "../../alerts/alert.ts";
import { checkMatchers } from "../../alerts/check-matchers.ts";
import type { Condition, Matchers, Operator } from "../../alerts/condition.ts";
import { operators } from "../../alerts/condition.ts";
import { isAlwaysQuiet, minutesOf } from "../../alerts/quiet-hours.ts";
import {
  DEFAULT_NOTIFY,
  hasReceivers,
  type NotifySettings,
  type RuleSettings,
  sendsMail,
} from "../../alerts/rule.ts";
import { parseFromMailbox } from "../../message/address/from-field.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { isId } from "../../shared/ids.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import { isTimeZone } from "../../shared/time-zone.ts";
import type { FieldFaults } from "../field-faults.ts";
import { readRecipients } from "../read-recipients.ts";

const MAX_DESCRIPTION = 200;
const MAX_ORDER = 1_000_000;
const DEFAULT_ORDER = 100;
/** On-call schedules of a rule, and of a step of its escalation. */
const MAX_SCHEDULES = 10;
const MAX_TARGETS = 20;
const MAX_GROUP_FIELDS = 10;
const MAX_WINDOWS = 20;
const MAX_STEPS = 10;
const MAX_ROUNDS = 5;
const MAX_NOTIFICATION_LIMIT = 1_000;
const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 30 * DAY_SECONDS;

/**
 * Reads the settings of a rule; errors are added to `faults`.
 * @param prefix JSON pointer to the rule
 */
export function readRule(given: AlertRuleSettings, prefix: string, faults: FieldFaults): RuleSettings {
  const add = (at: string, message: FaultText) => faults.add(`${prefix}${at}`, "field.invalid", message);
  const { name, description, order = DEFAULT_ORDER, enabled = true, stop, effect: effectName } = given;
  if (!isResourceName(name)) add("/name", say("rule_name"));
  if (description.length > MAX_DESCRIPTION)
    add("/description", say("at_most_characters", { max: MAX_DESCRIPTION }));
  if (Math.abs(order) > MAX_ORDER) add("/order", say("number_up_to", { max: MAX_ORDER }));
  const matchers = readMatchers(given, prefix, faults);
  const effect = effectName === "drop" ? "drop" : "notify";
  if (!["", "notify", "drop"].includes(effectName)) add("/effect", say("notify_or_drop"));
  if (effect === "drop" && given.notify) add("/notify", say("what_dropped_told_nobody"));
  const notify = effect === "notify" ? readNotification(given.notify, `${prefix}/notify`, faults) : undefined;
  return {
    name,
    description,
    order,
    enabled,
    matchers,
    stop,
    effect,
    ...(given.onlyUnmatched && { onlyUnmatched: true as const }),
    ...(notify && { notify }),
  };
}

export function readMatchers(
  given: { readonly match: readonly ConditionMessage[]; readonly any: readonly ConditionMessage[] },
  prefix: string,
  faults: FieldFaults,
): Matchers {
  const read = (some: readonly ConditionMessage[], list: string) =>
    some.map((one, index) => readCondition(one, `${prefix}/${list}/${index}`, faults));
  const matchers = { match: read(given.match, "match"), any: read(given.any, "any") };
  checkMatchers(matchers, (at, code, message) => faults.add(`${prefix}${at}`, code, message));
  return matchers;
}

function readCondition({ field, op, value }: ConditionMessage, at: string, faults: FieldFaults): Condition {
  const known = operators.find((one) => one === op);
  if (!known) faults.add(`${at}/op`, "field.invalid", say("one_of", { allowed: operators }));
  const plain: unknown = value ? toJson(ValueSchema, value) : undefined;
  const isPlain = (one: unknown) => ["string", "number", "boolean"].includes(typeof one);
  if (!(Array.isArray(plain) ? plain.every(isPlain) : isPlain(plain)))
    faults.add(`${at}/value`, "field.invalid", say("text_number_true_false_list_those"));
  return { field, op: known ?? ("eq" as Operator), value: plain as Condition["value"] };
}

function readNotification(
  given: RuleNotification | undefined,
  prefix: string,
  faults: FieldFaults,
): NotifySettings {
  const add = (at: string, message: FaultText) => faults.add(`${prefix}${at}`, "field.invalid", message);
  const within = (at: string, value: number | undefined, least: number, most: number, none: number) => {
    if (value === undefined) return none;
    if (value < least || value > most) add(at, say("number_range", { min: least, max: most }));
    return value;
  };
  const ms = (at: string, value: number | undefined, least: number, most: number, noneMs: number) =>
    1_000 * within(at, value, least, most, noneMs / 1_000);
  const orNever = (at: string, value: number | undefined, least: number, noneMs: number) =>
    value === 0 ? 0 : ms(at, value, least, MONTH_SECONDS, noneMs);
  const d = DEFAULT_NOTIFY;
  if (!given) return d;
  const recipients = readRecipients(given.recipients, `${prefix}/recipients`, faults);
  const onCall = readSchedules(given.onCallSchedules, `${prefix}/on_call_schedules`, faults);
  const targets = readTargets(given.targets, `${prefix}/targets`, faults);
  const steps = given.escalation.map(({ afterSeconds, recipients: others, ...step }, index) => {
    const at = `${prefix}/escalation/${index}`;
    const schedules = readSchedules(step.onCallSchedules, `${at}/on_call_schedules`, faults);
    const posted = readTargets(step.targets, `${at}/targets`, faults);
    const least = schedules.length + posted.length > 0 ? 0 : 1;
    return {
      afterMs: ms(`/escalation/${index}/after_seconds`, afterSeconds, 60, 7 * DAY_SECONDS, 0),
      recipients: readRecipients(others, `${at}/recipients`, faults, least),
      ...(schedules.length > 0 && { onCall: schedules }),
      ...(posted.length > 0 && { targets: posted }),
    };
  });
  if (steps.length > MAX_STEPS) add("/escalation", say("most_steps", { max: MAX_STEPS }));
  if (steps.length > 0 && !hasReceivers({ recipients, onCall, targets }))
    add("/escalation", say("nobody_mailed_first_name_recipients"));
  const { from, routingPolicy: policy, template, groupBy, oneIncident } = given;
  const isMailing = sendsMail({ recipients, onCall, escalation: { steps, rounds: 1 } });
  readSender(from, isMailing, `${prefix}/from`, faults);
  for (const [field, name] of Object.entries({ routing_policy: policy, template }))
    if (name !== undefined && !isResourceName(name)) add(`/${field}`, say("no_name"));
  if (groupBy.length > MAX_GROUP_FIELDS) add("/group_by", say("most_fields", { max: MAX_GROUP_FIELDS }));
  if (groupBy.length > 0 && oneIncident) add("/one_incident", say("does_not_go_group"));
  for (const [index, field] of groupBy.entries())
    if (!isField(field)) add(`/group_by/${index}`, say("no_field_alert"));
  const quiet = given.quietHours && readQuiet(given.quietHours, `${prefix}/quiet_hours`, faults);
  const zone = given.timeZone ?? quiet?.zone ?? d.zone;
  if (!isTimeZone(zone)) add("/time_zone", say("time_zone_europe_berlin"));
  return {
    recipients,
    ...(onCall.length > 0 && { onCall }),
    ...(targets.length > 0 && { targets }),
    ...(from !== undefined && { from }),
    ...(policy !== undefined && { policy }),
    ...(template !== undefined && { template }),
    ...((groupBy.length > 0 || oneIncident) && { groupBy: [...groupBy] }),
    waitMs: ms("/wait_seconds", given.waitSeconds, 0, 3_600, d.waitMs),
    intervalMs: ms("/interval_seconds", given.intervalSeconds, 60, DAY_SECONDS, d.intervalMs),
    repeatMs: orNever("/repeat_seconds", given.repeatSeconds, 300, d.repeatMs),
    resolvedMail: given.resolvedMail ?? d.resolvedMail,
    autoResolveMs: orNever("/auto_resolve_seconds", given.autoResolveSeconds, 60, d.autoResolveMs),
    ...(quiet && { quiet }),
    quietHoldsCritical: given.quietHours?.holdCritical ?? false,
    zone,
    ceiling: within("/mails_per_hour", given.mailsPerHour, 1, MAX_NOTIFICATION_LIMIT, d.ceiling),
    digestMs: ms("/digest_seconds", given.digestSeconds, 60, DAY_SECONDS, d.digestMs),
    escalation: { steps, rounds: within("/escalation_rounds", given.escalationRounds, 1, MAX_ROUNDS, 1) },
  };
}

function readSender(from: string | undefined, isMailing: boolean, at: string, faults: FieldFaults): void {
  if (from === undefined) {
    if (isMailing) faults.add(at, "field.required", say("mail_needs_sender"));
    return;
  }
  const read = parseFromMailbox(from);
  if (!read.ok) faults.add(at, read.code, read.message);
}

/** Names of on-call schedules. The transaction that stores the rule verifies that they exist. */
function readSchedules(given: readonly string[], at: string, faults: FieldFaults): string[] {
  if (given.length > MAX_SCHEDULES) faults.add(at, "field.too_many", say("at_most", { max: MAX_SCHEDULES }));
  const names = given.slice(0, MAX_SCHEDULES);
  for (const [index, name] of names.entries())
    if (!isResourceName(name)) faults.add(`${at}/${index}`, "field.invalid", say("no_name"));
  return [...new Set(names)];
}

/** Reads ids of alert targets. Whether they exist is checked when the rule is stored. */
function readTargets(given: readonly string[], at: string, faults: FieldFaults): string[] {
  if (given.length > MAX_TARGETS) faults.add(at, "field.too_many", say("at_most", { max: MAX_TARGETS }));
  const shown = given.slice(0, MAX_TARGETS);
  for (const [index, id] of shown.entries())
    if (!isId("atg", id)) faults.add(`${at}/${index}`, "field.invalid", say("no_target_id"));
  return [...new Set(shown)];
}

function readQuiet(given: QuietHours, at: string, faults: FieldFaults) {
  return readWindows(given, say("quiet_hours_end_from_equal_24"), at, faults);
}

/**
 * Reads windows of the week.
 * @param endless error of windows that never end
 */
export function readWindows(
  { timeZone: zone, windows }: Pick<QuietHours, "timeZone" | "windows">,
  endless: FaultText,
  at: string,
  faults: FieldFaults,
) {
  const add = (where: string, message: FaultText) => faults.add(`${at}${where}`, "field.invalid", message);
  const before = faults.found.length;
  if (!isTimeZone(zone)) add("/time_zone", say("time_zone_europe_berlin"));
  if (windows.length === 0 || windows.length > MAX_WINDOWS)
    add("/windows", say("windows", { max: MAX_WINDOWS }));
  for (const [index, { days, from, to }] of windows.entries()) {
    if (days.some((day) => day < 1 || day > 7) || days.length > 7)
      add(`/windows/${index}/days`, say("day_number_from_1_monday_7"));
    for (const [name, time] of Object.entries({ from, to }))
      if (minutesOf(time) === undefined) add(`/windows/${index}/${name}`, say("time_day_22_00"));
  }
  const quiet = { zone, windows: windows.map(({ days, from, to }) => ({ days: [...days], from, to })) };
  if (faults.found.length === before && isAlwaysQuiet(quiet)) add("/windows", endless);
  return quiet;
}
