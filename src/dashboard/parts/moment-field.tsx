import { TextInput } from "@mantine/core";
import { localMinute } from "./time.tsx";

interface MomentFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly isRequired?: boolean;
  readonly error?: string | undefined;
  /** ISO 8601. */
  readonly value: string | undefined;
  /** Called with undefined if the field is empty or incomplete. */
  readonly onChange: (at: string | undefined) => void;
}

/** A field for a time in the zone of the browser, to the minute. */
export function MomentField({ label, description, isRequired, error, value, onChange }: MomentFieldProps) {
  const isTime = value !== undefined && !Number.isNaN(Date.parse(value));
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={description}
      required={isRequired ?? false}
      error={error}
      value={isTime ? localMinute(value) : ""}
      onChange={({ currentTarget: { value: local } }) =>
        onChange(local === "" ? undefined : new Date(local).toISOString())
      }
    />
  );
}
