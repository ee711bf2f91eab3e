import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FieldFault, validationFault } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";

export interface CsvRow<Field extends string> {
  /** Row number as in a spreadsheet: the heading is row 1. */
  readonly row: number;
  readonly cells: Readonly<Partial<Record<Field, string>>>;
  /** The row has more cells than the heading. */
  readonly isTooLong: boolean;
}

export interface CsvTable<Field extends string> {
  /** Columns by heading; without a field: the column is ignored. */
  readonly columns: readonly { readonly name: string; readonly field: Field | undefined }[];
  readonly rows: readonly CsvRow<Field>[];
}

/** Form of the files of one import. */
export interface CsvForm<Field extends string> {
  /** Accepted headings of each field, in lower case and with underscores. */
  readonly headings: Readonly<Record<Field, readonly string[]>>;
  readonly maxRows: number;
  /** The column that a file needs, and the error without it. */
  readonly needed: { readonly field: Field; readonly missing: FaultText };
  /** Whether a first row is no heading but the value of the needed column. Missing: it is always a heading. */
  readonly isHeadless?: (record: readonly string[]) => boolean;
}

const MAX_BYTES = 2 * 1024 * 1024;
/** Maximum size of one row in octets. */
const MAX_ROW_BYTES = 64 * 1024;
const MAX_HEADING_LENGTH = 100;
/** Octets parsed in one turn of the event loop: 64 K commas take some 20 ms. */
const OCTETS_PER_SLICE = 64 * 1024;

/** Apostrophe that an export has added before text that a spreadsheet would interpret as a formula. */
const FORMULA_GUARD = /^'(?=[=+\-@\t\r])/;

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly records: number; readonly empty_lines: number };
}

/**
 * Reads CSV (RFC 4180) with the column names in the first row. Cells may be separated by commas, semicolons or tabs,
 * and rows by any line break.
 * @throws Fault request.validation_failed at `/csv` for an unreadable file
 */
export async function readCsvTable<Field extends string>(
  csv: string,
  form: CsvForm<Field>,
): Promise<CsvTable<Field>> {
  const { maxRows, needed, isHeadless } = form;
  if (Buffer.byteLength(csv) > MAX_BYTES) {
    throw refused("field.too_long", say("csv_octets", { max: MAX_BYTES }));
  }
  const nul = csv.indexOf("\0");
  if (nul !== -1) {
    const line = csv.slice(0, nul).split("\n").length;
    throw refused("field.invalid", say("csv_nul", { line }));
  }
  const [first, ...others] = await parse(csv, maxRows);
  if (!first) throw refused("field.required", say("csv_empty"));
  const hasHeading = !isHeadless?.(first.record);
  const columns = hasHeading ? readHeading(first.record, form) : [{ name: "", field: needed.field }];
  const lines = hasHeading ? others : [first, ...others];
  if (lines.length > maxRows) {
    throw refused("field.too_many", say("csv_rows", { max: maxRows }));
  }
  const read = columns.flatMap(({ field }, index) => (field ? [{ field, index }] : []));
  const cellsOf = (record: readonly string[]) =>
    Object.fromEntries(read.map(({ field, index }) => [field, cellText(record[index])]));
  const rows = lines.map(({ record, info }) => ({
    row: info.records + info.empty_lines,
    cells: cellsOf(record) as CsvRow<Field>["cells"],
    isTooLong: record.slice(columns.length).some((cell) => cell.trim() !== ""),
  }));
  return { columns, rows };
}

/** The parser is loaded with the first import. Other work of the thread continues between slices of the file. */
async function parse(csv: string, maxRows: number): Promise<Parsed[]> {
  const { CsvError, parse: createParser } = await import("csv-parse");
  const parsed: Parsed[] = [];
  // One more than the maximum, in addition to the heading.
  const isEnough = () => parsed.length >= maxRows + 2;
  const parser = createParser({
    bom: true,
    info: true,
    delimiter: delimiterOf(csv),
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    on_record: (record) => {
      parsed.push(record as unknown as Parsed);
      return null;
    },
  });
  try {
    await pipeline(slicesOf(Buffer.from(csv), isEnough), parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (isEnough()) return parsed;
    const { lines } = error as unknown as { readonly lines?: number };
    const detail = troubles[error.code] ?? "The text is not valid CSV";
    throw refused(
      "field.invalid",
      lines === undefined ? say("csv", { detail }) : say("csv_at", { detail, line: lines }),
    );
  }
  return parsed;
}

async function* slicesOf(octets: Buffer, isEnough: () => boolean): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < octets.length && !isEnough(); at += OCTETS_PER_SLICE) {
    yield octets.subarray(at, at + OCTETS_PER_SLICE);
    await nextTurn();
  }
}

const troubles: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "A quote is not closed",
  CSV_INVALID_CLOSING_QUOTE: "Text follows a closing quote",
  INVALID_OPENING_QUOTE: "A quote must be at the start of a cell, or be written twice within a quoted cell",
  CSV_MAX_RECORD_SIZE: `A row exceeds ${MAX_ROW_BYTES} octets`,
};

/** Delimiter of the first line. */
function delimiterOf(csv: string): string {
  const heading = /^[^\r\n]*/.exec(csv.trimStart())?.[0] ?? "";
  return [",", ";", "\t"].find((delimiter) => heading.includes(delimiter)) ?? ",";
}

function readHeading<Field extends string>(
  record: readonly string[],
  { headings, needed }: CsvForm<Field>,
): CsvTable<Field>["columns"] {
  const fields = Object.keys(headings) as Field[];
  const fieldOf = (name: string) => fields.find((field) => headings[field].includes(name));
  const columns = record.map((cell) => {
    const name = cell.trim().slice(0, MAX_HEADING_LENGTH).toWellFormed();
    return { name, field: fieldOf(name.toLowerCase().replace(/[\s-]+/g, "_")) };
  });
  for (const field of fields) {
    const same = columns.filter((column) => column.field === field).map(({ name }) => name);
    if (same.length > 1) {
      throw refused("field.duplicate", say("csv_columns", { columns: same, field }));
    }
  }
  if (columns.some(({ field }) => field === needed.field)) return columns;
  throw refused("field.required", needed.missing);
}

/** Text of a cell without the spaces around it. */
export function cellText(cell = ""): string {
  return cell.trim().replace(FORMULA_GUARD, "");
}

function refused(code: FieldFault["code"], message: FaultText) {
  return validationFault([{ pointer: "/csv", code, message }]);
}
