import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { changeSilence, type Silence, type SilenceContent, silenceQuery } from "../../api/silences.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { SaveForm } from "../../parts/drafts/save-form.tsx";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ConfirmBroad, faultBeside } from "./confirm-broad.tsx";
import { contentOf } from "./content.ts";

interface SaveRowProps {
  readonly silence: Silence;
  readonly draft: Draft<SilenceContent>;
}

interface Change {
  readonly revision: string;
  readonly content: SilenceContent;
  readonly confirm: boolean;
}

/** Stores the draft. The server refuses it if another member has changed the silence since, or if it has ended. */
export function SaveRow({ silence, draft }: SaveRowProps) {
  const { id } = silence;
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ revision, content, confirm }: Change) => changeSilence(id, revision, content, confirm),
    onSuccess: async (stored, { content }) => {
      draft.settle(content, { base: contentOf(stored), revision: stored.revision });
      queryClient.setQueryData(silenceQuery(id).queryKey, stored);
      notifications.show({ message: t.silences.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["silences"] });
      await queryClient.invalidateQueries({ queryKey: ["incidents"] });
    },
    onError: (error) => {
      draft.setFaults(faultsOf(error));
      // Another member may have changed or ended it.
      void queryClient.invalidateQueries({ queryKey: silenceQuery(id).queryKey });
    },
  });
  const send = (confirm: boolean) =>
    save.mutate({ revision: draft.revision, content: draft.content, confirm });

  return (
    <>
      <SaveForm
        draft={draft}
        stored={contentOf(silence)}
        save={{ isPending: save.isPending, error: faultBeside(save.error) }}
        onSave={() => send(false)}
        action={t.rules.save}
        detail={t.silences.saveDetail}
      />
      <ConfirmBroad change={save} onConfirm={(change) => save.mutate({ ...change, confirm: true })} />
    </>
  );
}
