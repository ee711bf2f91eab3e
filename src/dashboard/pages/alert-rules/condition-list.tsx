import { Button } from "@mantine/core";
import type { Condition } from "../../api/rules.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { withItem, withoutItem } from "../../parts/edit-list.ts";
import { t } from "../../texts/texts.ts";
import { ConditionFields } from "./condition-fields.tsx";

interface ConditionListProps {
  /** Name of the list, for screen readers: several lists are on a page. */
  readonly label: string;
  readonly detail: string;
  readonly conditions: readonly Condition[];
  /** JSON pointer of the list. */
  readonly at: string;
  readonly faultAt: FaultAt;
  readonly onChange: (conditions: Condition[]) => void;
}

interface Conditions {
  readonly match?: readonly Condition[] | undefined;
  readonly any?: readonly Condition[] | undefined;
}

interface ConditionListsProps {
  readonly conditions: Conditions;
  /** Names of both lists, for screen readers. */
  readonly labels?: { readonly match: string; readonly any: string };
  /** JSON pointer of the object with both lists. */
  readonly at?: string;
  readonly faultAt: FaultAt;
  readonly onChange: (changes: { match?: Condition[]; any?: Condition[] }) => void;
}

const details = { match: t.rules.matchDetail, any: t.rules.anyDetail };

/** The conditions that must all be true, and those of which one must be true. */
export function ConditionLists({
  conditions,
  labels = t.rules,
  at = "",
  faultAt,
  onChange,
}: ConditionListsProps) {
  return (["match", "any"] as const).map((name) => (
    <ConditionList
      key={name}
      label={labels[name]}
      detail={details[name]}
      conditions={conditions[name] ?? []}
      at={`${at}/${name}`}
      faultAt={faultAt}
      onChange={(changed) => onChange({ [name]: changed })}
    />
  ));
}

const first: Condition = { field: "event_type", op: "eq", value: "" };

/** Conditions of a rule or an inhibition. Their order has no meaning. */
function ConditionList({ label, detail, conditions, at, faultAt, onChange }: ConditionListProps) {
  return (
    <section className="stack" aria-label={label}>
      <p className="tight">
        <b>{label}</b> <span className="muted">{detail}</span>
      </p>
      {conditions.map((condition, index) => (
        <ConditionFields
          key={index}
          name={`${label}, ${t.rules.condition(index + 1)}`}
          condition={condition}
          at={`${at}/${index}`}
          faultAt={faultAt}
          onChange={(changed) => onChange(withItem(conditions, index, changed))}
          onRemove={() => onChange(withoutItem(conditions, index))}
        />
      ))}
      {faultAt(at) && <p className="fault">{faultAt(at)}</p>}
      <div>
        <Button
          variant="default"
          size="xs"
          aria-label={`${t.rules.addCondition}: ${label}`}
          onClick={() => onChange([...conditions, first])}
        >
          {t.rules.addCondition}
        </Button>
      </div>
    </section>
  );
}
