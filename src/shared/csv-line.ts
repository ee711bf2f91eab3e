/** Start of a cell that spreadsheets interpret as a formula, which could run programs or send the content of other cells. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * A line of CSV (RFC 4180) with its line break. A cell that starts like a formula gets a leading apostrophe, which
 * spreadsheets interpret as text.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
