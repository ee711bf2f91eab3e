import { decodeDocument, decodeValue, eachElement } from "./decode.ts";
import type { Doc } from "./values.ts";

/** Decodes from an encoded document just the top-level fields it was made for. */
export type FieldSelector = (bytes: Buffer) => Doc;

/** A selector for these names; without names given, for the whole document. */
export function fieldSelector(names: Iterable<string> | undefined): FieldSelector {
  if (names === undefined) return (bytes) => decodeDocument(bytes);
  const wanted = [...names].map((name) => ({ name, bytes: Buffer.from(name) }));
  return (bytes) => {
    const result: Doc = new Map();
    if (wanted.length === 0) return result;
    eachElement(bytes, 0, (type, nameStart, nameStop, at, limit) => {
      for (const field of wanted) {
        if (isName(bytes, nameStart, nameStop, field.bytes)) {
          result.set(field.name, decodeValue(bytes, type, at, limit, 0));
          return;
        }
      }
    });
    return result;
  };
}

function isName(bytes: Buffer, start: number, stop: number, name: Buffer): boolean {
  if (stop - start !== name.length) return false;
  for (let at = 0; at < name.length; at++) {
    if (bytes[start + at] !== name[at]) return false;
  }
  return true;
}
