import type { InhibitionContent } from "../../api/silences.ts";
import { DraftEditor } from "../../parts/drafts/draft-editor.tsx";
import { faultAtOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { t } from "../../texts/texts.ts";
import { InhibitionForm } from "./inhibition-form.tsx";

interface EditorProps {
  readonly draft: Draft<InhibitionContent>;
  readonly isReadOnly?: boolean;
}

/** The settings of an inhibition as form and JSON. */
export function Editor({ draft, isReadOnly = false }: EditorProps) {
  return (
    <DraftEditor draft={draft} jsonDetail={t.inhibitions.jsonDetail} isReadOnly={isReadOnly}>
      {() => (
        <InhibitionForm content={draft.content} faultAt={faultAtOf(draft.faults)} onChange={draft.change} />
      )}
    </DraftEditor>
  );
}
