import type { NewSchedule, Schedule } from "../../api/schedules.ts";
import { type ScopeType, scopeTypes } from "../intel-reports/report-values.ts";

/** Values of the form. */
export interface ScheduleValues {
  name: string;
  type: ScopeType;
  /** Id of the client or domain. */
  id: string | undefined;
  cadence: "weekly" | "monthly";
  /** Day of the week, 1 is Monday, or of the month. */
  day: number;
  hour: number;
  timezone: string;
  format: "pdf" | "html";
  /** Empty: the contacts of the client. */
  recipients: string[];
  from: string;
}

/** A weekly report on Monday morning. */
export const blankSchedule = (timezone: string): ScheduleValues => ({
  name: "",
  type: "client",
  id: undefined,
  cadence: "weekly",
  day: 1,
  hour: 8,
  timezone,
  format: "pdf",
  recipients: [],
  from: "",
});

export function valuesOf(schedule: Schedule): ScheduleValues {
  const { name, scope, cadence, weekday, day, hour, timezone, format, recipients, from } = schedule;
  return {
    name,
    type: scopeTypes.find((one) => one === scope.type) ?? "workspace",
    id: scope.id,
    cadence: cadence === "monthly" ? "monthly" : "weekly",
    day: (cadence === "monthly" ? day : weekday) ?? 1,
    hour,
    timezone,
    format: format === "html" ? "html" : "pdf",
    recipients: [...recipients],
    from,
  };
}

/** The request of the form. A change keeps the settings that the form does not have. */
export function scheduleBody(values: ScheduleValues, former?: Schedule): NewSchedule {
  const { type, id, cadence, day, ...others } = values;
  return {
    ...(former && keptOf(former)),
    ...others,
    name: others.name.trim(),
    from: others.from.trim(),
    scope: { type, ...(id !== undefined && { id }) },
    cadence,
    ...(cadence === "weekly" ? { weekday: day } : { day }),
  };
}

function keptOf({ paper, sections, locale, branding, routing_policy }: Schedule): Partial<NewSchedule> {
  return {
    paper: paper === "letter" ? "letter" : "a4",
    sections,
    ...(locale !== null && { locale }),
    ...(branding !== null && {
      branding: {
        ...(branding.name !== null && { name: branding.name }),
        ...(branding.color !== null && { color: branding.color }),
      },
    }),
    ...(routing_policy !== null && { routing_policy }),
  };
}
