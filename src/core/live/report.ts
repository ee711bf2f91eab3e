import type { Change, Told } from "./journal-tail.ts";
import type { Position } from "./position.ts";

/** What one stream is told at once. */
export interface Report {
  readonly position: Position;
  readonly changes: readonly Change[];
  /** By kind, of all that happened. */
  readonly counts: ReadonlyMap<string, number>;
  /** Counted, and not among the changes. */
  readonly skipped: number;
  /** Something that happened before was not told. */
  readonly gap: boolean;
}

/** So many changes a page can show; there are two reports in a second, at most. */
export const MAX_CHANGES = 50;

/** What a stream will be told next. However slowly it is taken, it grows no further. */
export function createReport() {
  let changes: Change[] = [];
  let counts = new Map<string, number>();
  let skipped = 0;
  let gap = false;

  return {
    /** @param accountId only changes of this account count */
    add({ changes: added }: Told, accountId: string): void {
      for (const change of added) {
        if (change.accountId !== accountId) continue;
        counts.set(change.kind, (counts.get(change.kind) ?? 0) + 1);
        if (changes.length < MAX_CHANGES) changes.push(change);
        else skipped++;
      }
    },
    /** What was to be told is not known, or not any more. */
    addGap(): void {
      gap = true;
    },
    isEmpty: () => counts.size === 0 && !gap,
    /** All of it, and what comes now is for the next one. */
    take(position: Position): Report {
      const report = { position, changes, counts, skipped, gap };
      [changes, counts, skipped, gap] = [[], new Map(), 0, false];
      return report;
    },
  };
}
