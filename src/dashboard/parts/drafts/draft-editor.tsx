import { SegmentedControl } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { t } from "../../texts/texts.ts";
import { JsonPane } from "./json-pane.tsx";
import type { Draft } from "./use-draft.ts";

const views = ["form", "json"] as const;
type View = (typeof views)[number];

interface DraftEditorProps {
  readonly draft: Pick<Draft<object>, "text" | "fault" | "faults" | "type">;
  /** Description of the JSON. */
  readonly jsonDetail: string;
  readonly isReadOnly: boolean;
  /** The form. @param isReadOnly also while the text cannot be read: a change would replace it */
  readonly children: (isReadOnly: boolean) => ReactNode;
}

/** Settings as form and JSON, side by side; on narrow screens one of them. */
export function DraftEditor({ draft, jsonDetail, isReadOnly, children }: DraftEditorProps) {
  const [view, setView] = useState<View>("form");
  const isFormReadOnly = isReadOnly || draft.fault !== undefined;
  return (
    <>
      <div className="editor-view">
        <SegmentedControl
          aria-label={t.drafts.view}
          data={views.map((value) => ({ value, label: t.drafts.views[value] }))}
          value={view}
          onChange={(value) => setView(value as View)}
        />
      </div>
      <div className="editor" data-view={view}>
        <fieldset className="whole-form stack" aria-label={t.drafts.views.form} disabled={isFormReadOnly}>
          {children(isFormReadOnly)}
        </fieldset>
        <JsonPane draft={draft} detail={jsonDetail} isReadOnly={isReadOnly} />
      </div>
    </>
  );
}
