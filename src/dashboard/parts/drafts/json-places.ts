/** Position of the value at each JSON pointer in a text, which must be JSON. */
export function placesOf(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  let at = 0;

  function take(pattern: RegExp): string {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? "";
    at += found.length;
    return found;
  }
  function takes(character: string): boolean {
    take(/\s*/y);
    if (text[at] !== character) return false;
    at++;
    return true;
  }

  function readValue(pointer: string): void {
    take(/\s*/y);
    places.set(pointer, at);
    if (takes("{")) readMembers(pointer);
    else if (takes("[")) readItems(pointer);
    else take(/"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y);
  }
  function readMembers(pointer: string): void {
    if (takes("}")) return;
    do {
      take(/\s*/y);
      const name = JSON.parse(take(/"(?:[^"\\]|\\.)*"/y)) as string;
      takes(":");
      readValue(`${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    } while (takes(","));
    takes("}");
  }
  function readItems(pointer: string): void {
    if (takes("]")) return;
    let index = 0;
    do {
      readValue(`${pointer}/${index}`);
      index++;
    } while (takes(","));
    takes("]");
  }

  readValue("");
  return places;
}

/** Position of a pointer in a text, or of the closest part around it that exists. */
export function placeOf(text: string, pointer: string): number {
  const places = readPlaces(text);
  let shown = pointer;
  while (shown !== "" && !places.has(shown)) shown = shown.slice(0, shown.lastIndexOf("/"));
  return places.get(shown) ?? 0;
}

function readPlaces(text: string): ReadonlyMap<string, number> {
  try {
    return placesOf(text);
  } catch {
    // The text is not JSON while the user types.
    return new Map();
  }
}

/** Number of the line of a position, from 1. */
export const lineOf = (text: string, place: number): number => text.slice(0, place).split("\n").length;
