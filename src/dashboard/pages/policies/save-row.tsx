import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { type Policy, type PolicyContent, policyQuery, replacePolicy } from "../../api/policies.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { isStale, SaveForm } from "../../parts/drafts/save-form.tsx";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { contentOf } from "./content.ts";

interface SaveRowProps {
  readonly policy: Policy;
  readonly draft: Draft<PolicyContent>;
}

/** Stores the draft. The server refuses it if another member has changed the policy since: both states are shown then. */
export function SaveRow({ policy, draft }: SaveRowProps) {
  const { name } = policy;
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ revision, content }: { readonly revision: string; readonly content: PolicyContent }) =>
      replacePolicy(name, revision, content),
    onSuccess: async (stored, { content }) => {
      draft.settle(content, { base: contentOf(stored), revision: stored.revision });
      queryClient.setQueryData(policyQuery(name).queryKey, stored);
      notifications.show({ message: t.policies.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["policies"] });
    },
    onError: (error) => {
      draft.setFaults(faultsOf(error));
      if (isStale(error)) void queryClient.invalidateQueries({ queryKey: policyQuery(name).queryKey });
    },
  });

  function store(): void {
    // The request can have a password: nothing is kept after it.
    const forget = { onSuccess: () => save.reset() };
    save.mutate({ revision: draft.revision, content: draft.content }, forget);
  }

  return (
    <SaveForm
      draft={draft}
      stored={contentOf(policy)}
      storedAt={policy.updated_at}
      save={save}
      onSave={store}
      action={t.policies.save}
      detail={t.policies.saveDetail}
    />
  );
}
