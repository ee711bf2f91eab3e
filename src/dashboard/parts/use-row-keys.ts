import { type RefObject, useEffect, useRef } from "react";
import { isKeyTaken, isPressed } from "./shortcuts.ts";

interface RowKeysOptions {
  /** Contains the rows: each has its number in `data-row`, and a link. */
  readonly list: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  readonly onSelect: (index: number) => void;
  readonly onEscape: () => void;
}

/** Sticky parts of the page that may cover a row. */
const MARGIN = 96;

/**
 * Moves through the rows of a list with j and k, and with the arrows once a row has the focus. The focus is on the link of a
 * row: Enter opens it, x selects the row.
 */
export function useRowKeys(options: RowKeysOptions): void {
  const latest = useRef(options);
  latest.current = options;
  const active = useRef<number>(undefined);
  const wanted = useRef<number>(undefined);

  // A row that was scrolled into view is rendered later.
  useEffect(() => {
    if (wanted.current !== undefined && focus(latest.current.list.current, wanted.current))
      wanted.current = undefined;
  });

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const { list, count, rowHeight, onSelect, onEscape } = latest.current;
      if (isKeyTaken(event.target)) return;
      const focused = focusedRow(list.current);
      if (isPressed(event, "leaveRows")) {
        (document.activeElement as HTMLElement | null)?.blur();
        onEscape();
        return;
      }
      if (isPressed(event, "selectRow") && focused !== undefined) {
        onSelect(focused);
        return;
      }
      const step = stepOf(event);
      const isArrow = event.key.startsWith("Arrow");
      if (step === undefined || count === 0 || (isArrow && focused === undefined)) return;
      event.preventDefault();
      const from = focused ?? active.current;
      const next = from === undefined ? 0 : Math.min(count - 1, Math.max(0, from + step));
      active.current = next;
      scrollTo(list.current, next, rowHeight);
      if (!focus(list.current, next)) wanted.current = next;
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function stepOf(event: KeyboardEvent): number | undefined {
  if (isPressed(event, "nextRow")) return 1;
  return isPressed(event, "previousRow") ? -1 : undefined;
}

function focusedRow(list: HTMLElement | null): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>("[data-row]");
  return row && list?.contains(row) ? Number(row.dataset.row) : undefined;
}

function focus(list: HTMLElement | null, index: number): boolean {
  const link = list?.querySelector<HTMLElement>(`[data-row="${index}"] a`);
  link?.focus({ preventScroll: true });
  return link !== null && link !== undefined;
}

function scrollTo(list: HTMLElement | null, index: number, rowHeight: number): void {
  if (!list) return;
  const top = list.getBoundingClientRect().top + index * rowHeight;
  if (top < MARGIN) window.scrollBy({ top: top - MARGIN });
  else if (top + rowHeight > window.innerHeight - MARGIN)
    window.scrollBy({ top: top + rowHeight - window.innerHeight + MARGIN });
}
