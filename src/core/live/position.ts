/**
 * A place in what was told: all documents of the journal up to a time were, and so many of those that came to light later
 * than that. It means the same to every core, but for the latter, which are few.
 */
export interface Position {
  /** Of the ids of documents. */
  readonly throughMs: number;
  readonly late: number;
}

const FORM = /^(\d{1,15})\.(\d{1,6})$/;

export function formatPosition({ throughMs, late }: Position): string {
  return `${throughMs}.${late}`;
}

/** Undefined: it is none. */
export function parsePosition(text: string): Position | undefined {
  const [, throughMs, late] = FORM.exec(text) ?? [];
  if (throughMs === undefined || late === undefined) return undefined;
  return { throughMs: Number(throughMs), late: Number(late) };
}

export function isBehind(position: Position, other: Position): boolean {
  if (position.throughMs !== other.throughMs) return position.throughMs > other.throughMs;
  return position.late > other.late;
}
