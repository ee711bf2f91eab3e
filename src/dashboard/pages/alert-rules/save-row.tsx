import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { Problem } from "../../api/problem.ts";
import { type AlertRule, type RuleContent, replaceRule, ruleQuery } from "../../api/rules.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { StaleNotice } from "../../parts/drafts/stale-notice.tsx";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
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

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate({ revision: draft.revision, content: draft.content });
  }

  return (
    <form className="stack" onSubmit={submit}>
      {draft.isStale && (
        <StaleNotice stored={contentOf(rule.settings)} storedAt={rule.updated_at} draft={draft} />
      )}
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
        <span className="muted">{draft.fault ? t.drafts.unreadable : t.rules.saveDetail}</span>
      </div>
    </form>
  );
}

const isStale = (error: Error | null) => error instanceof Problem && error.code === "resource.stale";
