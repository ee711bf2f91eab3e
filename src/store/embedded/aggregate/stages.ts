import { identity, KeyWriter } from "../bson/key.ts";
import { toDouble } from "../bson/numbers.ts";
import { type Doc, Int32, isNumeric, typeName, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { sortKey } from "../query/find-documents.ts";
import { matches } from "../query/matches.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { parseSort } from "../query/sort.ts";
import { type Accumulator, accumulatorFactory } from "./accumulators.ts";
import { evaluator, type StageContext } from "./transforms.ts";

/** Turns the documents of one stage into those of the next. */
export type Stage = (documents: Iterable<Doc>) => Iterable<Doc>;

export function parseMatch(spec: Value, stage: StageContext): Stage {
  if (!(spec instanceof Map))
    throw new CommandError(15959, "the match filter must be an expression in an object");
  const filter = parseFilter(spec, (expression) => evaluator(expression, stage));
  return function* (documents) {
    for (const document of documents) if (matches(filter, document)) yield document;
  };
}

export function parseSortStage(spec: Value): Stage {
  if (!(spec instanceof Map)) throw new CommandError(15973, "the $sort key specification must be an object");
  if (spec.size === 0) throw new CommandError(15976, "$sort stage must have at least one sort key");
  const fields = parseSort(spec);
  return (documents) => {
    const writer = new KeyWriter();
    const rows = Array.from(documents, (document) => ({ key: sortKey(document, fields, writer), document }));
    return rows.sort((a, b) => a.key.compare(b.key)).map(({ document }) => document);
  };
}

/** A count that `$limit` or `$skip` takes. */
export function stageCount(name: "$limit" | "$skip", spec: Value): number {
  const value = isNumeric(spec) ? toDouble(spec) : Number.NaN;
  if (!Number.isInteger(value) || value < 0) {
    const code = name === "$limit" ? 5107201 : 5107200;
    throw new CommandError(
      code,
      `invalid argument to ${name} stage: Expected a non-negative number in: ${name}: ${String(value)}`,
    );
  }
  if (name === "$limit" && value === 0) throw new CommandError(15958, "the limit must be positive");
  return value;
}

export function limitStage(count: number): Stage {
  return function* (documents) {
    let left = count;
    for (const document of documents) {
      yield document;
      if (--left <= 0) return;
    }
  };
}

export function skipStage(count: number): Stage {
  return function* (documents) {
    let toSkip = count;
    for (const document of documents) if (toSkip-- <= 0) yield document;
  };
}

export function countName(spec: Value): string {
  if (typeof spec !== "string") throw new CommandError(40156, "the count field must be a non-empty string");
  if (spec === "") throw new CommandError(40157, "the count field must be a non-empty string");
  if (spec.startsWith("$")) throw new CommandError(40158, "the count field cannot be a $-prefixed path");
  if (spec.includes(".")) throw new CommandError(40160, "the count field cannot contain '.'");
  return spec;
}

export function countStage(name: string): Stage {
  return function* (documents) {
    let count = 0;
    for (const _ of documents) count++;
    if (count > 0) yield new Map<string, Value>([[name, new Int32(count)]]);
  };
}

export function parseGroup(spec: Value, stage: StageContext): Stage {
  if (!(spec instanceof Map))
    throw new CommandError(15947, "a group's fields must be specified in an object");
  const fields = [...spec]
    .filter(([name]) => name !== "_id")
    .map(([name, value]) => parseAccumulated(name, value, stage));
  if (!spec.has("_id")) throw new CommandError(15955, "a group specification must include an _id");
  const key = evaluator(spec.get("_id") ?? null, stage);
  return function* (documents) {
    const groups = new Map<string, { id: Value; accumulators: Accumulator[] }>();
    for (const document of documents) {
      const id = key(document) ?? null;
      const text = identity(id);
      let group = groups.get(text);
      if (group === undefined) {
        group = { id, accumulators: fields.map((field) => field.create()) };
        groups.set(text, group);
      }
      for (const [at, field] of fields.entries()) group.accumulators[at]?.add(field.evaluate(document));
    }
    for (const { id, accumulators } of groups.values()) {
      const result: Doc = new Map([["_id", id]]);
      for (const [at, field] of fields.entries()) result.set(field.name, accumulators[at]?.result() ?? null);
      yield result;
    }
  };
}

function parseAccumulated(name: string, value: Value, stage: StageContext) {
  if (name.includes(".")) throw new CommandError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith("$"))
    throw new CommandError(40236, `The field name '${name}' cannot be an operator name`);
  if (!(value instanceof Map) || value.size === 0) {
    throw new CommandError(40234, `The field '${name}' must be an accumulator object`);
  }
  if (value.size !== 1) throw new CommandError(40238, `The field '${name}' must specify one accumulator`);
  const [[operator, operand]] = value as unknown as [[string, Value]];
  if (operator === "$count" && !(operand instanceof Map && operand.size === 0)) {
    throw new CommandError(9, "$count takes no arguments, i.e. $count:{}");
  }
  const create = accumulatorFactory(operator);
  return { name, create, evaluate: evaluator(operator === "$count" ? null : operand, stage) };
}

export function parseUnwind(spec: Value): Stage {
  const options = spec instanceof Map ? spec : new Map<string, Value>([["path", spec]]);
  const path = options.get("path");
  if (typeof path !== "string")
    throw new CommandError(28808, `expected a string as the path for $unwind stage, got ${typeName(path)}`);
  if (!path.startsWith("$"))
    throw new CommandError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  for (const name of options.keys()) {
    if (!["path", "includeArrayIndex", "preserveNullAndEmptyArrays"].includes(name)) {
      throw new CommandError(28811, `unrecognized option to $unwind stage: ${name}`);
    }
  }
  const parts = path.slice(1).split(".");
  const index = options.get("includeArrayIndex");
  const keep = options.get("preserveNullAndEmptyArrays") === true;
  const indexed = (document: Doc, at: bigint | null): Doc =>
    typeof index === "string" ? withValue(document, index.split("."), at) : document;
  return function* (documents) {
    for (const document of documents) {
      const value = parts.reduce<Value | undefined>(
        (current, part) => (current instanceof Map ? current.get(part) : undefined),
        document,
      );
      if (Array.isArray(value) && value.length > 0) {
        for (const [at, item] of value.entries()) yield indexed(withValue(document, parts, item), BigInt(at));
      } else if (Array.isArray(value)) {
        if (keep) yield indexed(withoutValue(document, parts), null);
      } else if (value !== undefined && value !== null) yield indexed(document, null);
      else if (keep) yield indexed(document, null);
    }
  };
}

/** A copy of the document with another value at a path. */
export function withValue(document: Doc, parts: readonly string[], value: Value): Doc {
  const [first = "", ...rest] = parts;
  const copy: Doc = new Map(document);
  const nested = copy.get(first);
  copy.set(
    first,
    rest.length === 0 ? value : withValue(nested instanceof Map ? nested : new Map(), rest, value),
  );
  return copy;
}

function withoutValue(document: Doc, parts: readonly string[]): Doc {
  const [first = "", ...rest] = parts;
  const copy: Doc = new Map(document);
  const nested = copy.get(first);
  if (rest.length === 0) copy.delete(first);
  else if (nested instanceof Map) copy.set(first, withoutValue(nested, rest));
  return copy;
}
