import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import {
  type Inhibition,
  type InhibitionContent,
  inhibitionsQuery,
  putInhibition,
} from "../../api/silences.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { isStale, SaveForm } from "../../parts/drafts/save-form.tsx";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { contentOf } from "./content.ts";

interface SaveRowProps {
  readonly inhibition: Inhibition;
  readonly draft: Draft<InhibitionContent>;
}

/** Stores the draft. The server refuses it if another member has changed the inhibition since. */
export function SaveRow({ inhibition, draft }: SaveRowProps) {
  const { name } = inhibition;
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: inhibitionsQuery.queryKey });
  const save = useMutation({
    mutationFn: ({ revision, content }: { readonly revision: string; readonly content: InhibitionContent }) =>
      putInhibition(name, revision, content),
    onSuccess: async (stored, { content }) => {
      draft.settle(content, { base: contentOf(stored), revision: stored.revision });
      notifications.show({ message: t.inhibitions.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["inhibitions"] });
    },
    onError: (error) => {
      draft.setFaults(faultsOf(error));
      if (isStale(error)) void reload();
    },
  });

  return (
    <SaveForm
      draft={draft}
      stored={contentOf(inhibition)}
      storedAt={inhibition.updated_at}
      save={save}
      onSave={() => save.mutate({ revision: draft.revision, content: draft.content })}
      action={t.rules.save}
      detail={t.inhibitions.saveDetail}
    />
  );
}
