import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { createSilence, type SilenceContent } from "../../api/silences.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { NewForm } from "../../parts/drafts/new-form.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ConfirmBroad, faultBeside } from "./confirm-broad.tsx";
import { silenceFormat } from "./content.ts";
import { Editor } from "./editor.tsx";

/** The form of a new silence, with a preview. */
export function NewSilence({ content }: { readonly content: SilenceContent }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  // The settings stay as they were when the page was opened.
  const [first] = useState(content);
  const draft = useDraft(first, "", silenceFormat);
  const create = useMutation({
    mutationFn: ({ sent, confirm }: { readonly sent: SilenceContent; readonly confirm: boolean }) =>
      createSilence(sent, confirm),
    onSuccess: async (stored) => {
      notifications.show({ message: t.silences.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["silences"] });
      await queryClient.invalidateQueries({ queryKey: ["incidents"] });
      await navigate({
        to: "/silences/$silenceId",
        params: { silenceId: stored.id },
        ignoreBlocker: true,
      });
    },
    onError: (error) => draft.setFaults(faultsOf(error)),
  });
  return (
    <>
      <NewForm
        draft={draft}
        leaveDetail={t.silences.leaveDetail}
        create={{ isPending: create.isPending, error: faultBeside(create.error) }}
        onCreate={() => create.mutate({ sent: draft.content, confirm: false })}
        editor={(edited) => <Editor draft={edited} />}
      />
      <ConfirmBroad change={create} onConfirm={({ sent }) => create.mutate({ sent, confirm: true })} />
    </>
  );
}
