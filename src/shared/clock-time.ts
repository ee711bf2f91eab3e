import { createLru } from "./lru.ts";

/** Creating a formatter takes as long as all other work for a mail. There are some hundred zones. */
const clocks = createLru<Intl.DateTimeFormat>(1_000);

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** Formats a time as `2030-01-01 13:00 CET (12:00 UTC)`. */
export function clockTime(at: Date, zone: string): string {
  const utc = at.toISOString();
  const of = new Map(
    clockOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const day = `${of.get("year")}-${of.get("month")}-${of.get("day")}`;
  const local = `${day} ${of.get("hour")}:${of.get("minute")} ${of.get("timeZoneName")}`;
  return local.endsWith(" UTC") ? local : `${local} (${utc.slice(11, 16)} UTC)`;
}
