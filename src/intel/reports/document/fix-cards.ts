import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import { clipText } from "../../../shared/clip-json.ts";
import type { Formats } from "./formats.ts";
import { plainText } from "./plain-text.ts";
import type { FixCard } from "./report-document.ts";
import { responsibleWords, severityWords } from "./words.ts";

/** Useful records are shorter. A hostile record may have 64 KB. */
const MOST_VALUE = 4_096;

/** A fix as a card: the action, the responsible party, its gain, and the record to copy. */
export function fixCard(fix: IntelReport["top_fixes"][number], { signed }: Formats): FixCard {
  const { record } = fix;
  const isLong = record !== null && record.value.length > MOST_VALUE;
  const whole = isLong ? " The JSON of this report contains the whole value." : "";
  return {
    title: `Goal: ${plainText(fix.title)}`,
    domain: plainText(fix.domain),
    severity: severityWords[fix.severity],
    tone: fix.severity,
    gain:
      fix.gain > 0
        ? `${signed(fix.gain)} ${fix.gain === 1 ? "point" : "points"}`
        : "Only effective together with other fixes",
    responsible: responsibleWords[fix.responsible],
    text: `${plainText(fix.text)}${whole}`,
    record: record && {
      name: plainText(record.name),
      type: plainText(record.type),
      value: plainText(clipText(record.value, MOST_VALUE)),
    },
  };
}
