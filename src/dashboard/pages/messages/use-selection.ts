import { notifications } from "@mantine/notifications";
import { useCallback, useMemo, useState } from "react";
import type { Selection } from "../../parts/virtual-table.tsx";
import { t } from "../../texts/texts.ts";

/** As many ids as one bulk action takes. */
const MAX_SELECTED = 1_000;

/** The selected rows of a list. @param all ids of the loaded rows */
export function useSelection(all: readonly string[]): Selection & { readonly clear: () => void } {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const isFull = keys.size >= MAX_SELECTED;

  const toggle = useCallback(
    (key: string) => {
      if (isFull && !keys.has(key)) {
        notifications.show({ message: t.messages.tooManySelected(MAX_SELECTED) });
        return;
      }
      setKeys((former) => {
        const next = new Set(former);
        if (!next.delete(key)) next.add(key);
        return next;
      });
    },
    [keys, isFull],
  );
  const toggleAll = () => {
    if (keys.size > 0) return setKeys(new Set());
    if (all.length > MAX_SELECTED) notifications.show({ message: t.messages.tooManySelected(MAX_SELECTED) });
    setKeys(new Set(all.slice(0, MAX_SELECTED)));
  };
  const clear = useCallback(() => setKeys(new Set()), []);
  return useMemo(() => ({ keys, toggle, toggleAll, clear }), [keys, all, toggle, clear]);
}
