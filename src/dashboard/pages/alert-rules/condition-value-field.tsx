import { Select, TagsInput, TextInput } from "@mantine/core";
import type { Condition } from "../../api/rules.ts";
import { t } from "../../texts/texts.ts";
import { type ConditionValue, kindOf, severities, type ValueKind, valueAs } from "./condition-values.ts";

interface ConditionValueFieldProps {
  readonly condition: Condition;
  readonly error: string | undefined;
  readonly onChange: (value: ConditionValue) => void;
}

const severityChoices = severities.map((value) => ({ value, label: t.rules.severities[value] }));
const kinds = ["text", "number", "flag"] as const satisfies readonly ValueKind[];

/** The value of a condition. Fields of `context` also have numbers and truth values. */
export function ConditionValueField({ condition, error, onChange }: ConditionValueFieldProps) {
  const { field, op, value } = condition;
  const kind = kindOf(condition);
  const isContext = field.startsWith("context.");
  return (
    <>
      <OneValue condition={condition} kind={kind} error={error} onChange={onChange} />
      {isContext && kind !== "list" && op !== "exists" && (
        <Select
          label={t.rules.type}
          allowDeselect={false}
          data={kinds.map((one) => ({ value: one, label: t.rules.types[one] }))}
          value={kind}
          onChange={(chosen) => chosen && onChange(valueAs(chosen as ValueKind, value))}
        />
      )}
    </>
  );
}

interface OneValueProps extends ConditionValueFieldProps {
  readonly kind: ValueKind;
}

function OneValue({ condition: { field, value }, kind, error, onChange }: OneValueProps) {
  const shared = { label: t.rules.value, error };
  if (kind === "list")
    return (
      <TagsInput
        {...shared}
        {...(field === "severity" && { data: [...severities] })}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={onChange}
      />
    );
  if (kind === "flag")
    return (
      <Select
        {...shared}
        allowDeselect={false}
        data={[
          { value: "true", label: t.rules.yes },
          { value: "false", label: t.rules.no },
        ]}
        value={String(value)}
        onChange={(chosen) => onChange(chosen === "true")}
      />
    );
  if (field === "severity")
    return (
      <Select
        {...shared}
        allowDeselect={false}
        data={severityChoices}
        value={severities.find((one) => one === value) ?? null}
        onChange={(chosen) => chosen && onChange(chosen)}
      />
    );
  return (
    <TextInput
      {...shared}
      autoComplete="off"
      {...(kind === "number" && { type: "number", step: "any" })}
      value={String(value)}
      onChange={({ currentTarget: { value: text } }) => onChange(kind === "number" ? Number(text) : text)}
    />
  );
}
