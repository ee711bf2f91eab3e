import { Select } from "@mantine/core";
import { t } from "../../texts/texts.ts";
import { ZoneField } from "../alert-rules/zone-field.tsx";
import type { ScheduleValues } from "./schedule-values.ts";

interface ScheduleTimesProps {
  readonly values: ScheduleValues;
  readonly faultOf: (name: string) => string | undefined;
  readonly onChange: (changes: Partial<ScheduleValues>) => void;
}

/** Each month has these days. */
const MONTH_DAYS = Array.from({ length: 28 }, (_, at) => at + 1);
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const choice = (value: number, label: string) => ({ value: String(value), label });

/** Fields for the days and hours of a schedule. */
export function ScheduleTimes({ values, faultOf, onChange }: ScheduleTimesProps) {
  const { cadence, day, hour, timezone, format } = values;
  const isWeekly = cadence === "weekly";
  return (
    <>
      <div className="pair">
        <Select
          label={t.reportSchedules.cadence}
          data={Object.entries(t.reportSchedules.cadences).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          value={cadence}
          onChange={(picked) => onChange({ cadence: picked as ScheduleValues["cadence"], day: 1 })}
        />
        <Select
          label={t.reportSchedules.day}
          data={
            isWeekly
              ? t.reportSchedules.weekdays.map((name, at) => choice(at + 1, name))
              : MONTH_DAYS.map((one) => choice(one, t.reportSchedules.dayOfMonth(one)))
          }
          allowDeselect={false}
          error={faultOf(isWeekly ? "weekday" : "day")}
          value={String(day)}
          onChange={(picked) => onChange({ day: Number(picked) })}
        />
        <Select
          label={t.reportSchedules.hour}
          data={HOURS.map((one) => choice(one, `${one}:00`))}
          allowDeselect={false}
          error={faultOf("hour")}
          value={String(hour)}
          onChange={(picked) => onChange({ hour: Number(picked) })}
        />
        <ZoneField
          label={t.reportSchedules.zone}
          error={faultOf("timezone")}
          value={timezone}
          onChange={(picked) => onChange({ timezone: picked ?? "UTC" })}
        />
      </div>
      <Select
        label={t.reportSchedules.format}
        data={Object.entries(t.reportSchedules.formats).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        value={format}
        onChange={(picked) => onChange({ format: picked as ScheduleValues["format"] })}
      />
    </>
  );
}
