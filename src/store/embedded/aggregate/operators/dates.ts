import { toDouble } from "../../bson/numbers.ts";
import {
  DateTime,
  Int32,
  isNumeric,
  ObjectIdValue,
  TimestampValue,
  typeName,
  type Value,
} from "../../bson/values.ts";
import { CommandError, notImplemented } from "../../errors.ts";
import type { Evaluate, OperatorParser, Parse, ParseContext } from "../scope.ts";
import { isNullish, namedOperands } from "./helpers.ts";

/** Only UTC is known: another time zone would need its history. */
function refuseZone(operand: ReadonlyMap<string, Value>, name: string): void {
  const zone = operand.get("timezone");
  if (
    zone === undefined ||
    zone === null ||
    ["UTC", "GMT", "Etc/UTC", "+00", "+00:00", "+0000"].includes(String(zone))
  )
    return;
  throw notImplemented(`the option 'timezone' of ${name}`);
}

function dateOf(value: Value, name: string): Date {
  if (value instanceof DateTime) return new Date(value.ms);
  if (value instanceof ObjectIdValue) return new Date(value.bytes.readUInt32BE(0) * 1000);
  if (value instanceof TimestampValue) return new Date(Number(value.value >> 32n) * 1000);
  throw new CommandError(16006, `can't convert from BSON type ${typeName(value)} to Date in ${name}`);
}

function part(read: (date: Date) => number): OperatorParser {
  return (operand, context, parse, name) => {
    let source = operand;
    if (operand instanceof Map && operand.has("date")) {
      refuseZone(namedOperands(operand, name, ["date"], ["timezone"]), name);
      source = operand.get("date") ?? null;
    } else if (Array.isArray(operand) && operand.length === 1) source = operand[0] as Value;
    const evaluate = parse(source, context);
    return (scope) => {
      const value = evaluate(scope);
      return isNullish(value) ? null : new Int32(read(dateOf(value, name)));
    };
  };
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
}

const PAD: Record<string, (date: Date) => string> = {
  Y: (date) => String(date.getUTCFullYear()).padStart(4, "0"),
  m: (date) => two(date.getUTCMonth() + 1),
  d: (date) => two(date.getUTCDate()),
  H: (date) => two(date.getUTCHours()),
  M: (date) => two(date.getUTCMinutes()),
  S: (date) => two(date.getUTCSeconds()),
  L: (date) => String(date.getUTCMilliseconds()).padStart(3, "0"),
  j: (date) => String(dayOfYear(date)).padStart(3, "0"),
  w: (date) => String(date.getUTCDay() + 1),
  u: (date) => String(date.getUTCDay() || 7),
  z: () => "+0000",
  Z: () => "0",
  "%": () => "%",
};

function two(value: number): string {
  return String(value).padStart(2, "0");
}

const dateToString: OperatorParser = (operand, context, parse, name) => {
  const named = namedOperands(operand, name, ["date"], ["format", "timezone", "onNull"]);
  refuseZone(named, name);
  const format = named.get("format") ?? "%Y-%m-%dT%H:%M:%S.%LZ";
  if (typeof format !== "string" || format.startsWith("$"))
    throw notImplemented("a computed 'format' of $dateToString");
  const text = format.replace(/%(.)/g, (_match, letter: string) => {
    if (!(letter in PAD))
      throw new CommandError(18536, `Invalid format character '%${letter}' in format string`);
    return `%${letter}`;
  });
  const date = parse(named.get("date") ?? null, context);
  const onNull = parse(named.get("onNull") ?? null, context);
  return (scope) => {
    const value = date(scope);
    if (isNullish(value)) return onNull(scope);
    const at = dateOf(value, name);
    return text.replace(/%(.)/g, (_match, letter: string) => (PAD[letter] as (date: Date) => string)(at));
  };
};

const FIXED_UNITS: Record<string, number> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
const MONTHS: Record<string, number> = { month: 1, quarter: 3, year: 12 };
/** Bins are counted from here (a Saturday); weeks from the first of their days after it. */
const EPOCH_2000 = Date.UTC(2000, 0, 1);

