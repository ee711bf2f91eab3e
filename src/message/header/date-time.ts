const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** One level of plain comments, as in `+0100 (CET)`. */
const COMMENT = /\([^()\\]*\)/g;
const DATE_TIME =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun) ?, ?)?(\d{1,2}) ([a-z]{3}) (\d{4}|\d{2}) (\d{2}) ?: ?(\d{2})(?: ?: ?(\d{2}))? ([+-]\d{4}|ut|gmt|[ecmp][sd]t|[a-ik-z])$/i;

/** True if the value of a field is a date-time of RFC 5322 section 3.3, or of its obsolete form (section 4.3). */
export function isDateTime(value: string): boolean {
  const plain = value
    .replaceAll(COMMENT, " ")
    .replaceAll(/[ \t]+/g, " ")
    .trim();
  const [, day, monthName = "", yearText = "", hour, minute, second = 0, zone = ""] =
    DATE_TIME.exec(plain) ?? [];
  const month = MONTHS.indexOf(monthName.toLowerCase());
  if (month === -1 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return false;
  if (/^[+-]/.test(zone) && Number(zone.slice(3)) > 59) return false;
  const year = Number(yearText) + (yearText.length > 2 ? 0 : Number(yearText) < 50 ? 2000 : 1900);
  const date = new Date(Date.UTC(year, month, Number(day)));
  return date.getUTCMonth() === month && date.getUTCDate() === Number(day) && year >= 1900;
}
