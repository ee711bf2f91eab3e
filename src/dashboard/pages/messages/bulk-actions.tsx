import { useState } from "react";
import type { BulkActionName, BulkSelection, MessageFilter } from "../../api/messages.ts";
import { MatchMenu } from "../../parts/match-menu.tsx";
import { SelectionBar } from "../../parts/selection-bar.tsx";
import { t } from "../../texts/texts.ts";
import { BulkDialog } from "./bulk-dialog.tsx";

const actions: readonly BulkActionName[] = ["retry", "cancel", "resend"];

const labelOf = (action: BulkActionName) => t.jobs.actions[action] ?? action;

/** Actions on all messages that match the filters. */
export function MatchActions({ filter }: { readonly filter: MessageFilter }) {
  return (
    <MatchMenu actions={actions} labelOf={labelOf}>
      {(action, onClose) => <BulkDialog action={action} selection={{ filter }} onClose={onClose} />}
    </MatchMenu>
  );
}

interface SelectedActionsProps {
  readonly ids: ReadonlySet<string>;
  readonly mayChange: boolean;
  readonly onClear: () => void;
}

/** Actions on the selected messages, at the bottom of the window. */
export function SelectedActions({ ids, mayChange, onClear }: SelectedActionsProps) {
  const [asked, setAsked] = useState<{
    readonly action: BulkActionName;
    readonly selection: BulkSelection;
  }>();
  if (ids.size === 0) return null;
  return (
    <SelectionBar
      label={t.messages.selected(ids.size)}
      actions={mayChange ? actions : []}
      labelOf={labelOf}
      onAction={(action) => setAsked({ action, selection: { ids: [...ids] } })}
      onClear={onClear}
    >
      {asked && <BulkDialog {...asked} onClose={() => setAsked(undefined)} />}
    </SelectionBar>
  );
}
