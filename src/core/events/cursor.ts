/**
 * A position in the event log: all documents up to number `position` are sent, and this number of events of the next
 * document.
 */
export interface Cursor {
  readonly position: number;
  readonly within: number;
}

const FORM = /^([1-9]\d{0,14}|0)\.(\d{1,4})$/;

/** undefined: the text is not a cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const [, position, within] = FORM.exec(text) ?? [];
  if (position === undefined || within === undefined) return undefined;
  return { position: Number(position), within: Number(within) };
}

export function formatCursor({ position, within }: Cursor): string {
  return `${position}.${within}`;
}
