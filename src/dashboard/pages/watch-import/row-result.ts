import type { ImportRow } from "../../api/watches.ts";
import type { Tone } from "../../parts/icons.tsx";
import { faultText } from "../../texts/fault-text.ts";
import { t } from "../../texts/texts.ts";
import { csvCell } from "./example.ts";

export const rowTones: Readonly<Record<string, Tone>> = {
  added: "ok",
  already_there: "idle",
  refused: "bad",
};

const isRefused = ({ outcome }: ImportRow) => outcome === "refused";

/** The reason for which a row is refused, with its column; empty for other rows. */
export function reasonOf(row: ImportRow): string {
  if (!isRefused(row)) return "";
  const words = faultText(row, row.message);
  return row.field === "" ? words : t.watchImport.ofColumn(row.field, words);
}

/** The refused rows with their reasons, to correct in a spreadsheet. */
export function refusedCsv(rows: readonly ImportRow[]): string {
  const cells = rows
    .filter(isRefused)
    .map((row) => [String(row.row), row.domain, row.field, reasonOf(row)].map(csvCell).join(","));
  return [t.watchImport.refusedColumns.join(","), ...cells, ""].join("\r\n");
}
