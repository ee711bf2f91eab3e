import { Select } from "@mantine/core";
import { t } from "../texts/texts.ts";

interface PickFieldProps {
  readonly label: string;
  /** Values and their labels. */
  readonly options: Readonly<Record<string, string>>;
  readonly value: string | undefined;
  readonly onPick: (value: string | undefined) => void;
}

/** A filter with a few values to choose from. */
export function PickField({ label, options, value, onPick }: PickFieldProps) {
  return (
    <Select
      aria-label={label}
      placeholder={`${label}: ${t.common.any}`}
      clearable
      clearButtonProps={{ "aria-label": t.common.clear(label) }}
      data={Object.entries(options).map(([name, words]) => ({ value: name, label: words }))}
      value={value ?? null}
      onChange={(picked) => onPick(picked ?? undefined)}
      className="pick-field"
    />
  );
}
