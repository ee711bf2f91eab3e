import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { createRule, type RuleContent, type TestedAlert } from "../../api/rules.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { NewForm } from "../../parts/drafts/new-form.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ruleFormat } from "./content.ts";
import { Editor } from "./editor.tsx";
import { reportStored } from "./report-stored.ts";
import { TryIt } from "./try-it.tsx";

interface NewRuleProps {
  readonly content: RuleContent;
  /** The alert to try the rule with at first. */
  readonly example?: TestedAlert;
}

/** The form of a new alert rule. It can be tried before it is stored. */
export function NewRule({ content, example }: NewRuleProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  // A copy stays as it was when it was opened.
  const [first] = useState(content);
  const draft = useDraft(first, "", ruleFormat);
  const create = useMutation({
    mutationFn: ({ name, sent }: { readonly name: string; readonly sent: RuleContent }) =>
      createRule(name, sent),
    onSuccess: async (stored) => {
      reportStored(stored);
      await queryClient.invalidateQueries({ queryKey: ["alert-rules"] });
      const params = { name: stored.settings.name };
      await navigate({ to: "/alert-rules/$name", params, ignoreBlocker: true });
    },
    onError: (error) => draft.setFaults(faultsOf(error)),
  });
  return (
    <NewForm
      draft={draft}
      nameLabel={t.rules.name}
      leaveDetail={t.rules.leaveDetail}
      create={create}
      onCreate={(name) => create.mutate({ name, sent: draft.content })}
      editor={(edited) => <Editor draft={edited} />}
    >
      {(name) => <TryIt name={name} draft={draft} isStored={false} example={example} />}
    </NewForm>
  );
}
