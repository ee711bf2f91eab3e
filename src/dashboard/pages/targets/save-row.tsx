import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { replaceTarget, type Target, targetQuery } from "../../api/targets.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { isStale, SaveForm } from "../../parts/drafts/save-form.tsx";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { contentOf, isSecretField, sentOf, type TargetContent } from "./content.ts";

interface SaveRowProps {
  readonly target: Target;
  readonly draft: Draft<TargetContent>;
}

/** Stores the draft. The server refuses it if another member has changed the settings since. */
export function SaveRow({ target, draft }: SaveRowProps) {
  const { id } = target;
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ revision, content }: { readonly revision: string; readonly content: TargetContent }) =>
      replaceTarget(id, { ...sentOf(content), if_revision: revision }),
    onSuccess: async (stored, { content }) => {
      draft.settle(content, { base: contentOf(stored), revision: stored.revision });
      queryClient.setQueryData(targetQuery(id).queryKey, stored);
      notifications.show({ message: t.targets.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["alert-targets"] });
    },
    onError: (error) => {
      draft.setFaults(faultsOf(error));
      if (isStale(error)) void queryClient.invalidateQueries({ queryKey: ["alert-targets", "one", id] });
    },
  });

  return (
    <SaveForm
      draft={draft}
      stored={contentOf(target)}
      storedAt={target.updated_at}
      save={save}
      onSave={() => save.mutate({ revision: draft.revision, content: draft.content })}
      action={t.targets.save}
      detail={t.targets.saveDetail}
      isSecret={isSecretField}
    />
  );
}
