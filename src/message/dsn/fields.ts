import { decodeOctets } from "./safe-text.ts";

/** Header-like fields by their name in lower case, unfolded; the values in their order. */
export type Fields = ReadonlyMap<string, readonly string[]>;

const MAX_BLOCK_LENGTH = 256_000;
const MAX_LINES = 5_000;
const MAX_GROUPS = 400;
const MAX_VALUES = 200;
const MAX_VALUE_LENGTH = 8_000;

/** RFC 5322 section 2.2, and the space before the colon that some programs write. */
const FIELD = /^([!-9;-~]{1,80})[ \t]*:(.*)$/;

/**
 * Parses fields in groups separated by blank lines (RFC 3464 section 2.1), from text with LF line ends. A line that is not a
 * field continues the one before, indented or not. A second `splitAt` field opens a group if the blank line is missing. Data
 * beyond the limits is dropped.
 */
export function readFieldGroups(text: string, splitAt?: string): Fields[] {
  const groups: Map<string, string[]>[] = [];
  let group: Map<string, string[]> | undefined;
  let values: string[] | undefined;
  for (const line of text.slice(0, MAX_BLOCK_LENGTH).split("\n", MAX_LINES)) {
    if (line.trim() === "") {
      group = values = undefined;
      continue;
    }
    const [, name, value = ""] = FIELD.exec(line) ?? [];
    if (name === undefined) {
      extend(values, line);
      continue;
    }
    const key = name.toLowerCase();
    if (!group || (key === splitAt && group.has(key))) {
      if (groups.length === MAX_GROUPS) break;
      group = new Map();
      groups.push(group);
    }
    values = group.get(key) ?? [];
    group.set(key, values);
    if (values.length < MAX_VALUES) values.push(withoutIndent(value).slice(0, MAX_VALUE_LENGTH));
  }
  return groups.map(decoded);
}

/** The fields of the header of a message or part. */
export function readHeader(text: string): Fields {
  return readFieldGroups(text)[0] ?? new Map();
}

/** The first value of a field. */
export function field(fields: Fields | undefined, name: string): string | undefined {
  return fields?.get(name)?.[0];
}

function extend(values: string[] | undefined, line: string): void {
  const last = values?.at(-1);
  if (values === undefined || last === undefined || last.length >= MAX_VALUE_LENGTH) return;
  values[values.length - 1] = `${last} ${withoutIndent(line)}`.slice(0, MAX_VALUE_LENGTH);
}

/** Not `trim`, which treats 0xA0 as a space: here it may be the last octet of a character, for example of "à". */
function withoutIndent(octets: string): string {
  return octets.replace(/^[ \t]+/, "");
}

function decoded(group: Map<string, string[]>): Fields {
  return new Map(
    [...group].map(([name, values]) => [name, values.map((value) => decodeOctets(value).trim())]),
  );
}
