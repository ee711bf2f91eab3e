import { clipText } from "../../../shared/clip-json.ts";
import type { Formats } from "./formats.ts";
import { plainText } from "./plain-text.ts";
import type { Block, Cell, Column } from "./report-document.ts";

/** Of a cell: a row has to fit on a page, also in letters as wide as they are high. */
const MOST_CHARACTERS = 1_200;

export interface TableParts {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that the document has at most. */
  readonly most: number;
  /** Entries that the report itself has left out. */
  readonly leftOut: number;
  readonly formats: Formats;
}

/** A table, or its beginning with how many rows are missing. */
export function tableBlock({ caption, columns, rows, most, leftOut, formats }: TableParts): Block {
  const shown = rows.slice(0, most);
  const rest = rows.length - shown.length;
  const inJson = rest > 0 ? `${formats.number(rest)} more in the JSON of this report` : undefined;
  const nowhere =
    leftOut > 0 ? `${formats.number(leftOut)} more that this report has no room for` : undefined;
  const note = [inJson, nowhere].filter((text) => text !== undefined).join("; ");
  const clean = shown.map((row) =>
    row.map(({ text, note: small, ...cell }) => ({
      ...cell,
      text: plainText(clipText(text, MOST_CHARACTERS)),
      ...(small !== undefined && { note: plainText(small) }),
    })),
  );
  return {
    kind: "table",
    table: { caption, columns, rows: clean, note: note === "" ? null : `Left out: ${note}.` },
  };
}
