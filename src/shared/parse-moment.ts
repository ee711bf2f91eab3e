const TIME = "([01]\\d|2[0-3]):[0-5]\\d";
const RFC_3339 = new RegExp(
  `^(\\d{4})-(\\d\\d)-(\\d\\d)[Tt]${TIME}:[0-5]\\d(?:\\.\\d{1,9})?(?:[Zz]|[+-]${TIME})$`,
);

/**
 * Reads a moment of RFC 3339 (section 5.6), whose offset is required: a local time would mean another moment
 * elsewhere. Digits beyond the millisecond are dropped; leap seconds are not known.
 * @returns undefined for anything else, and for days that no calendar has: `Date` alone takes 31 November for 1 December.
 */
export function parseMoment(text: string): Date | undefined {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  if (year === undefined) return undefined;
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return undefined;
  return new Date(text.toUpperCase());
}
