import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FieldFault, validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { readSuppressed } from "./read-suppression.ts";

/** Fields that an import reads. */
export type ImportField = "address" | "reason" | "policy" | "detail" | "created_at" | "expire_at";

export interface CsvRow {
  /** Row number as in a spreadsheet: the heading is row 1. */
  readonly row: number;
  readonly cells: Readonly<Partial<Record<ImportField, string>>>;
  /** The row has more cells than the heading. */
  readonly isTooLong: boolean;
}

export interface CsvTable {
  /** Columns by heading; without a field: the column is ignored. */
  readonly columns: readonly { readonly name: string; readonly field: ImportField | undefined }[];
  readonly rows: readonly CsvRow[];
}

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_ROWS = 10_000;
/** Maximum size of one row in octets: thirty times the longest valid row. */
const MAX_ROW_BYTES = 64 * 1024;
const MAX_HEADING_LENGTH = 100;
/** Octets parsed in one turn of the event loop: 64 K commas take some 20 ms. */
const OCTETS_PER_SLICE = 64 * 1024;

/** Headings in the exports of Hermod and of other services, in lower case and with underscores. */
const headings: Readonly<Record<ImportField, readonly string[]>> = {
  address: ["address", "email", "e_mail", "email_address", "emailaddress", "recipient"],
  reason: ["reason", "suppression_reason", "suppressionreason"],
  policy: ["policy", "routing_policy"],
  detail: ["detail", "note", "notes", "comment", "description"],
  created_at: ["created_at", "created", "createdat", "date", "added_at"],
  expire_at: ["expire_at", "expires_at", "expires", "expiry"],
};
const fieldOf = new Map(
  Object.entries(headings).flatMap(([field, names]) =>
    names.map((name) => [name, field as ImportField] as const),
  ),
);

/** Apostrophe that an export has added before text that a spreadsheet would interpret as a formula. */
const FORMULA_GUARD = /^'(?=[=+\-@\t\r])/;

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly records: number; readonly empty_lines: number };
}

/**
 * Reads CSV (RFC 4180) with the column names in the first row; a single column of addresses needs no heading. Cells
 * may be separated by commas, semicolons or tabs, and rows by any line break.
 * @throws Fault request.validation_failed at `/csv` for an unreadable file
 */
export async function readCsv(csv: string): Promise<CsvTable> {
  if (Buffer.byteLength(csv) > MAX_BYTES) {
    throw refused("field.too_long", say("csv_octets", { max: MAX_BYTES }));
  }
  const nul = csv.indexOf("\0");
  if (nul !== -1) {
    const line = csv.slice(0, nul).split("\n").length;
    throw refused("field.invalid", say("csv_nul", { line }));
  }
  const [first, ...others] = await parse(csv);
  if (!first) throw refused("field.required", say("csv_empty"));
  const hasHeading = !isAddressAlone(first.record);
  const columns = hasHeading ? readHeading(first.record) : [{ name: "", field: "address" as const }];
  const lines = hasHeading ? others : [first, ...others];
  if (lines.length > MAX_ROWS) {
    throw refused("field.too_many", say("csv_rows", { max: MAX_ROWS }));
  }
  const read = columns.flatMap(({ field }, index) => (field ? [{ field, index }] : []));
  const rows = lines.map(({ record, info }) => ({
    row: info.records + info.empty_lines,
    cells: Object.fromEntries(read.map(({ field, index }) => [field, cellText(record[index])])),
    isTooLong: record.slice(columns.length).some((cell) => cell.trim() !== ""),
  }));
  return { columns, rows };
}

/** The parser is loaded with the first import. Other work of the thread continues between slices of the file. */
async function parse(csv: string): Promise<Parsed[]> {
  const { CsvError, parse: createParser } = await import("csv-parse");
  const parsed: Parsed[] = [];
  // One more than the maximum, in addition to the heading.
  const isEnough = () => parsed.length >= MAX_ROWS + 2;
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

function isAddressAlone(record: readonly string[]): boolean {
  return record.length === 1 && readSuppressed(cellText(record[0])).ok;
}

function readHeading(record: readonly string[]): CsvTable["columns"] {
  const columns = record.map((cell) => {
    const name = cell.trim().slice(0, MAX_HEADING_LENGTH).toWellFormed();
    return { name, field: fieldOf.get(name.toLowerCase().replace(/[\s-]+/g, "_")) };
  });
  for (const field of Object.keys(headings)) {
    const same = columns.filter((column) => column.field === field).map(({ name }) => name);
    if (same.length > 1) {
      throw refused("field.duplicate", say("csv_columns", { columns: same, field }));
    }
  }
  if (columns.some(({ field }) => field === "address")) return columns;
  throw refused("field.required", say("csv_no_addresses", { allowed: headings.address }));
}

function cellText(cell = ""): string {
  return cell.trim().replace(FORMULA_GUARD, "");
}

function refused(code: FieldFault["code"], message: FaultText) {
  return validationFault([{ pointer: "/csv", code, message }]);
}
