import { TextInput } from "@mantine/core";
import { useState } from "react";
import { type Data, putDataSet, type Template } from "../../api/templates.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { t } from "../../texts/texts.ts";
import type { Draft } from "./use-draft.ts";
import { useTemplateChange } from "./use-template-change.ts";
import type { TestData } from "./use-test-data.ts";

interface NameSetProps {
  readonly draft: Draft;
  readonly data: TestData;
  /** Adds a data set; otherwise the selected one gets another name. */
  readonly isNew: boolean;
  readonly onClose: () => void;
}

/** Adds a data set with the shown data, or renames the selected one. */
export function NameSet({ draft, data, isNew, onClose }: NameSetProps) {
  const { selected, names } = data;
  const [name, setName] = useState(isNew ? "" : selected);
  const wanted = name.trim();
  const isTaken = names.includes(wanted) && (isNew || wanted !== selected);
  const change = useTemplateChange<string>({
    draft,
    change: (to) =>
      isNew
        ? putDataSet(draft.base.name, draft.base.revision, to, data.data)
        : renameSet(draft.base, selected, to, data.data),
    take: (stored, to) => {
      draft.rebase(stored);
      data.settle(selected);
      data.select(to);
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      title={isNew ? t.templates.addSet : t.templates.renameSetTitle(selected)}
      {...(isNew && { detail: t.templates.addSetDetail })}
      action={isNew ? t.templates.addSet : t.templates.renameSet}
      isPending={change.isPending}
      error={change.error}
      onSubmit={() => {
        if (!isTaken && wanted !== selected) change.mutate(wanted);
      }}
      onClose={onClose}
    >
      <TextInput
        label={t.templates.setName}
        description={t.templates.setNameDetail}
        maxLength={60}
        required
        data-autofocus
        value={name}
        error={isTaken ? t.templates.setExists : change.error && fieldFaults(change.error).data_set}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

const MAX_NAMED_SETS = 10;

/** Stores the data under the new name before it removes the former one, unless there is no space for both. */
async function renameSet(base: Template, from: string, to: string, values: Data): Promise<Template> {
  const { name, revision, data_sets } = base;
  if (data_sets.length < MAX_NAMED_SETS) {
    const added = await putDataSet(name, revision, to, values);
    return putDataSet(name, added.revision, from, undefined);
  }
  const removed = await putDataSet(name, revision, from, undefined);
  return putDataSet(name, removed.revision, to, values).catch(async (error: unknown) => {
    // A refused name must not cost the data.
    await putDataSet(name, removed.revision, from, values);
    throw error;
  });
}
