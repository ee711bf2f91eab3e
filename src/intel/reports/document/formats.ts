/** How a document writes what a report has. */
export interface Formats {
  /** With as many decimals as it has, two at most. */
  number(value: number): string;
  /** Of a share: `99.4 %`. */
  percent(share: number): string;
  /** With its sign: `+4.5`. */
  signed(value: number): string;
  /** Of an RFC 3339 time: `22 Nov 2026`. */
  date(at: string): string;
  /** Of a day, `2026-11-22`, whatever the time zone. */
  day(date: string): string;
  /** A date as a label of a plot: as it is in JSON where it has letters that a plot cannot write. */
  label(date: string, text: string): string;
  /** With the short name of the time zone. */
  time(at: string): string;
  /** From one time to another, in days, or hours where it is less than two. */
  age(from: string, to: string): string;
}

const HOUR_MS = 3_600_000;
/** The texts around are English, and records have these digits as well. */
const DIGITS = { numberingSystem: "latn" } as const;
/** That of the JSON. */
const CALENDAR = { ...DIGITS, calendar: "gregory" } as const;
/** Dates of such words would be read in pieces among English ones. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;
/** What a plot cannot write: its labels go to their fonts as they are, from left to right. */
const NO_LABEL =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}\p{N}\p{P}\p{Zs}]/u;

/** @throws RangeError for a locale or time zone that `Intl` does not know */
export function createFormats(locale: string, timeZone: string): Formats {
  const number = new Intl.NumberFormat(locale, { ...DIGITS, maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(locale, { ...DIGITS, style: "percent", maximumFractionDigits: 2 });
  const signed = new Intl.NumberFormat(locale, {
    ...DIGITS,
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  });
  const dates = RIGHT_TO_LEFT.test(new Intl.DateTimeFormat(locale, { month: "long" }).format(0))
    ? "en-GB"
    : locale;
  const date = new Intl.DateTimeFormat(dates, { ...CALENDAR, dateStyle: "medium", timeZone });
  const day = new Intl.DateTimeFormat(dates, { ...CALENDAR, dateStyle: "medium", timeZone: "UTC" });
  const time = new Intl.DateTimeFormat(dates, {
    ...CALENDAR,
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
    timeZoneName: "short",
  });
  return {
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    signed: (value) => signed.format(value),
    date: (at) => date.format(new Date(at)),
    day: (text) => day.format(new Date(`${text}T00:00:00Z`)),
    label: (text, shown) => (NO_LABEL.test(shown) ? text.slice(0, 10) : shown),
    time: (at) => time.format(new Date(at)),
    age: (from, to) => {
      const hours = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / HOUR_MS));
      if (hours < 48) return hours === 1 ? "1 hour" : `${number.format(hours)} hours`;
      return `${number.format(Math.floor(hours / 24))} days`;
    },
  };
}
