import { Autocomplete, Button, Select } from "@mantine/core";
import type { Condition } from "../../api/rules.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { t } from "../../texts/texts.ts";
import { ConditionValueField } from "./condition-value-field.tsx";
import { alertFields, operatorsOf, withOperator } from "./condition-values.ts";

interface ConditionFieldsProps {
  readonly name: string;
  readonly condition: Condition;
  /** JSON pointer of the condition. */
  readonly at: string;
  readonly faultAt: FaultAt;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

/** A condition: field, operator and value. */
export function ConditionFields({ name, condition, at, faultAt, onChange, onRemove }: ConditionFieldsProps) {
  const { field, op } = condition;
  const operators = operatorsOf(field);
  return (
    <fieldset className="part condition" aria-label={name}>
      <Autocomplete
        label={t.rules.field}
        data={[...alertFields]}
        autoComplete="off"
        error={faultAt(`${at}/field`) ?? faultAt(at)}
        value={field}
        onChange={(changed) => onChange(withOperator(condition, { field: changed }))}
      />
      <Select
        label={t.rules.operator}
        allowDeselect={false}
        data={operators.map((value) => ({ value, label: t.rules.operators[value] }))}
        error={faultAt(`${at}/op`)}
        value={op}
        onChange={(changed) => changed && onChange(withOperator(condition, { op: changed }))}
      />
      <ConditionValueField
        condition={condition}
        error={faultAt(`${at}/value/*`)}
        onChange={(value) => onChange({ ...condition, value })}
      />
      <Button variant="default" size="xs" aria-label={t.common.removePart(name)} onClick={onRemove}>
        {t.common.remove}
      </Button>
    </fieldset>
  );
}
