import type { ScheduleSettings as Asked } from "../../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import type { Cadence } from "../../intel/reports/report-calendar.ts";
import { addressKey } from "../../message/address/address-key.ts";
import { parseAddress } from "../../message/address/addresses.ts";
import { parseFromMailbox } from "../../message/address/from-field.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { ScheduleSettings } from "../../store/schedule-documents.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";
import { readTimezone } from "./read-client.ts";
import { readReportAppearance } from "./read-report-request.ts";

/** Settings of a schedule, as far as the request determines them. */
export interface AskedSchedule extends Omit<ScheduleSettings, "timezone"> {
  /** undefined: time zone of the client. */
  readonly timezone: string | undefined;
  /** Address in `from`. */
  readonly senderAddress: string;
}

const MAX_NAME = 100;
const MAX_RECIPIENTS = 20;
const DEFAULT_HOUR = 8;
const FORMATS = ["pdf", "html"] as const;

/** @throws Fault request.validation_failed */
export function readSchedule(asked: Asked | undefined): AskedSchedule {
  if (!asked)
    throw validationFault([{ pointer: "/settings", code: "field.required", message: say("needed") }]);
  const faults = createFieldFaults();
  const name = asked.name.trim();
  if (name === "" || [...name].length > MAX_NAME || /\p{Cc}/u.test(name))
    faults.add(
      "/name",
      name === "" ? "field.required" : "field.invalid",
      say("schedule_name_1_characters_no_control", { max: MAX_NAME }),
    );
  const { sections, locale, ...appearance } = readReportAppearance(asked, FORMATS, faults);
  const cadence = readCadence(asked, faults);
  const { hour = DEFAULT_HOUR, timezone, routingPolicy, paused } = asked;
  if (hour > 23) faults.add("/hour", "field.invalid", say("hour"));
  const zone = timezone === "" ? undefined : readTimezone(timezone, faults);
  const recipients = readRecipients(asked.recipients, faults);
  if (recipients.length === 0 && appearance.scope.type === "workspace")
    faults.add("/recipients", "field.required", say("workspace_no_contacts_say_whom_report"));
  const sender = parseFromMailbox(asked.from);
  if (asked.from === "") faults.add("/from", "field.required", say("sender_needed"));
  else if (!sender.ok) faults.add("/from", sender.code, sender.message);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return {
    ...appearance,
    name,
    cadence,
    hour,
    timezone: zone,
    recipients,
    from: asked.from,
    paused,
    ...withoutUndefined({ sections, locale, policy: routingPolicy === "" ? undefined : routingPolicy }),
    senderAddress: sender.ok ? sender.mailbox.address : "",
  };
}

function readCadence({ cadence, weekday, day }: Asked, faults: FieldFaults): Cadence {
  if (cadence !== "weekly" && cadence !== "monthly")
    faults.add("/cadence", cadence === "" ? "field.required" : "field.invalid", say("weekly_or_monthly"));
  if (cadence === "weekly" && day !== undefined)
    faults.add("/day", "field.conflict", say("weekly_report_weekday_no_day_month"));
  if (cadence === "monthly" && weekday !== undefined)
    faults.add("/weekday", "field.conflict", say("monthly_report_day_month_no_weekday"));
  if (weekday !== undefined && (weekday < 1 || weekday > 7))
    faults.add("/weekday", "field.invalid", say("weekday"));
  if (day !== undefined && (day < 1 || day > 28)) faults.add("/day", "field.invalid", say("day_of_month"));
  return cadence === "monthly"
    ? { kind: "monthly", day: day ?? 1 }
    : { kind: "weekly", weekday: weekday ?? 1 };
}

/** Each address once, in the form in which it occurs first. */
function readRecipients(addresses: readonly string[], faults: FieldFaults): string[] {
  if (addresses.length > MAX_RECIPIENTS)
    faults.add("/recipients", "field.too_many", say("at_most", { max: MAX_RECIPIENTS }));
  const found = new Map<string, string>();
  for (const [index, address] of addresses.entries()) {
    const read = parseAddress(address);
    if (!read.ok) faults.add(pointer("recipients", index), read.code, read.message);
    else if (!found.has(addressKey(address))) found.set(addressKey(address), address);
  }
  return [...found.values()];
}
