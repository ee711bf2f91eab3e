import { compareValues, type Piece } from "./compare-values.ts";

/** A value of a changed field for people: a text without its quotation marks, other values as JSON. */
export const valueText = (json: string | undefined): string | undefined => {
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" && value !== "" ? value : json;
  } catch {
    return json;
  }
};

/**
 * Both values of a changed field, with the differences marked. Texts are compared in parts; a number or another value is
 * different as a whole.
 */
export function compareChange(
  before: string,
  after: string,
): { readonly before: Piece[]; readonly after: Piece[] } {
  const [old, next] = [valueText(before) ?? "", valueText(after) ?? ""];
  if (!isText(before) || !isText(after))
    return { before: [{ text: old, isMarked: true }], after: [{ text: next, isMarked: true }] };
  const { wanted, found } = compareValues(next, old);
  return { before: found, after: wanted };
}

const isText = (json: string) => json.startsWith('"');
