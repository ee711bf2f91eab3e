import { toDouble } from "../bson/numbers.ts";
import { shellText } from "../bson/shell-text.ts";
import { BinaryValue, isNumeric, TYPE_NUMBERS, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import type { FieldTest } from "./filter.ts";
import { truncated } from "./matches.ts";

export function parseTypes(operand: Value): FieldTest {
  const items = Array.isArray(operand) ? operand : [operand];
  const types = new Set<number>();
  let anyNumber = false;
  for (const item of items) {
    if (item === "number") anyNumber = true;
    else types.add(typeOf(item));
  }
  if (types.size === 0 && !anyNumber) {
    throw new CommandError(9, " must match at least one type");
  }
  return { op: "type", types, anyNumber };
}

function typeOf(item: Value): number {
  if (typeof item === "string") {
    const number = TYPE_NUMBERS.get(item);
    if (number === undefined) throw new CommandError(2, `Unknown type name alias: ${item}`);
    return number;
  }
  if (!isNumeric(item)) throw new CommandError(14, "type must be represented as a number or a string");
  const number = toDouble(item);
  if (![...TYPE_NUMBERS.values()].includes(number)) {
    throw new CommandError(2, `Invalid numerical type code: ${number}`);
  }
  return number;
}

export function parseModulo(operand: Value): FieldTest {
  if (!Array.isArray(operand)) throw new CommandError(2, "malformed mod, needs to be an array");
  if (operand.length < 2) throw new CommandError(2, "malformed mod, not enough elements");
  if (operand.length > 2) throw new CommandError(2, "malformed mod, too many elements");
  const divisor = truncated(operand[0]);
  const remainder = truncated(operand[1]);
  if (divisor === undefined) throw new CommandError(2, "malformed mod, divisor not a number");
  if (remainder === undefined) throw new CommandError(2, "malformed mod, remainder not a number");
  if (divisor === 0n) throw new CommandError(2, "divisor cannot be 0");
  return { op: "mod", divisor, remainder };
}

export function parseSize(operand: Value): FieldTest {
  if (!isNumeric(operand))
    throw new CommandError(2, `Failed to parse $size. Expected a number in: $size: ${shellText(operand)}`);
  const size = toDouble(operand);
  if (!Number.isInteger(size))
    throw new CommandError(2, `Failed to parse $size. Expected an integer: $size: ${shellText(operand)}`);
  if (size < 0)
    throw new CommandError(
      2,
      `Failed to parse $size. Expected a non-negative number in: $size: ${shellText(operand)}`,
    );
  return { op: "size", size };
}

export function parseBits(name: string, operand: Value): FieldTest {
  const positions: number[] = [];
  if (Array.isArray(operand)) {
    for (const item of operand) {
      const position = isNumeric(item) ? toDouble(item) : -1;
      if (!Number.isInteger(position) || position < 0) {
        throw new CommandError(2, `Failed to parse bit position. Expected a non-negative number in: ${name}`);
      }
      positions.push(position);
    }
  } else if (operand instanceof BinaryValue) {
    for (let bit = 0; bit < operand.bytes.length * 8; bit++) {
      if (((operand.bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) positions.push(bit);
    }
  } else {
    const mask = truncated(operand);
    if (mask === undefined || mask < 0n) {
      throw new CommandError(9, `Expected a non-negative number in: ${name}`);
    }
    for (let bit = 0; bit < 63; bit++) {
      if ((mask >> BigInt(bit)) & 1n) positions.push(bit);
    }
  }
  const want = `${name.charAt(5).toLowerCase()}${name.slice(6)}` as
    | "allSet"
    | "allClear"
    | "anySet"
    | "anyClear";
  return { op: "bits", want, positions };
}
