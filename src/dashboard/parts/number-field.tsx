import { TextInput } from "@mantine/core";

interface NumberFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly value: number | undefined;
  readonly error?: string | undefined;
  /** Called with undefined if the field is empty. */
  readonly onChange: (value: number | undefined) => void;
}

/** A field for a number that may be missing. */
export function NumberField({ label, description, placeholder, value, error, onChange }: NumberFieldProps) {
  return (
    <TextInput
      type="number"
      min={0}
      label={label}
      description={description}
      placeholder={placeholder}
      error={error}
      value={value ?? ""}
      onChange={({ currentTarget: { value: text } }) => onChange(text === "" ? undefined : Number(text))}
    />
  );
}
