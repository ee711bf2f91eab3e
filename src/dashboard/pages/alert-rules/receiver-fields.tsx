import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Schedule, scheduleChoicesQuery } from "../../api/oncalls.ts";
import type { Notification } from "../../api/rules.ts";
import { type Target, targetChoicesQuery } from "../../api/targets.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { t } from "../../texts/texts.ts";

type Receivers = Pick<Notification, "on_call_schedules" | "targets">;

interface ReceiverFieldsProps {
  readonly receivers: Receivers;
  /** JSON pointer of the part that has them. */
  readonly at: string;
  /** Labels of both fields. */
  readonly labels: { readonly schedules: string; readonly targets: string };
  readonly faultAt: FaultAt;
  readonly onChange: (changes: Receivers) => void;
}

const MAX_SCHEDULES = 10;
const MAX_TARGETS = 20;

/** On-call schedules and alert targets that are notified, chosen from those of the account. */
export function ReceiverFields({ receivers, at, labels, faultAt, onChange }: ReceiverFieldsProps) {
  const { on_call_schedules: schedules = [], targets = [] } = receivers;
  const allSchedules = useQuery(scheduleChoicesQuery);
  const allTargets = useQuery(targetChoicesQuery);
  return (
    <>
      <MultiSelect
        label={labels.schedules}
        description={detailOf(allSchedules, t.rules.scheduleTexts)}
        data={withChosen(allSchedules.data?.rows.map(scheduleChoice) ?? [], schedules)}
        searchable
        hidePickedOptions
        maxValues={MAX_SCHEDULES}
        nothingFoundMessage={t.rules.noOtherChoice}
        error={faultAt(`${at}/on_call_schedules/*`)}
        value={schedules}
        onChange={(on_call_schedules) => onChange({ on_call_schedules })}
      />
      <MultiSelect
        label={labels.targets}
        description={detailOf(allTargets, t.rules.targetTexts)}
        data={withChosen(allTargets.data?.rows.map(targetChoice) ?? [], targets)}
        searchable
        hidePickedOptions
        maxValues={MAX_TARGETS}
        nothingFoundMessage={t.rules.noOtherChoice}
        error={faultAt(`${at}/targets/*`)}
        value={targets}
        onChange={(chosen) => onChange({ targets: chosen })}
      />
    </>
  );
}

interface Choices {
  readonly data: { readonly rows: readonly unknown[] } | undefined;
  readonly error: Error | null;
}

interface ChoiceTexts {
  readonly detail: string;
  readonly none: string;
  readonly failed: string;
}

/** The description of a field: its choices only complete the form. */
function detailOf({ data, error }: Choices, { detail, none, failed }: ChoiceTexts): string {
  if (data) return data.rows.length > 0 ? detail : `${detail} ${none}`;
  return error ? failed : t.common.loading;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

const scheduleChoice = ({ settings: { name } }: Schedule): Choice => ({ value: name, label: name });

const targetChoice = ({ id, name, kind }: Target): Choice => ({
  value: id,
  label: t.rules.targetOf(name, t.rules.targetKinds[kind] ?? kind),
});

/** The choices, and chosen values that the account no longer has: they stay until the user removes them. */
function withChosen(choices: readonly Choice[], chosen: readonly string[]): Choice[] {
  const known = new Set(choices.map(({ value }) => value));
  return [
    ...choices,
    ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value })),
  ];
}
