import type { PolicyContent } from "../../api/policies.ts";
import { DraftEditor } from "../../parts/drafts/draft-editor.tsx";
import { faultAtOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { t } from "../../texts/texts.ts";
import { PolicyForm } from "./policy-form.tsx";

interface EditorProps {
  readonly draft: Draft<PolicyContent>;
  readonly isReadOnly?: boolean;
}

/** The settings of a policy as form and JSON. */
export function Editor({ draft, isReadOnly = false }: EditorProps) {
  return (
    <DraftEditor draft={draft} jsonDetail={t.policies.jsonDetail} isReadOnly={isReadOnly}>
      {() => <PolicyForm content={draft.content} faultAt={faultAtOf(draft.faults)} onChange={draft.change} />}
    </DraftEditor>
  );
}
