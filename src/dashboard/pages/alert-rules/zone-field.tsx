import { Select } from "@mantine/core";
import { t } from "../../texts/texts.ts";

const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

interface ZoneFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly error: string | undefined;
  readonly value: string | undefined;
  readonly onChange: (zone: string | undefined) => void;
}

/** A time zone of the IANA list. */
export function ZoneField({ label, description, error, value = "", onChange }: ZoneFieldProps) {
  // A zone that this browser does not know stays selectable.
  const known = value === "" || zones.includes(value) ? zones : [value, ...zones];
  return (
    <Select
      label={label}
      description={description}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t.common.clear(label) }}
      maxDropdownHeight={300}
      limit={100}
      data={known}
      error={error}
      value={value || null}
      onChange={(zone) => onChange(zone ?? undefined)}
    />
  );
}
