import { SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { checksQuery } from "../../api/checks.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { checkTitle } from "../intel-scope/check-title.ts";
import { type BulkFormProps, dialogOf } from "./bulk-forms.tsx";
import { MuteFields, muteOf, newMute } from "./mute-fields.tsx";

const actions = ["mute", "unmute"] as const;

/** Asks for the check that is muted or unmuted. A mute also has an end and a reason. */
export function MuteForm({ onAsk, onClose }: BulkFormProps) {
  const catalogue = useQuery(checksQuery);
  const [action, setAction] = useState<(typeof actions)[number]>("mute");
  const [check, setCheck] = useState<string | null>(null);
  const [draft, setDraft] = useState(newMute);
  const all = catalogue.data?.data ?? [];
  const options = all.map(({ id, title }) => ({ value: id, label: checkTitle(id, title) }));

  function submit(): void {
    if (check === null) return;
    const summary = options.find(({ value }) => value === check)?.label;
    const mute = muteOf(draft);
    if (action === "unmute") onAsk({ action, check_id: check }, summary);
    else if (mute) onAsk({ action, check_id: check, ...mute }, summary);
  }

  return (
    <FormDialog title={t.watches.bulk.mute} {...dialogOf(t.watches.muteManyDetail, submit, onClose)}>
      <SegmentedControl
        aria-label={t.watches.bulk.mute}
        data={actions.map((value) => ({ value, label: t.jobs.actions[value] ?? value }))}
        value={action}
        onChange={(value) => setAction(value as typeof action)}
      />
      <StateView query={catalogue}>
        {() => (
          <Select
            label={t.watches.checkName}
            placeholder={t.watches.findCheckHint}
            required
            searchable
            nothingFoundMessage={t.shell.nothingFound}
            data={options}
            value={check}
            onChange={setCheck}
          />
        )}
      </StateView>
      {action === "mute" && <MuteFields draft={draft} error={null} onChange={setDraft} />}
    </FormDialog>
  );
}
