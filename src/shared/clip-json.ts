/** How much of a value stays. */
export interface JsonRoom {
  /** Values in objects and lists together. */
  readonly values: number;
  /** Of all names and values together. */
  readonly characters: number;
  /** Characters of one text. */
  readonly text: number;
  /** Levels of objects and lists. */
  readonly depth: number;
}

/** A copy of a JSON value with what there is room for, its beginning first: texts are cut, what lies too deep is left out. */
export function clipJson(value: unknown, room: JsonRoom): unknown {
  return clippedJson(value, room).copy;
}

/** The same copy, and whether it has everything that the value has. */
export function clippedJson(
  value: unknown,
  room: JsonRoom,
): { readonly copy: unknown; readonly isWhole: boolean } {
  let { values, characters } = room;
  let isWhole = true;

  function copyOf(one: unknown, depth: number): unknown {
    if (typeof one === "string") {
      const text = clipText(one, room.text);
      if (text !== one) isWhole = false;
      return text;
    }
    if (typeof one !== "object" || one === null) return one;
    if (depth > room.depth) return undefined;
    const copied: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(one)) {
      if (values <= 0) {
        isWhole = false;
        break;
      }
      const copy = copyOf(inner, depth + 1);
      const size = name.length + (typeof copy === "object" ? 2 : String(copy).length);
      // Names by which JavaScript means more than a field.
      if (copy === undefined || characters < size || name === "__proto__") {
        isWhole = false;
        continue;
      }
      values--;
      characters -= size;
      copied.push([name, copy]);
    }
    return Array.isArray(one) ? copied.map(([, copy]) => copy) : Object.fromEntries(copied);
  }

  const copy = copyOf(value, 1);
  return { copy, isWhole };
}

/** A text of at most so many characters, in whole ones: `…` stands for the rest. */
export function clipText(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  return `${text
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}
