/** A time zone of the IANA database as `Intl` writes it; undefined: there is none of this name. */
export function timeZoneOf(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone || undefined;
  } catch {
    return undefined;
  }
}

export function isTimeZone(name: string): boolean {
  return timeZoneOf(name) !== undefined;
}
