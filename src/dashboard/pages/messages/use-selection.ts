import { notifications } from "@mantine/notifications";
import { useCallback, useMemo, useState } from "react";
import type { RowSource, Selection } from "../../parts/virtual-table.tsx";
import { t } from "../../texts/texts.ts";

/** Maximum number of ids of one bulk action. */
const MAX_SELECTED = 1_000;

/**
 * The selected rows of a list.
 * @param rows the loaded rows
 */
export function useSelection(
  rows: RowSource<{ readonly id: string }>,
): Selection & { readonly clear: () => void } {
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
    if (rows.count > MAX_SELECTED) notifications.show({ message: t.messages.tooManySelected(MAX_SELECTED) });
    setKeys(new Set(rows.slice(0, MAX_SELECTED).map(({ id }) => id)));
  };
  const clear = useCallback(() => setKeys(new Set()), []);
  return useMemo(() => ({ keys, toggle, toggleAll, clear }), [keys, rows, toggle, clear]);
}
