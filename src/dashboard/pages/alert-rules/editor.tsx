import type { RuleContent } from "../../api/rules.ts";
import { DraftEditor } from "../../parts/drafts/draft-editor.tsx";
import { faultAtOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { t } from "../../texts/texts.ts";
import { RuleForm } from "./rule-form.tsx";

interface EditorProps {
  readonly draft: Draft<RuleContent>;
  readonly isReadOnly?: boolean;
}

/** The settings of an alert rule as form and JSON. */
export function Editor({ draft, isReadOnly = false }: EditorProps) {
  return (
    <DraftEditor draft={draft} jsonDetail={t.rules.jsonDetail} isReadOnly={isReadOnly}>
      {() => <RuleForm content={draft.content} faultAt={faultAtOf(draft.faults)} onChange={draft.change} />}
    </DraftEditor>
  );
}
