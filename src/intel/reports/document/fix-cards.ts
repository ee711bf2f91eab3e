import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import type { Formats } from "./formats.ts";
import { plainText } from "./plain-text.ts";
import type { FixCard } from "./report-document.ts";
import { responsibleWords, severityWords } from "./words.ts";

/** A repair as a card: what to do, who, what it is worth, and the record to paste. */
export function fixCard(fix: IntelReport["top_fixes"][number], { signed }: Formats): FixCard {
  const { record } = fix;
  return {
    title: plainText(fix.title),
    domain: plainText(fix.domain),
    severity: severityWords[fix.severity],
    tone: fix.severity,
    gain:
      fix.gain > 0
        ? `${signed(fix.gain)} ${fix.gain === 1 ? "point" : "points"}`
        : "Needed with other repairs",
    responsible: responsibleWords[fix.responsible],
    text: plainText(fix.text),
    record: record && {
      name: plainText(record.name),
      type: plainText(record.type),
      value: plainText(record.value),
    },
  };
}
