/** An IANA time zone as spelled by `Intl`; undefined: unknown name. */
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
