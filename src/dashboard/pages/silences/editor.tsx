import type { SilenceContent } from "../../api/silences.ts";
import { DraftEditor } from "../../parts/drafts/draft-editor.tsx";
import { faultAtOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { t } from "../../texts/texts.ts";
import { Preview } from "./preview.tsx";
import { SilenceForm } from "./silence-form.tsx";

interface EditorProps {
  readonly draft: Draft<SilenceContent>;
  readonly isReadOnly?: boolean;
}

/** The settings of a silence as form and JSON, with a preview of what they suppress. */
export function Editor({ draft, isReadOnly = false }: EditorProps) {
  return (
    <DraftEditor draft={draft} jsonDetail={t.silences.jsonDetail} isReadOnly={isReadOnly}>
      {() => (
        <>
          <SilenceForm content={draft.content} faultAt={faultAtOf(draft.faults)} onChange={draft.change} />
          {!isReadOnly && <Preview content={draft.content} />}
        </>
      )}
    </DraftEditor>
  );
}
