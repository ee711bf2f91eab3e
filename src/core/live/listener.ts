import type { Told } from "./journal-tail.ts";
import { isBehind, type Position } from "./position.ts";
import { createReport, type Report } from "./report.ts";

/** One stream, as the hub sees it. */
export type Listener = ReturnType<typeof createListener>;

export function createListener(nowMs: () => number) {
  const report = createReport();
  /** What lies behind it is to be told; undefined: the stream has not begun. */
  let heard: Position | undefined;
  let wake: (() => void) | undefined;
  let isOpen = true;
  let hasReported = false;
  let takenAtMs = nowMs();

  function untilWoken(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        signal.removeEventListener("abort", end);
        wake = undefined;
        resolve();
      };
      wake = end;
      signal.addEventListener("abort", end);
    });
  }

  return {
    hasBegun: () => heard !== undefined,
    /** For how long nothing has been taken. */
    idleMs: () => nowMs() - takenAtMs,
    wake: () => wake?.(),
    /**
     * @param told changes of its account; the same array for all listeners that are told the same
     * @param through what all of this, and what came before it, lies before
     */
    tell(told: readonly Told[], through: Position): void {
      const from = heard;
      const isNew = ({ position }: Told) => !from || isBehind(position, from);
      report.add(told.every(isNew) ? told : told.filter(isNew));
      if (!from || isBehind(through, from)) heard = through;
      if (!from || !report.isEmpty()) wake?.();
    },
    tellGap(): void {
      report.addGap();
      wake?.();
    },
    /** Waits until there is something, or somebody wakes it; the first one says at once where it begins. Undefined: it is closed. */
    async next(signal: AbortSignal): Promise<Report | undefined> {
      takenAtMs = nowMs();
      signal.throwIfAborted();
      if (hasReported && report.isEmpty() && isOpen) await untilWoken(signal);
      while (!heard && isOpen && !signal.aborted) await untilWoken(signal);
      signal.throwIfAborted();
      takenAtMs = nowMs();
      hasReported = true;
      return isOpen && heard ? report.take(heard) : undefined;
    },
    close(): void {
      isOpen = false;
      wake?.();
    },
  };
}
