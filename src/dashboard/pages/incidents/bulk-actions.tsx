import { useState } from "react";
import type { BulkIncidentAction, IncidentFilter, IncidentSelection } from "../../api/incidents.ts";
import { MatchMenu } from "../../parts/match-menu.tsx";
import { SelectionBar } from "../../parts/selection-bar.tsx";
import { t } from "../../texts/texts.ts";
import { BulkDialog } from "./bulk-dialog.tsx";

const actions: readonly BulkIncidentAction[] = ["acknowledge", "resolve"];

const labelOf = (action: BulkIncidentAction) => t.incidents.actions[action];

/** Actions on all incidents that match the filters. */
export function MatchActions({ filter }: { readonly filter: IncidentFilter }) {
  return (
    <MatchMenu actions={actions} labelOf={labelOf}>
      {(action, onClose) => <BulkDialog action={action} selection={{ filter }} onClose={onClose} />}
    </MatchMenu>
  );
}

interface SelectedActionsProps {
  readonly ids: ReadonlySet<string>;
  readonly onClear: () => void;
}

/** Actions on the selected incidents, at the bottom of the window. */
export function SelectedActions({ ids, onClear }: SelectedActionsProps) {
  const [asked, setAsked] = useState<{
    readonly action: BulkIncidentAction;
    readonly selection: IncidentSelection;
  }>();
  if (ids.size === 0) return null;
  return (
    <SelectionBar
      label={t.incidents.selected(ids.size)}
      actions={actions}
      labelOf={labelOf}
      onAction={(action) => setAsked({ action, selection: { ids: [...ids] } })}
      onClear={onClear}
    >
      {asked && <BulkDialog {...asked} onClose={() => setAsked(undefined)} />}
    </SelectionBar>
  );
}
