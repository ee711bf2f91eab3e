import { useState } from "react";
import type { ListedWatch, WatchFilter } from "../../api/watches.ts";
import { MatchMenu } from "../../parts/match-menu.tsx";
import { SelectionBar } from "../../parts/selection-bar.tsx";
import { t } from "../../texts/texts.ts";
import { BulkDialog, type BulkTask, bulkTasks } from "./bulk-dialog.tsx";

const labelOf = (task: BulkTask) => t.watches.bulk[task];

/** Actions on all domains that match the filters. */
export function MatchActions({ filter }: { readonly filter: WatchFilter }) {
  return (
    <MatchMenu actions={bulkTasks} labelOf={labelOf}>
      {(task, onClose) => (
        <BulkDialog task={task} selection={{ filter }} workspace={filter.workspace_id} onClose={onClose} />
      )}
    </MatchMenu>
  );
}

interface SelectedActionsProps {
  readonly selected: readonly ListedWatch[];
  readonly onClear: () => void;
}

/** An action, and the domains that were selected for it: a reload of the list does not change them. */
interface Asked {
  readonly task: BulkTask;
  readonly watches: readonly ListedWatch[];
}

/** Actions on the selected domains, at the bottom of the window. */
export function SelectedActions({ selected, onClear }: SelectedActionsProps) {
  const [asked, setAsked] = useState<Asked>();
  return (
    <>
      {selected.length > 0 && (
        <SelectionBar
          label={t.watches.selected(selected.length)}
          actions={bulkTasks}
          labelOf={labelOf}
          onAction={(task) => setAsked({ task, watches: selected })}
          onClear={onClear}
        />
      )}
      {asked && (
        <BulkDialog
          task={asked.task}
          selection={{ ids: asked.watches.map(({ id }) => id) }}
          workspace={asked.watches[0]?.workspace_id}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
