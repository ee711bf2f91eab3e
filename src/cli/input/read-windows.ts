import { InvalidArgumentError } from "commander";

/** A window of the week, as requests to the core name it. */
export interface Window {
  readonly days: number[];
  readonly from: string;
  readonly to: string;
}

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const WINDOW = /^\s*(\S+)\s+(\d\d:\d\d)\s*-\s*(\d\d:\d\d)\s*$/;

/** Collects windows such as `sun 02:00-04:00`, `mon-fri 22:00-06:00` and `daily 12:00-13:00`, for commander. */
export function readWindows(text: string, before: readonly Window[] = []): Window[] {
  const [, days = "", from = "", to = ""] = WINDOW.exec(text.toLowerCase()) ?? [];
  const read = daysOf(days);
  if (!read)
    throw new InvalidArgumentError(
      "It must be days and times, for example 'sun 02:00-04:00' or 'mon-fri 22:00-06:00'.",
    );
  return [...before, { days: read, from, to }];
}

/** Numbers of days, from 1 for Monday; none: all days. Undefined: the text names no days. */
function daysOf(text: string): number[] | undefined {
  if (text === "daily") return [];
  const found = text.split(",").flatMap((part) => {
    const [first = -1, last = first] = part.split("-").map((day) => DAYS.indexOf(day));
    if (first < 0 || last < 0) return [0];
    const count = ((last - first + DAYS.length) % DAYS.length) + 1;
    return Array.from({ length: count }, (_, index) => ((first + index) % DAYS.length) + 1);
  });
  return found.includes(0) ? undefined : [...new Set(found)].sort();
}

/** Text of a window, in the form that `readWindows` reads. */
export function windowText({ days, from, to }: { readonly days: readonly number[] } & Omit<Window, "days">) {
  const named = days.map((day) => DAYS[day - 1] ?? "").join(",");
  return `${named || "daily"} ${from}-${to}`;
}
