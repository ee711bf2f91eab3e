import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { createRule, type RuleContent, type TestedAlert } from "../../api/rules.ts";
import { faultAtOf, faultsOf } from "../../parts/drafts/draft-faults.ts";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
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

/** JSON pointer of the name, which is no part of the settings. */
const NAME = "/name";

/** The form of a new alert rule. It can be tried before it is stored. */
export function NewRule({ content, example }: NewRuleProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  // A copy stays as it was when it was opened.
  const [first] = useState(content);
  const draft = useDraft(first, "", ruleFormat);
  const [name, setName] = useState("");
  const ofSettings = draft.faults.filter(({ pointer }) => pointer !== NAME);
  const create = useMutation({
    mutationFn: (sent: RuleContent) => createRule(name.trim(), sent),
    onSuccess: async (stored) => {
      reportStored(stored);
      await queryClient.invalidateQueries({ queryKey: ["alert-rules"] });
      const params = { name: stored.settings.name };
      await navigate({ to: "/alert-rules/$name", params, ignoreBlocker: true });
    },
    onError: (error) => draft.setFaults(faultsOf(error)),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate(draft.content);
  }

  return (
    <>
      {/* The server validates: a field in the hidden view could not show a fault of the browser. */}
      <form className="stack" noValidate onSubmit={submit}>
        <div className="card">
          <div className="body">
            <TextInput
              label={t.rules.name}
              description={t.rules.nameDetail}
              maxLength={100}
              required
              autoComplete="off"
              error={faultAtOf(draft.faults)(NAME)}
              value={name}
              onChange={({ currentTarget: { value } }) => {
                setName(value);
                draft.setFaults(ofSettings);
              }}
            />
          </div>
        </div>
        <Editor draft={{ ...draft, faults: ofSettings }} />
        <FormFault error={create.error} />
        <div className="row">
          <Button
            type="submit"
            loading={create.isPending}
            disabled={draft.fault !== undefined || name.trim() === ""}
          >
            {t.rules.createAction}
          </Button>
          {draft.fault && <span className="muted">{t.drafts.unreadable}</span>}
        </div>
      </form>
      <TryIt name={name.trim()} draft={draft} isStored={false} example={example} />
      <UnsavedChanges
        isDirty={draft.isDirty || name !== ""}
        title={t.drafts.leaveTitle}
        detail={t.rules.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
