import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import type { BulkIncidentAction, IncidentFilter, IncidentSelection } from "../../api/incidents.ts";
import { t } from "../../texts/texts.ts";
import { BulkDialog } from "./bulk-dialog.tsx";

const actions: readonly BulkIncidentAction[] = ["acknowledge", "resolve"];

/** Actions on all incidents that match the filters. */
export function MatchActions({ filter }: { readonly filter: IncidentFilter }) {
  const [action, setAction] = useState<BulkIncidentAction>();
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.messages.allMatches}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((one) => (
            <Menu.Item key={one} onClick={() => setAction(one)}>
              {t.incidents.actions[one]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {action && <BulkDialog action={action} selection={{ filter }} onClose={() => setAction(undefined)} />}
    </>
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
    <section className="selection" aria-label={t.incidents.selected(ids.size)}>
      <b role="status">{t.incidents.selected(ids.size)}</b>
      {actions.map((action) => (
        <Button
          key={action}
          size="xs"
          variant="default"
          onClick={() => setAsked({ action, selection: { ids: [...ids] } })}
        >
          {t.incidents.actions[action]}
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={onClear}>
        {t.messages.clearSelection}
      </Button>
      {asked && <BulkDialog {...asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
}
