import { notifications } from "@mantine/notifications";
import { publishDraft } from "../../api/templates.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { t } from "../../texts/texts.ts";
import type { Draft } from "./use-draft.ts";
import { useSaveFirst, useTemplateChange } from "./use-template-change.ts";

interface PublishProps {
  readonly draft: Draft;
  readonly onClose: () => void;
}

/** Publishes the edited text as the next version. */
export function Publish({ draft, onClose }: PublishProps) {
  const { base, isDirty } = draft;
  const saveFirst = useSaveFirst(draft);
  const publish = useTemplateChange({
    draft,
    change: async () => publishDraft(base.name, (await saveFirst()).revision),
    take: draft.rebase,
    onDone: ({ published_version }) => {
      notifications.show({ message: t.templates.published(published_version), role: "status" });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t.templates.publishTitle(base.name)}
      detail={[t.templates.publishDetail, ...(isDirty ? [t.templates.publishSaves] : [])].join(" ")}
      action={t.templates.publish}
      isPending={publish.isPending}
      error={publish.error}
      onSubmit={() => publish.mutate()}
      onClose={onClose}
    />
  );
}
