import { reportLocale } from "../report-locale.ts";

/** Number and date formats of a document. */
export interface Formats {
  /** With at most two decimals. */
  number(value: number): string;
  /** Formats a share: `99.4 %`. */
  percent(share: number): string;
  /** With its sign: `+4.5`. */
  signed(value: number): string;
  /** Formats an RFC 3339 time: `22 Nov 2026`. */
  date(at: string): string;
  /** Formats a calendar day, `2026-11-22`, independent of the time zone. */
  day(date: string): string;
  /** With the short name of the time zone. */
  time(at: string): string;
  /** Formats the time between two times in days, or in hours if it is less than two days. */
  age(from: string, to: string): string;
}

const HOUR_MS = 3_600_000;
/**
 * @param stored locale of the report
 * @throws RangeError for a time zone that `Intl` does not support
 */
export function createFormats(stored: string, timeZone: string): Formats {
  const locale = reportLocale(stored);
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 });
  const signed = new Intl.NumberFormat(locale, {
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const time = new Intl.DateTimeFormat(locale, {
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
    time: (at) => time.format(new Date(at)),
    age: (from, to) => {
      const hours = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / HOUR_MS));
      if (hours < 48) return hours === 1 ? "1 hour" : `${number.format(hours)} hours`;
      return `${number.format(Math.floor(hours / 24))} days`;
    },
  };
}
