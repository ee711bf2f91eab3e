import { useQueryClient } from "@tanstack/react-query";
import { type AlertRule, type RuleContent, replaceRule, ruleQuery } from "../../api/rules.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { isStale, SaveForm } from "../../parts/drafts/save-form.tsx";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { contentOf } from "./content.ts";
import { reportStored } from "./report-stored.ts";

interface SaveRowProps {
  readonly rule: AlertRule;
  readonly draft: Draft<RuleContent>;
}

/** Stores the draft. The server refuses it if another member has changed the rule since: both states are shown then. */
export function SaveRow({ rule, draft }: SaveRowProps) {
  const { name } = rule.settings;
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ revision, content }: { readonly revision: string; readonly content: RuleContent }) =>
      replaceRule(name, revision, content),
    onSuccess: async (stored, { content }) => {
      draft.settle(content, { base: contentOf(stored.settings), revision: stored.revision });
      queryClient.setQueryData(ruleQuery(name).queryKey, stored);
      reportStored(stored);
      await queryClient.invalidateQueries({ queryKey: ["alert-rules"] });
    },
    onError: (error) => {
      draft.setFaults(faultsOf(error));
      if (isStale(error)) void queryClient.invalidateQueries({ queryKey: ruleQuery(name).queryKey });
    },
  });

  return (
    <SaveForm
      draft={draft}
      stored={contentOf(rule.settings)}
      storedAt={rule.updated_at}
      save={save}
      onSave={() => save.mutate({ revision: draft.revision, content: draft.content })}
      action={t.rules.save}
      detail={t.rules.saveDetail}
    />
  );
}
