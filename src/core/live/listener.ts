import type { LiveEvent } from "./journal-tail.ts";
import { isBehind, type Position } from "./position.ts";
import { createReport, type Report } from "./report.ts";

/** One stream of the hub. */
export type Listener = ReturnType<typeof createListener>;

export function createListener(nowMs: () => number) {
  const report = createReport();
  /** Changes after this position are to be reported; undefined: the stream has not started. */
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
    /** Time since the client has last read. */
    idleMs: () => nowMs() - takenAtMs,
    wake: () => wake?.(),
    /**
     * @param events changes of its account; listeners with the same changes share the array
     * @param through position after all of these changes
     */
    emit(events: readonly LiveEvent[], through: Position): void {
      const from = heard;
      const isNew = ({ position }: LiveEvent) => !from || isBehind(position, from);
      report.add(events.every(isNew) ? events : events.filter(isNew));
      if (!from || isBehind(through, from)) heard = through;
      if (!from || !report.isEmpty()) wake?.();
    },
    emitGap(): void {
      report.addGap();
      wake?.();
    },
    /**
     * Waits for changes or a wake-up. The first call returns immediately, with the start position. undefined: the
     * stream is closed.
     */
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
