import { Button, Menu } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { t } from "../texts/texts.ts";

interface MatchMenuProps<Action extends string> {
  readonly actions: readonly Action[];
  readonly labelOf: (action: Action) => string;
  /** Shows the dialog of the chosen action. */
  readonly children: (action: Action, onClose: () => void) => ReactNode;
}

/** Actions on everything that matches the filters of a list. */
export function MatchMenu<Action extends string>({ actions, labelOf, children }: MatchMenuProps<Action>) {
  const [action, setAction] = useState<Action>();
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.messages.allMatches}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((one) => (
            <Menu.Item key={one} onClick={() => setAction(one)}>
              {labelOf(one)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {action && children(action, () => setAction(undefined))}
    </>
  );
}
