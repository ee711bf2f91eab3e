import { type RefObject, useLayoutEffect, useState } from "react";

/** Rows from `first` on, and before `last`. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
}

/** Rows rendered beyond the window, and the step by which it moves: most scroll events render nothing. */
const STEP = 8;

/**
 * The visible rows of a long list, and some around them.
 * @param list element that begins with the first row; all rows have the same height
 */
export function useRowWindow(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): RowWindow {
  const [shown, setShown] = useState<RowWindow>({ first: 0, last: 4 * STEP });

  useLayoutEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      if (!list.current) return;
      const above = -list.current.getBoundingClientRect().top;
      const next = rowsBetween(above, above + window.innerHeight, rowHeight);
      setShown((former) => (former.first === next.first && former.last === next.last ? former : next));
    };
    const onMove = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    window.addEventListener("scroll", onMove, { passive: true });
    window.addEventListener("resize", onMove);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", onMove);
      window.removeEventListener("resize", onMove);
    };
  }, [list, rowHeight]);

  return { first: Math.min(shown.first, count), last: Math.min(shown.last, count) };
}

/** The rows between two distances from the top of the list, with one more step on both sides. */
export function rowsBetween(top: number, bottom: number, rowHeight: number): RowWindow {
  const first = Math.floor(top / rowHeight / STEP) * STEP - STEP;
  const last = Math.ceil(bottom / rowHeight / STEP) * STEP + STEP;
  return { first: Math.max(0, first), last: Math.max(0, last) };
}
