import { useCallback, useEffect, useRef } from "react";

/**
 * Runs a task at most once in `ms`, and once more after a call that came while it ran. The next call runs a failed task again.
 */
export function useThrottled(task: () => Promise<void>, ms: number): () => void {
  const latest = useRef(task);
  latest.current = task;
  const state = useRef({ isWanted: false, isBusy: false, lastMs: 0, timer: 0 });

  const call = useCallback(() => {
    const own = state.current;
    own.isWanted = true;
    if (own.isBusy) return;
    own.isBusy = true;
    own.timer = window.setTimeout(
      () => {
        own.isWanted = false;
        own.lastMs = performance.now();
        latest
          .current()
          .catch(() => undefined)
          .finally(() => {
            own.isBusy = false;
            if (own.isWanted) call();
          });
      },
      Math.max(0, own.lastMs === 0 ? 0 : own.lastMs + ms - performance.now()),
    );
  }, [ms]);

  useEffect(
    () => () => {
      window.clearTimeout(state.current.timer);
      state.current = { isWanted: false, isBusy: false, lastMs: 0, timer: 0 };
    },
    [],
  );
  return call;
}
