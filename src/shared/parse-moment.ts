const TIME = "([01]\\d|2[0-3]):[0-5]\\d";
const RFC_3339 = new RegExp(
  `^(\\d{4})-(\\d\\d)-(\\d\\d)[Tt]${TIME}:[0-5]\\d(?:\\.\\d{1,9})?(?:[Zz]|[+-]${TIME})$`,
);

/**
 * Parses an RFC 3339 time (section 5.6) with a required offset: a local time would be another moment elsewhere. Digits
 * beyond the millisecond are dropped. Leap seconds are not supported.
 * @returns undefined for anything else, and for dates that do not exist: `Date` alone accepts 31 November as 1
 * December.
 */
export function parseMoment(text: string): Date | undefined {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  if (year === undefined) return undefined;
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return undefined;
  return new Date(text.toUpperCase());
}
