import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { t } from "../../texts/texts.ts";
import { JsonPane } from "./json-pane.tsx";
import { faultAtOf } from "./policy-faults.ts";
import { PolicyForm } from "./policy-form.tsx";
import type { Draft } from "./use-draft.ts";

const views = ["form", "json"] as const;
type View = (typeof views)[number];

interface EditorProps {
  readonly draft: Draft;
  readonly isReadOnly?: boolean;
}

/** The settings of a policy as form and JSON, side by side; on narrow screens one of them. */
export function Editor({ draft, isReadOnly = false }: EditorProps) {
  const [view, setView] = useState<View>("form");
  return (
    <>
      <div className="editor-view">
        <SegmentedControl
          aria-label={t.policies.view}
          data={views.map((value) => ({ value, label: t.policies.views[value] }))}
          value={view}
          onChange={(value) => setView(value as View)}
        />
      </div>
      <div className="editor" data-view={view}>
        <PolicyForm
          content={draft.content}
          faultAt={faultAtOf(draft.faults)}
          // A change would replace a text that cannot be read yet.
          isReadOnly={isReadOnly || draft.fault !== undefined}
          onChange={draft.change}
        />
        <JsonPane draft={draft} isReadOnly={isReadOnly} />
      </div>
    </>
  );
}
