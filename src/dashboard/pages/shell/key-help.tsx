import { Stack, Switch } from "@mantine/core";
import { Fragment, useState } from "react";
import { Dialog } from "../../parts/dialog.tsx";
import { hasSingleKeys, type Shortcut, setSingleKeys, shortcuts, shownKeys } from "../../parts/shortcuts.ts";
import { t } from "../../texts/texts.ts";

/** Lists all keys of the pages, and turns keys without a modifier off and on. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const [areOn, setOn] = useState(hasSingleKeys);
  function turn(next: boolean) {
    setSingleKeys(next);
    setOn(next);
  }
  return (
    <Dialog onClose={onClose} title={t.shell.keyHelp}>
      <Stack>
        <dl className="keys">
          {(Object.keys(shortcuts) as Shortcut[]).map((name) => (
            <div key={name}>
              <dt>
                {shownKeys(name).map((keys, index) => (
                  <Fragment key={keys.join()}>
                    {index > 0 && <span className="faint">{t.shell.or}</span>}
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </Fragment>
                ))}
              </dt>
              <dd>{t.shell.keyActions[name]}</dd>
            </div>
          ))}
        </dl>
        <Switch
          checked={areOn}
          onChange={(event) => turn(event.currentTarget.checked)}
          label={t.shell.singleKeys}
          description={t.shell.singleKeysDetail}
        />
      </Stack>
    </Dialog>
  );
}
