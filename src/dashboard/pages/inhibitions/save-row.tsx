import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { Problem } from "../../api/problem.ts";
import {
  type Inhibition,
  type InhibitionContent,
  inhibitionsQuery,
  putInhibition,
} from "../../api/silences.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { StaleNotice } from "../../parts/drafts/stale-notice.tsx";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { contentOf } from "./content.ts";

interface SaveRowProps {
  readonly inhibition: Inhibition;
  readonly draft: Draft<InhibitionContent>;
}

/** Stores the draft. The server refuses it if another member has changed the inhibition since. */
export function SaveRow({ inhibition, draft }: SaveRowProps) {
  const { name, updated_at: updatedAt } = inhibition;
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

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate({ revision: draft.revision, content: draft.content });
  }

  return (
    <form className="stack" onSubmit={submit}>
      {draft.isStale && <StaleNotice stored={contentOf(inhibition)} storedAt={updatedAt} draft={draft} />}
      {!isStale(save.error) && <FormFault error={save.error} />}
      <div className="row">
        <Button
          type="submit"
          loading={save.isPending}
          disabled={!draft.isDirty || draft.isStale || draft.fault !== undefined}
        >
          {t.rules.save}
        </Button>
        {draft.isDirty && (
          <Button variant="default" onClick={draft.discard}>
            {t.drafts.discard}
          </Button>
        )}
        <span className="muted">{draft.fault ? t.drafts.unreadable : t.inhibitions.saveDetail}</span>
      </div>
    </form>
  );
}

const isStale = (error: Error | null) => error instanceof Problem && error.code === "resource.stale";
