import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../texts/texts.ts";

interface SelectionBarProps<Action extends string> {
  /** The number of selected rows in words. */
  readonly label: string;
  readonly actions: readonly Action[];
  readonly labelOf: (action: Action) => string;
  readonly onAction: (action: Action) => void;
  readonly onClear: () => void;
  /** The dialog of an action, which closes with the selection. */
  readonly children?: ReactNode;
}

/** Actions on the selected rows of a list, at the bottom of the window. */
export function SelectionBar<Action extends string>(props: SelectionBarProps<Action>) {
  const { label, actions, labelOf, onAction, onClear, children } = props;
  return (
    <section className="selection" aria-label={label}>
      <b role="status">{label}</b>
      {actions.map((action) => (
        <Button key={action} size="xs" variant="default" onClick={() => onAction(action)}>
          {labelOf(action)}
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={onClear}>
        {t.messages.clearSelection}
      </Button>
      {children}
    </section>
  );
}