const dateTrunc: OperatorParser = (operand, context, parse, name) => {
  const named = namedOperands(operand, name, ["date", "unit"], ["binSize", "timezone", "startOfWeek"]);
  refuseZone(named, name);
  const { date, unit } = dateAndUnit(named, context, parse, name);
  const bin = named.has("binSize") ? toDouble(asNumber(named.get("binSize"), name)) : 1;
  if (!Number.isInteger(bin) || bin <= 0)
    throw new CommandError(5439018, "$dateTrunc requires 'binSize' to be greater than 0");
  const firstDay = weekStart(named.get("startOfWeek"));
  return (scope) => {
    const value = date(scope);
    if (isNullish(value)) return null;
    const at = dateOf(value, name);
    const months = MONTHS[unit];
    if (months !== undefined) {
      const since = (at.getUTCFullYear() - 2000) * 12 + at.getUTCMonth();
      return new DateTime(Date.UTC(2000, Math.floor(since / (months * bin)) * months * bin, 1));
    }
    const length = (FIXED_UNITS[unit] as number) * bin;
    const origin = unit === "week" ? EPOCH_2000 + ((firstDay + 1) % 7) * 86_400_000 : EPOCH_2000;
    return new DateTime(Math.floor((at.getTime() - origin) / length) * length + origin);
  };
};

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

function weekStart(value: Value | undefined): number {
  if (value === undefined) return 0;
  const text = String(value).toLowerCase();
  const day = DAYS.findIndex((name) => name === text || name.slice(0, 3) === text);
  if (day < 0) throw new CommandError(5439015, "$dateTrunc requires 'startOfWeek' to be a day of the week");
  return day;
}

function asNumber(value: Value | undefined, name: string) {
  if (!isNumeric(value)) throw notImplemented(`a computed number in ${name}`);
  return value;
}

function dateAndUnit(
  named: ReadonlyMap<string, Value>,
  context: ParseContext,
  parse: Parse,
  name: string,
): { date: Evaluate; unit: string } {
  const unit = named.get("unit");
  if (typeof unit !== "string" || !(unit in FIXED_UNITS || unit in MONTHS)) {
    throw new CommandError(
      5439014,
      `${name} parameter 'unit' value cannot be recognized as a time unit: ${String(unit)}`,
    );
  }
  return { date: parse(named.get(named.has("startDate") ? "startDate" : "date") ?? null, context), unit };
}

function shift(sign: 1 | -1): OperatorParser {
  return (operand, context, parse, name) => {
    const named = namedOperands(operand, name, ["startDate", "unit", "amount"], ["timezone"]);
    refuseZone(named, name);
    const { date, unit } = dateAndUnit(named, context, parse, name);
    const amount = parse(named.get("amount") ?? null, context);
    return (scope) => {
      const value = date(scope);
      const count = amount(scope);
      if (isNullish(value) || isNullish(count)) return null;
      if (!isNumeric(count) || !Number.isInteger(toDouble(count))) {
        throw new CommandError(5166405, `${name} expects integer amount of time units`);
      }
      return new DateTime(shifted(dateOf(value, name), unit, sign * toDouble(count)));
    };
  };
}

/** A month is added to the calendar: the 31st becomes the last day of a shorter month. */
function shifted(date: Date, unit: string, count: number): number {
  const months = MONTHS[unit];
  if (months === undefined) return date.getTime() + (FIXED_UNITS[unit] as number) * count;
  const target = new Date(date);
  target.setUTCDate(1);
  target.setUTCMonth(target.getUTCMonth() + months * count);
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), last));
  return target.getTime();
}

export const DATE_OPERATORS: readonly [string, OperatorParser][] = [
  ["$year", part((date) => date.getUTCFullYear())],
  ["$month", part((date) => date.getUTCMonth() + 1)],
  ["$dayOfMonth", part((date) => date.getUTCDate())],
  ["$dayOfWeek", part((date) => date.getUTCDay() + 1)],
  ["$dayOfYear", part(dayOfYear)],
  ["$hour", part((date) => date.getUTCHours())],
  ["$minute", part((date) => date.getUTCMinutes())],
  ["$second", part((date) => date.getUTCSeconds())],
  ["$millisecond", part((date) => date.getUTCMilliseconds())],
  ["$dateToString", dateToString],
  ["$dateTrunc", dateTrunc],
  ["$dateAdd", shift(1)],
  ["$dateSubtract", shift(-1)],
];
