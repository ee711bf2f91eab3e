/**
 * Position in the reported changes: all documents of the journal up to a time, and the number of documents that
 * appeared later than that. It has the same meaning in every core, except for the latter, which are few.
 */
export interface Position {
  /** Time in the ids of documents. */
  readonly throughMs: number;
  readonly late: number;
}

const FORM = /^(\d{1,15})\.(\d{1,6})$/;

export function formatPosition({ throughMs, late }: Position): string {
  return `${throughMs}.${late}`;
}

/** undefined: the text is not a position. */
export function parsePosition(text: string): Position | undefined {
  const [, throughMs, late] = FORM.exec(text) ?? [];
  if (throughMs === undefined || late === undefined) return undefined;
  return { throughMs: Number(throughMs), late: Number(late) };
}

export function isBehind(position: Position, other: Position): boolean {
  if (position.throughMs !== other.throughMs) return position.throughMs > other.throughMs;
  return position.late > other.late;
}
