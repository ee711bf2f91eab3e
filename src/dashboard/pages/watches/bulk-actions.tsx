import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import type { BulkWatchAction } from "../../api/watch-bulk.ts";
import type { ListedWatch, WatchFilter } from "../../api/watches.ts";
import { t } from "../../texts/texts.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { RemoveMany } from "./remove-many.tsx";
import { TagMany } from "./tag-many.tsx";

const actions: readonly BulkWatchAction[] = ["pause", "resume", "move"];

/** Actions on all domains that match the filters. */
export function MatchActions({ filter }: { readonly filter: WatchFilter }) {
  const [action, setAction] = useState<BulkWatchAction>();
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.messages.allMatches}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((one) => (
            <Menu.Item key={one} onClick={() => setAction(one)}>
              {t.watches.bulk[one]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {action && (
        <BulkDialog
          action={action}
          selection={{ filter }}
          workspace={filter.workspace_id}
          onClose={() => setAction(undefined)}
        />
      )}
    </>
  );
}

interface SelectedActionsProps {
  readonly selected: readonly ListedWatch[];
  readonly onClear: () => void;
}

/** An action, and the domains that were selected for it: a reload of the list does not change them. */
interface Asked {
  readonly action: BulkWatchAction | "tag" | "remove";
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
        <section className="selection" aria-label={t.watches.selected(selected.length)}>
          <b role="status">{t.watches.selected(selected.length)}</b>
          {[...actions, "tag" as const, "remove" as const].map((action) => (
            <Button
              key={action}
              size="xs"
              variant="default"
              onClick={() => setAsked({ action, watches: selected })}
            >
              {t.watches.bulk[action]}
            </Button>
          ))}
          <Button size="xs" variant="subtle" onClick={onClear}>
            {t.messages.clearSelection}
          </Button>
        </section>
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
