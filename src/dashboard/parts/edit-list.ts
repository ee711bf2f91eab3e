/** Edits of a list without changing it. */

export const withItem = <Item>(list: readonly Item[], at: number, item: Item): Item[] => list.with(at, item);

export const withoutItem = <Item>(list: readonly Item[], at: number): Item[] => list.toSpliced(at, 1);

/** The item moves by this number of places, within the list. */
export function withMoved<Item>(list: readonly Item[], at: number, by: number): Item[] {
  const rest = list.toSpliced(at, 1);
  return rest.toSpliced(at + by, 0, ...list.slice(at, at + 1));
}
