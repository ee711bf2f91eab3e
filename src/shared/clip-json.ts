/** Limits of a clipped value. */
export interface JsonCapacity {
  /** Values in all objects and lists. */
  readonly values: number;
  /** Characters of all names and values. */
  readonly characters: number;
  /** Characters of one text. */
  readonly text: number;
  /** Levels of objects and lists. */
  readonly depth: number;
}

/** Copies the start of a JSON value within the limits. Texts are cut, and values that are too deep are omitted. */
export function clipJson(value: unknown, capacity: JsonCapacity): unknown {
  return clippedJson(value, capacity).copy;
}

/** The same copy, and whether it is complete. */
export function clippedJson(
  value: unknown,
  capacity: JsonCapacity,
): { readonly copy: unknown; readonly isWhole: boolean } {
  let { values, characters } = capacity;
  let isWhole = true;

  function copyOf(one: unknown, depth: number): unknown {
    if (typeof one === "string") {
      const text = clipText(one, capacity.text);
      if (text !== one) isWhole = false;
      return text;
    }
    if (typeof one !== "object" || one === null) return one;
    if (depth > capacity.depth) return undefined;
    const copied: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(one)) {
      if (values <= 0) {
        isWhole = false;
        break;
      }
      const copy = copyOf(inner, depth + 1);
      const size = name.length + (typeof copy === "object" ? 2 : String(copy).length);
      // Names with a special meaning in JavaScript.
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

/** Cuts a text to at most `most` whole characters, with `…` in place of the rest. */
export function clipText(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  return `${text
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}
