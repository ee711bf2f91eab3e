import { Button, Textarea } from "@mantine/core";
import type { FormEvent } from "react";
import { type RuleContent, type TestedAlert, testRules, trialName } from "../../api/rules.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { RuleVerdict, SetVerdict } from "./verdicts.tsx";

interface TryAlertProps {
  readonly name: string;
  readonly draft: Draft<RuleContent>;
  /** Whether the account has the rule: then its other rules answer too. */
  readonly isStored: boolean;
  /** The alert as JSON, and why it is none. */
  readonly text: string;
  readonly fault: string | undefined;
  readonly onType: (text: string) => void;
  /** @returns undefined if the text is no JSON */
  readonly readAlert: () => TestedAlert | undefined;
}

/** Shows what the unsaved rule, and all stored rules, would do with an alert. */
export function TryAlert({ name, draft, isStored, text, fault, onType, readAlert }: TryAlertProps) {
  const test = useMutation({
    mutationFn: async (alert: TestedAlert) => {
      const rule = { ...draft.content, name: trialName(name) };
      const [own, all] = await Promise.all([
        testRules(alert, [rule]),
        isStored ? testRules(alert) : undefined,
      ]);
      return { own, all };
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    const alert = readAlert();
    if (alert) test.mutate(alert);
  }

  return (
    <>
      <form className="card" aria-label={t.rules.tryTitle} onSubmit={submit}>
        <header>
          <h2>{t.rules.tryTitle}</h2>
        </header>
        <div className="body stack">
          <Textarea
            label={t.rules.tryAlert}
            description={t.rules.tryDetail}
            autosize
            minRows={6}
            maxRows={24}
            classNames={{ input: "mono" }}
            spellCheck={false}
            error={fault && t.rules.notJson(fault)}
            value={text}
            onChange={({ currentTarget: { value } }) => onType(value)}
          />
          <div className="row">
            <Button
              type="submit"
              variant="default"
              loading={test.isPending}
              disabled={draft.fault !== undefined}
            >
              {t.rules.tryAction}
            </Button>
            {draft.fault && <span className="muted">{t.drafts.unreadable}</span>}
          </div>
        </div>
      </form>
      <FormFault error={test.error} />
      {test.data && (
        <>
          <RuleVerdict result={test.data.own} isUnsaved={draft.isDirty || !isStored} />
          {test.data.all && <SetVerdict result={test.data.all} />}
        </>
      )}
    </>
  );
}
