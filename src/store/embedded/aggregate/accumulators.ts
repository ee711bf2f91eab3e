import { identity } from "../bson/key.ts";
import { Int32, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { average, extreme, total } from "./accumulate.ts";
import { calculateWide } from "./operators/arithmetic.ts";
import { mergeAll } from "./operators/control.ts";
import { isNullish } from "./operators/helpers.ts";

/** Takes the values of one group, one after another. */
export interface Accumulator {
  add(value: Value | undefined): void;
  result(): Value;
}

/** Makes an accumulator by its operator's name. Throws for one that is not known. */
export function accumulatorFactory(name: string): () => Accumulator {
  const factory = ACCUMULATORS.get(name);
  if (factory === undefined) throw new CommandError(15952, `unknown group operator '${name}'`);
  return factory;
}

function folding(start: Value, fold: (state: Value, value: Value | undefined) => Value): () => Accumulator {
  return () => {
    let state = start;
    return {
      add: (value) => {
        state = fold(state, value);
      },
      result: () => state,
    };
  };
}

function averaging(): Accumulator {
  let sum = 0;
  let count = 0;
  return {
    add: (value) => {
      const single = average([value]);
      if (single === null) return;
      sum += single as number;
      count++;
    },
    result: () => (count === 0 ? null : sum / count),
  };
}

function first(): Accumulator {
  let value: Value | undefined;
  let seen = false;
  return {
    add: (next) => {
      if (!seen) value = next;
      seen = true;
    },
    result: () => value ?? null,
  };
}

function last(): Accumulator {
  let value: Value | undefined;
  return {
    add: (next) => {
      value = next;
    },
    result: () => value ?? null,
  };
}

function push(): Accumulator {
  const values: Value[] = [];
  return {
    add: (value) => {
      if (value !== undefined) values.push(value);
    },
    result: () => values,
  };
}

function addToSet(): Accumulator {
  const values = new Map<string, Value>();
  return {
    add: (value) => {
      if (value === undefined) return;
      const key = identity(value);
      if (!values.has(key)) values.set(key, value);
    },
    result: () => [...values.values()],
  };
}

const ACCUMULATORS: ReadonlyMap<string, () => Accumulator> = new Map<string, () => Accumulator>([
  ["$sum", folding(new Int32(0), (sum, value) => calculateWide("add", sum as Int32, total([value])))],
  ["$count", folding(new Int32(0), (sum) => calculateWide("add", sum as Int32, new Int32(1)))],
  ["$avg", averaging],
  ["$min", folding(null, (best, value) => extreme([best, value], -1))],
  ["$max", folding(null, (best, value) => extreme([best, value], 1))],
  ["$first", first],
  ["$last", last],
  ["$push", push],
  ["$addToSet", addToSet],
  [
    "$mergeObjects",
    folding(new Map(), (merged, value) => (isNullish(value) ? merged : mergeAll([merged, value]))),
  ],
]);
