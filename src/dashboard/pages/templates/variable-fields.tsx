import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import type { VariableRow } from "./draft-text.ts";

const types = Object.entries(t.templates.types).map(([value, label]) => ({ value, label }));

interface VariableFieldsProps {
  readonly row: VariableRow;
  /** Place in the list, from 1: the names of the fields contain it. */
  readonly position: number;
  readonly fault: string | undefined;
  readonly onChange: (row: VariableRow) => void;
  readonly onRemove: () => void;
}

/** One declared variable: name, type, and fallback unless it is required. */
export function VariableFields({ row, position, fault, onChange, onRemove }: VariableFieldsProps) {
  const may = useMay();
  const isFixed = !may("templates.write");
  return (
    <div className="variable">
      <TextInput
        aria-label={t.templates.variableName(position)}
        placeholder={t.templates.name}
        value={row.name}
        error={fault}
        readOnly={isFixed}
        onChange={(event) => onChange({ ...row, name: event.currentTarget.value })}
      />
      <Select
        aria-label={t.templates.variableType(position)}
        data={types}
        allowDeselect={false}
        value={row.type}
        disabled={isFixed}
        onChange={(type) => type && onChange({ ...row, type })}
      />
      <Checkbox
        label={t.templates.variableRequired}
        aria-label={t.templates.variableIsRequired(position)}
        checked={row.isRequired}
        disabled={isFixed}
        onChange={(event) => onChange({ ...row, isRequired: event.currentTarget.checked })}
      />
      {!row.isRequired && (
        <TextInput
          className="fallback"
          aria-label={t.templates.variableFallback(position)}
          placeholder={row.type === "string" ? t.templates.fallback : t.templates.fallbackJson}
          value={row.fallback}
          readOnly={isFixed}
          onChange={(event) => onChange({ ...row, fallback: event.currentTarget.value })}
        />
      )}
      {!isFixed && (
        <Button
          variant="default"
          size="xs"
          aria-label={t.templates.removeVariable(row.name || String(position))}
          onClick={onRemove}
        >
          {t.templates.removeSet}
        </Button>
      )}
    </div>
  );
}
