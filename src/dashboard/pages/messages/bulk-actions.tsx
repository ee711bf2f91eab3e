import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import type { BulkActionName, BulkSelection, MessageFilter } from "../../api/messages.ts";
import { t } from "../../texts/texts.ts";
import { BulkDialog } from "./bulk-dialog.tsx";

const actions: readonly BulkActionName[] = ["retry", "cancel", "resend"];

/** Actions on all messages that match the filters. */
export function MatchActions({ filter }: { readonly filter: MessageFilter }) {
  const [action, setAction] = useState<BulkActionName>();
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.messages.allMatches}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((one) => (
            <Menu.Item key={one} onClick={() => setAction(one)}>
              {t.jobs.actions[one]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {action && <BulkDialog action={action} selection={{ filter }} onClose={() => setAction(undefined)} />}
    </>
  );
}

interface SelectionBarProps {
  readonly ids: ReadonlySet<string>;
  readonly mayChange: boolean;
  readonly onClear: () => void;
}

/** Actions on the selected messages, at the bottom of the window. */
export function SelectionBar({ ids, mayChange, onClear }: SelectionBarProps) {
  const [asked, setAsked] = useState<{
    readonly action: BulkActionName;
    readonly selection: BulkSelection;
  }>();
  if (ids.size === 0) return null;
  return (
    <section className="selection" aria-label={t.messages.selected(ids.size)}>
      <b role="status">{t.messages.selected(ids.size)}</b>
      {mayChange &&
        actions.map((action) => (
          <Button
            key={action}
            size="xs"
            variant="default"
            onClick={() => setAsked({ action, selection: { ids: [...ids] } })}
          >
            {t.jobs.actions[action]}
          </Button>
        ))}
      <Button size="xs" variant="subtle" onClick={onClear}>
        {t.messages.clearSelection}
      </Button>
      {asked && <BulkDialog {...asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
}
