import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Label, labelQuery, putLabel } from "../../api/labels.ts";
import { isSame } from "../../parts/drafts/draft-content.ts";
import { faultAtOf, faultsOf } from "../../parts/drafts/draft-faults.ts";
import { isStale, SaveForm } from "../../parts/drafts/save-form.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { LabelFields } from "./label-fields.tsx";
import { LabelPreview } from "./label-preview.tsx";
import { type LabelValues, settingsOf, valuesOf } from "./label-values.ts";
import { RemoveLabel } from "./remove-label.tsx";

const format = {
  read: (text: string) => ({ content: JSON.parse(text) as LabelValues }),
  tidy: (values: LabelValues) => values,
};

interface LabelFormProps {
  /** Id of the workspace or client. */
  readonly labelId: string;
  /** Null: it has none yet. */
  readonly label: Label | null;
}

/** The settings of a label, with an example report beside them. */
export function LabelForm({ labelId, label }: LabelFormProps) {
  const queryClient = useQueryClient();
  const may = useMay();
  const draft = useDraft<LabelValues>(valuesOf(label), label?.revision ?? "none", format);
  // The new logo in base64: the draft has only its name.
  const [file, setFile] = useState("");
  const save = useMutation({
    mutationFn: ({ revision, content }: { readonly revision: string; readonly content: LabelValues }) =>
      putLabel(labelId, revision, settingsOf(content, file)),
    onSuccess: async (stored, { content }) => {
      queryClient.setQueryData(labelQuery(labelId).queryKey, stored);
      draft.settle(content, { base: valuesOf(stored), revision: stored.revision });
      notifications.show({ message: t.labels.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["intel", "labels"] });
    },
    onError: (error) => {
      draft.setFaults(faultsOf(error));
      if (isStale(error)) void queryClient.invalidateQueries({ queryKey: labelQuery(labelId).queryKey });
    },
  });
  const { content } = draft;
  return (
    <div className="halves">
      <div className="stack">
        <LabelFields
          label={label}
          values={content}
          file={file}
          isFixed={!may("intel.write")}
          faultAt={faultAtOf(draft.faults)}
          onChange={(changes, logo) => {
            if (logo !== undefined) setFile(logo);
            draft.change({ ...content, ...changes });
          }}
        />
        {may("intel.write") && (
          <SaveForm
            draft={draft}
            stored={valuesOf(label)}
            storedAt={label?.updated_at ?? new Date().toISOString()}
            save={save}
            onSave={() => save.mutate({ revision: draft.revision, content })}
            action={t.labels.save}
            detail={t.labels.saveDetail}
          />
        )}
        {label && may("intel.write") && <RemoveLabel label={label} />}
      </div>
      <LabelPreview labelId={labelId} settings={settingsOf(content, file)} />
      <UnsavedChanges
        isDirty={draft.isDirty && !isSame(content, valuesOf(label))}
        title={t.drafts.leaveTitle}
        detail={t.labels.leaveDetail}
        action={t.drafts.leave}
      />
    </div>
  );
}
