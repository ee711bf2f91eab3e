/** What spreadsheets take for a formula, which could run programs or send what stands in other cells somewhere. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * A line of CSV (RFC 4180) with its line break. Cells that begin as a formula does get an apostrophe in front, which
 * spreadsheets take for "text".
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
