/**
 * A position in the event log: all documents up to number `place` are sent, and this number of events of the next
 * document.
 */
export interface Cursor {
  readonly place: number;
  readonly within: number;
}

const FORM = /^([1-9]\d{0,14}|0)\.(\d{1,4})$/;

/** undefined: the text is not a cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const [, place, within] = FORM.exec(text) ?? [];
  if (place === undefined || within === undefined) return undefined;
  return { place: Number(place), within: Number(within) };
}

export function formatCursor({ place, within }: Cursor): string {
  return `${place}.${within}`;
}
