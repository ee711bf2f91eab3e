import { TextInput } from "@mantine/core";
import { browserZone, clockOf } from "./time.tsx";

interface MomentFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly isRequired?: boolean;
  readonly error?: string | undefined;
  /** IANA time zone of the field; missing: that of the browser. */
  readonly zone?: string;
  /** ISO 8601. */
  readonly value: string | undefined;
  /** Called with undefined if the field is empty or incomplete. */
  readonly onChange: (at: string | undefined) => void;
}

/** A field for a time to the minute. */
export function MomentField(props: MomentFieldProps) {
  const { label, description, isRequired, error, zone = browserZone, value, onChange } = props;
  const clock = clockOf(zone);
  const isTime = value !== undefined && !Number.isNaN(Date.parse(value));
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={description}
      required={isRequired ?? false}
      error={error}
      value={isTime ? new Date(clock.localAt(Date.parse(value))).toISOString().slice(0, 16) : ""}
      onChange={({ currentTarget: { value: local } }) =>
        onChange(local === "" ? undefined : new Date(clock.momentOf(Date.parse(`${local}Z`))).toISOString())
      }
    />
  );
}
