import { setImmediate as nextTurn } from "node:timers/promises";
import { idBound } from "../../shared/ids.ts";
import { createSlots } from "../../shared/slots.ts";
import type { AlertDocument } from "../../store/alert-documents.ts";
import type { AccountStore } from "../../store/store.ts";

export interface PastAlerts {
  /** Earliest arrival; missing: the oldest stored alert. */
  readonly from?: Date | undefined;
  /** The end of the arrivals, exclusive; missing: now. */
  readonly until?: Date | undefined;
  /** Maximum number of alerts that are read. */
  readonly mostRead: number;
  readonly signal: AbortSignal;
}

export interface ReadAlerts {
  readonly read: number;
  /** Arrival of the oldest alert that was read; missing: none was. */
  readonly oldest: Date | undefined;
  /** All alerts of the time were read. */
  readonly isComplete: boolean;
}

/** Alerts that are loaded at a time, each with up to 256 KB, and evaluated in one turn of the event loop. */
const PAGE = 50;

/**
 * Reads stored alerts, the latest first, by the index of their list. Only one reading evaluates a page at a time, with a turn of
 * the event loop before each page, so that accepting and sending continue.
 */
export function createReadPastAlerts() {
  const oneAtATime = createSlots(1);
  /**
   * @param take called for each alert; the reading ends when it returns false
   * @throws Fault store.unavailable, core.timeout
   */
  return async (
    { incidents }: Pick<AccountStore, "incidents">,
    { from, until, mostRead, signal }: PastAlerts,
    take: (alert: AlertDocument) => boolean,
  ): Promise<ReadAlerts> => {
    let after = until && idBound("alr", until);
    let read = 0;
    let oldest: Date | undefined;
    for (;;) {
      signal.throwIfAborted();
      const limit = Math.min(PAGE, mostRead - read);
      if (limit === 0) {
        const [next] = await incidents.listAlerts({ after, limit: 1 });
        return { read, oldest, isComplete: !next || (from !== undefined && next.at < from) };
      }
      const page = await incidents.listAlerts({ after, limit });
      const isOver = await oneAtATime(async () => {
        await nextTurn();
        for (const alert of page) {
          if (from && alert.at < from) return { isComplete: true };
          read++;
          oldest = alert.at;
          if (!take(alert)) return { isComplete: false };
        }
        return page.length < limit && { isComplete: true };
      });
      if (isOver) return { read, oldest, ...isOver };
      after = page.at(-1)?._id;
    }
  };
}
