/** Day of a time in UTC, such as `2026-03-01`. @param time a Date, or milliseconds since 1970 */
export function utcDay(time: Date | number): string {
  return new Date(time).toISOString().slice(0, 10);
}
