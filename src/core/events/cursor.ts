/** A place in the event log: all up to the document `place` was told, and so many events of the one behind it. */
export interface Cursor {
  readonly place: number;
  readonly within: number;
}

const FORM = /^([1-9]\d{0,14}|0)\.(\d{1,4})$/;

/** Undefined: it is none. */
export function parseCursor(text: string): Cursor | undefined {
  const [, place, within] = FORM.exec(text) ?? [];
  if (place === undefined || within === undefined) return undefined;
  return { place: Number(place), within: Number(within) };
}

export function formatCursor({ place, within }: Cursor): string {
  return `${place}.${within}`;
}
