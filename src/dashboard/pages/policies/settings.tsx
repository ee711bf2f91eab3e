import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { type Policy, type PolicyContent, policyQuery, replacePolicy } from "../../api/policies.ts";
import { Problem } from "../../api/problem.ts";
import { Answer } from "../../parts/answer.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { Editor } from "./editor.tsx";
import { faultsOf } from "./policy-faults.ts";
import { StaleNotice } from "./stale-notice.tsx";
import type { Draft } from "./use-draft.ts";

interface SettingsProps {
  readonly policy: Policy;
  readonly draft: Draft;
}

/** The settings of a policy. The server refuses the change if another member has changed the policy since. */
export function Settings({ policy, draft }: SettingsProps) {
  const { name, stored_by: owner } = policy;
  const queryClient = useQueryClient();
  const may = useMay();
  const isReadOnly = owner === "operator" || !may("policies.write");
  const save = useMutation({
    mutationFn: ({ revision, content }: { readonly revision: string; readonly content: PolicyContent }) =>
      replacePolicy(name, revision, content),
    onSuccess: async (stored) => {
      draft.discard();
      queryClient.setQueryData(policyQuery(name).queryKey, stored);
      notifications.show({ message: t.policies.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["policies"] });
    },
    onError: (error) => {
      draft.setFaults(faultsOf(error));
      // The page then shows both states.
      if (isStale(error)) void queryClient.invalidateQueries({ queryKey: policyQuery(name).queryKey });
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    // The request can have a password: nothing is kept after it.
    const forget = { onSuccess: () => save.reset() };
    save.mutate({ revision: draft.revision, content: draft.content }, forget);
  }

  return (
    <form className="stack" onSubmit={submit}>
      {isReadOnly && (
        <Answer tone="info">
          <p>{owner === "operator" ? t.policies.operatorOwned : t.policies.mayNotChange}</p>
        </Answer>
      )}
      {draft.isStale && <StaleNotice policy={policy} draft={draft} />}
      <Editor draft={draft} isReadOnly={isReadOnly} />
      {!(draft.isStale && isStale(save.error)) && <FormFault error={save.error} />}
      {!isReadOnly && (
        <div className="row">
          <Button
            type="submit"
            loading={save.isPending}
            disabled={!draft.isDirty || draft.isStale || draft.fault !== undefined}
          >
            {t.policies.save}
          </Button>
          {draft.isDirty && (
            <Button variant="default" onClick={draft.discard}>
              {t.policies.discard}
            </Button>
          )}
          <span className="muted">{draft.fault ? t.policies.unreadable : t.policies.saveDetail}</span>
        </div>
      )}
    </form>
  );
}

const isStale = (error: Error | null) => error instanceof Problem && error.code === "policy.stale";
