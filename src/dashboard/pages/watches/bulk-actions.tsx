import { useState } from "react";
import type { BulkWatchAction } from "../../api/watch-bulk.ts";
import type { ListedWatch, WatchFilter } from "../../api/watches.ts";
import { MatchMenu } from "../../parts/match-menu.tsx";
import { SelectionBar } from "../../parts/selection-bar.tsx";
import { t } from "../../texts/texts.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { RemoveMany } from "./remove-many.tsx";
import { TagMany } from "./tag-many.tsx";

type SelectedAction = BulkWatchAction | "tag" | "remove";

const actions: readonly BulkWatchAction[] = ["pause", "resume", "move"];
const actionsOnSelected: readonly SelectedAction[] = [...actions, "tag", "remove"];
const labelOf = (action: SelectedAction) => t.watches.bulk[action];

/** Actions on all domains that match the filters. */
export function MatchActions({ filter }: { readonly filter: WatchFilter }) {
  return (
    <MatchMenu actions={actions} labelOf={labelOf}>
      {(action, onClose) => (
        <BulkDialog
          action={action}
          selection={{ filter }}
          workspace={filter.workspace_id}
          onClose={onClose}
        />
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
  readonly action: SelectedAction;
  readonly watches: readonly ListedWatch[];
}

/** Actions on the selected domains, at the bottom of the window. */
export function SelectedActions({ selected, onClear }: SelectedActionsProps) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const finish = () => {
    close();
    onClear();
  };
  return (
    <>
      {selected.length > 0 && (
        <SelectionBar
          label={t.watches.selected(selected.length)}
          actions={actionsOnSelected}
          labelOf={labelOf}
          onAction={(action) => setAsked({ action, watches: selected })}
          onClear={onClear}
        />
      )}
      {asked && <AskedAction asked={asked} onDone={finish} onClose={close} />}
    </>
  );
}

interface AskedActionProps {
  readonly asked: Asked;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function AskedAction({ asked: { action, watches }, onDone, onClose }: AskedActionProps) {
  if (action === "tag") return <TagMany watches={watches} onDone={onDone} onClose={onClose} />;
  if (action === "remove") return <RemoveMany watches={watches} onDone={onDone} onClose={onClose} />;
  return (
    <BulkDialog
      action={action}
      selection={{ ids: watches.map(({ id }) => id) }}
      workspace={watches[0]?.workspace_id}
      onClose={onClose}
    />
  );
}
