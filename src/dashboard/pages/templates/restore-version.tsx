import { notifications } from "@mantine/notifications";
import { restoreDraft, rollBack } from "../../api/templates.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { t } from "../../texts/texts.ts";
import type { Draft } from "./use-draft.ts";
import { useTemplateChange } from "./use-template-change.ts";

interface RestoreVersionProps {
  readonly draft: Draft;
  readonly version: number;
  /** Publishes the text of the version; otherwise copies it to the draft. */
  readonly isPublished: boolean;
  readonly onClose: () => void;
}

/** Goes back to the text of a version: as the published text, or as the draft. */
export function RestoreVersion({ draft, version, isPublished, onClose }: RestoreVersionProps) {
  const { name, revision, draft_saved_at } = draft.base;
  const hasDraft = draft_saved_at !== undefined || draft.isDirty;
  const restore = useTemplateChange({
    draft,
    change: () => (isPublished ? rollBack(name, revision, version) : restoreDraft(name, revision, version)),
    // The draft stays when a version is published again.
    take: isPublished && hasDraft ? draft.rebase : draft.adopt,
    onDone: ({ published_version }) => {
      if (isPublished)
        notifications.show({ message: t.templates.published(published_version), role: "status" });
      onClose();
    },
  });
  return (
    <FormDialog
      title={isPublished ? t.templates.rollBackTitle(version) : t.templates.restoreTitle(version)}
      detail={isPublished ? t.templates.rollBackDetail(version) : t.templates.restoreDetail}
      action={isPublished ? t.templates.rollBack : t.templates.restore}
      isPending={restore.isPending}
      error={restore.error}
      onSubmit={() => restore.mutate()}
      onClose={onClose}
    />
  );
}
