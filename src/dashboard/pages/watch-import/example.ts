import { t } from "../../texts/texts.ts";

const rows = [
  ["client", "client_ref", "domain", "role", "sending_ips", "dkim_selectors", "tags"],
  [t.watchImport.exampleClient, "crm-4711", "example.com", "sending", "93.184.215.14", "s1 s2", "shop"],
  [t.watchImport.exampleClient, "crm-4711", "example.org", "parked", "", "", ""],
];

/** A file with the usual columns, and two rows to replace. */
export const EXAMPLE: string = rows
  .map((cells) => cells.join(","))
  .join("\r\n")
  .concat("\r\n");

/** Cells that a spreadsheet would read as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** One cell of a CSV file (RFC 4180), which a spreadsheet reads as text. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
