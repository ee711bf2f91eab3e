import { Input, Select } from "@mantine/core";
import { useId, useState } from "react";
import { t } from "../../texts/texts.ts";

const UNITS = [86_400, 3_600, 60, 1] as const;
const options = UNITS.toReversed().map((unit) => ({
  value: String(unit),
  label: t.heartbeats.units[unit] ?? String(unit),
}));

interface SpanFieldProps {
  readonly label: string;
  readonly description: string;
  readonly seconds: number | undefined;
  readonly error: string | undefined;
  /** Called with undefined if the field is empty. */
  readonly onChange: (seconds: number | undefined) => void;
}

/** A time span as number and unit. */
export function SpanField({ label, description, seconds, error, onChange }: SpanFieldProps) {
  const id = useId();
  const [chosen, setChosen] = useState<number>();
  // Another value, such as a discarded change, can have no whole number of the chosen unit.
  const unit =
    chosen !== undefined && (seconds ?? 0) % chosen === 0
      ? chosen
      : (UNITS.find((one) => (seconds ?? 0) % one === 0 && seconds !== 0) ?? 60);
  const count = seconds === undefined ? undefined : seconds / unit;
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <div className="row nowrap">
        <Input
          id={id}
          type="number"
          min={0}
          error={error !== undefined}
          value={count ?? ""}
          onChange={({ currentTarget: { value } }) => {
            setChosen(unit);
            onChange(value === "" ? undefined : Math.round(Number(value) * unit));
          }}
        />
        <Select
          aria-label={t.heartbeats.unit(label)}
          // As far below the description as the number.
          mt="calc(var(--mantine-spacing-xs) / 2)"
          data={options}
          allowDeselect={false}
          value={String(unit)}
          onChange={(value) => {
            const next = Number(value);
            setChosen(next);
            if (count !== undefined) onChange(Math.round(count * next));
          }}
        />
      </div>
    </Input.Wrapper>
  );
}
