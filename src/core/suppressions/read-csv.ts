import { say } from "../../shared/fault-text.ts";
import { cellText, type CsvRow as Row, readCsvTable, type CsvTable as Table } from "../read-csv-table.ts";
import { readSuppressed } from "./read-suppression.ts";

/** Fields that an import reads. */
export type ImportField = "address" | "reason" | "policy" | "detail" | "created_at" | "expire_at";
export type CsvRow = Row<ImportField>;
export type CsvTable = Table<ImportField>;

const MAX_ROWS = 10_000;

/** Headings in the exports of Hermod and of other services, in lower case and with underscores. */
const headings: Readonly<Record<ImportField, readonly string[]>> = {
  address: ["address", "email", "e_mail", "email_address", "emailaddress", "recipient"],
  reason: ["reason", "suppression_reason", "suppressionreason"],
  policy: ["policy", "routing_policy"],
  detail: ["detail", "note", "notes", "comment", "description"],
  created_at: ["created_at", "created", "createdat", "date", "added_at"],
  expire_at: ["expire_at", "expires_at", "expires", "expiry"],
};

/**
 * Reads the CSV of a suppression list; a single column of addresses needs no heading.
 * @throws Fault request.validation_failed at `/csv` for an unreadable file
 */
export function readCsv(csv: string): Promise<CsvTable> {
  return readCsvTable(csv, {
    headings,
    maxRows: MAX_ROWS,
    needed: { field: "address", missing: say("csv_no_addresses", { allowed: headings.address }) },
    isHeadless: (record) => record.length === 1 && readSuppressed(cellText(record[0])).ok,
  });
}
