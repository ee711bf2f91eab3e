import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { type RuleContent, type TestedAlert, testRules } from "../../api/rules.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { RuleVerdict, SetVerdict } from "./verdicts.tsx";

interface TryItProps {
  readonly name: string;
  readonly draft: Draft<RuleContent>;
  /** Whether the account has the rule: then its other rules answer too. */
  readonly isStored: boolean;
  /** The alert that the field has at first; undefined: a made-up one. */
  readonly example?: TestedAlert | undefined;
}

const madeUp: TestedAlert = {
  event_type: "disk.full",
  severity: "critical",
  source: "node-exporter",
  message: "/var is 97 % full",
  entity_type: "host",
  entity_id: "web-1",
  context: { mount: "/var", used_percent: 97 },
};

/** The request needs a name. */
const NAMELESS = "unsaved";

/** Shows what the unsaved rule, and all stored rules, would do with an alert. */
export function TryIt({ name, draft, isStored, example = madeUp }: TryItProps) {
  const [text, setText] = useState(() => JSON.stringify(example, null, 2));
  const [syntaxFault, setSyntaxFault] = useState<string>();
  const test = useMutation({
    mutationFn: async (alert: TestedAlert) => {
      const rule = { ...draft.content, name: name || NAMELESS };
      const [own, all] = await Promise.all([
        testRules(alert, [rule]),
        isStored ? testRules(alert) : undefined,
      ]);
      return { own, all };
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    try {
      test.mutate(JSON.parse(text));
      setSyntaxFault(undefined);
    } catch (error) {
      setSyntaxFault(error instanceof Error ? error.message : String(error));
    }
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
            error={syntaxFault && t.rules.notJson(syntaxFault)}
            value={text}
            onChange={({ currentTarget: { value } }) => setText(value)}
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
