import { Select, Switch, TextInput } from "@mantine/core";
import type { RuleContent } from "../../api/rules.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { FormPart } from "../../parts/form-part.tsx";
import { t } from "../../texts/texts.ts";
import { ConditionLists } from "./condition-list.tsx";
import { Escalation } from "./escalation.tsx";
import { GroupingFields, LimitFields, RecipientFields } from "./notification-fields.tsx";
import { QuietHoursFields } from "./quiet-hours.tsx";

interface RuleFormProps {
  readonly content: RuleContent;
  readonly faultAt: FaultAt;
  readonly onChange: (content: RuleContent) => void;
}

const effects = ["notify", "drop"] as const;

/** The settings of an alert rule as fields. */
export function RuleForm({ content, faultAt, onChange }: RuleFormProps) {
  const { notify = {}, effect = "notify" } = content;
  const change = (changes: Partial<RuleContent>) => onChange({ ...content, ...changes });
  const ofNotify = {
    notify,
    faultAt,
    onChange: (changes: Partial<typeof notify>) => change({ notify: { ...notify, ...changes } }),
  };
  return (
    <>
      <FormPart title={t.rules.conditions} detail={t.rules.conditionsDetail}>
        <ConditionLists conditions={content} faultAt={faultAt} onChange={change} />
      </FormPart>
      <FormPart title={t.rules.evaluation}>
        <OrderFields content={content} faultAt={faultAt} onChange={change} />
        <Select
          label={t.rules.effect}
          allowDeselect={false}
          data={effects.map((value) => ({ value, label: t.rules.effects[value] }))}
          error={faultAt("/effect")}
          value={effect}
          onChange={(value) => change({ effect: effects.find((one) => one === value) })}
        />
      </FormPart>
      {effect === "notify" && (
        <>
          <FormPart title={t.rules.recipientsTitle} detail={t.rules.recipientsTitleDetail}>
            <RecipientFields {...ofNotify} />
          </FormPart>
          <FormPart title={t.rules.grouping} detail={t.rules.groupingDetail}>
            <GroupingFields {...ofNotify} />
          </FormPart>
          <FormPart title={t.rules.quietHours} detail={t.rules.quietHoursDetail}>
            <QuietHoursFields {...ofNotify} />
          </FormPart>
          <FormPart title={t.rules.escalation} detail={t.rules.escalationDetail}>
            <Escalation {...ofNotify} />
          </FormPart>
          <FormPart title={t.rules.limits}>
            <LimitFields {...ofNotify} />
          </FormPart>
        </>
      )}
    </>
  );
}

interface OrderFieldsProps {
  readonly content: RuleContent;
  readonly faultAt: FaultAt;
  readonly onChange: (changes: Partial<RuleContent>) => void;
}

/** Description, place among the other rules, and what follows a match. */
function OrderFields({ content, faultAt, onChange }: OrderFieldsProps) {
  const { description = "", order, enabled = true, stop = false, only_unmatched: isLast = false } = content;
  return (
    <>
      <TextInput
        label={t.rules.description}
        maxLength={200}
        autoComplete="off"
        error={faultAt("/description")}
        value={description}
        onChange={({ currentTarget: { value } }) => onChange({ description: value })}
      />
      <TextInput
        type="number"
        label={t.rules.order}
        description={t.rules.orderDetail}
        error={faultAt("/order")}
        value={order ?? ""}
        onChange={({ currentTarget: { value } }) =>
          onChange({ order: value === "" ? undefined : Number(value) })
        }
      />
      <Switch
        label={t.rules.enabled}
        description={t.rules.enabledDetail}
        error={faultAt("/enabled")}
        checked={enabled}
        onChange={({ currentTarget: { checked } }) => onChange({ enabled: checked })}
      />
      <Switch
        label={t.rules.stop}
        description={t.rules.stopDetail}
        error={faultAt("/stop")}
        checked={stop}
        onChange={({ currentTarget: { checked } }) => onChange({ stop: checked })}
      />
      <Switch
        label={t.rules.onlyUnmatched}
        description={t.rules.onlyUnmatchedDetail}
        error={faultAt("/only_unmatched")}
        checked={isLast}
        onChange={({ currentTarget: { checked } }) => onChange({ only_unmatched: checked })}
      />
    </>
  );
}
