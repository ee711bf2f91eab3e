import { clipText } from "../../../shared/clip-json.ts";
import type { Formats } from "./formats.ts";
import { plainText } from "./plain-text.ts";
import type { Block, Cell, Column } from "./report-document.ts";

/** Limit of a cell: a row has to fit on a page, even with very wide letters. */
const MOST_CHARACTERS = 1_200;

export interface TableParts {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** Maximum number of rows in the document. */
  readonly most: number;
  /** Entries that the report itself omits. */
  readonly leftOut: number;
  readonly formats: Formats;
}

/** A table, or its beginning with the number of omitted rows. */
export function tableBlock({ caption, columns, rows, most, leftOut, formats }: TableParts): Block {
  const shown = rows.slice(0, most);
  const rest = rows.length - shown.length;
  const inJson = rest > 0 ? `${formats.number(rest)} more in the JSON of this report` : undefined;
  const nowhere =
    leftOut > 0 ? `${formats.number(leftOut)} more beyond the size limit of this report` : undefined;
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
