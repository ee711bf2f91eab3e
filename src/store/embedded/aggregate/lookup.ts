import { identity } from "../bson/key.ts";
import type { Doc, Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import type { Filter } from "../query/filter.ts";
import { valueAt } from "./expression.ts";
import { variableName } from "./operators/control.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { withVariables } from "./scope.ts";
import { type Stage, withValue } from "./stages.ts";
import { evaluator } from "./transforms.ts";

/** Joins another collection of the same database. */
export function parseLookup(spec: Value, pipeline: PipelineContext): Stage {
  if (!(spec instanceof Map)) throw new CommandError(9, "the $lookup specification must be an Object");
  for (const name of spec.keys()) {
    if (!["from", "localField", "foreignField", "as", "let", "pipeline"].includes(name)) {
      throw new CommandError(9, `unknown argument to $lookup: ${name}`);
    }
  }
  const text = (name: string) => {
    const value = spec.get(name);
    if (value !== undefined && typeof value !== "string") {
      throw name === "from"
        ? notImplemented("'from' of $lookup other than a name")
        : new CommandError(9, `$lookup argument '${name}' must be a string`);
    }
    return value;
  };
  const [from, as, localField, foreignField] = [
    text("from"),
    text("as"),
    text("localField"),
    text("foreignField"),
  ];
  if (as === undefined) throw new CommandError(9, "must specify 'as' field for a $lookup");
  if (from === undefined) throw new CommandError(9, "must specify 'from' field for a $lookup");
  if ((localField === undefined) !== (foreignField === undefined)) {
    throw new CommandError(
      9,
      "$lookup requires both or neither of 'localField' and 'foreignField' to be specified",
    );
  }
  if (localField === undefined && !spec.has("pipeline")) {
    throw new CommandError(
      9,
      "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified",
    );
  }
  const inner = parseInner(spec, pipeline);
  return function* (documents) {
    for (const document of documents) {
      const filter =
        localField === undefined ? [] : [sameValue(document, localField, foreignField as string)];
      yield withValue(document, as.split("."), [...inner(document, from, { kind: "and", filters: filter })]);
    }
  };
}

/** The foreign documents for which the foreign field has (one of) the local field's values. */
function sameValue(document: Doc, localField: string, foreignField: string): Filter {
  const local = valueAt(document, localField.split("."), 0) ?? null;
  // An empty list finds what has no value, as no value does.
  const values = !Array.isArray(local) ? [local] : local.length === 0 ? [null] : local;
  const parts = foreignField.split(".");
  const identities = new Set(values.map(identity));
  return {
    kind: "field",
    path: foreignField,
    parts,
    test:
      values.length === 1
        ? { op: "eq", value: values[0] as Value }
        : { op: "in", values, identities, regexes: [] },
  };
}

function parseInner(
  spec: Doc,
  outer: PipelineContext,
): (document: Doc, from: string, filter: Filter) => Iterable<Doc> {
  const given = spec.get("let");
  if (given !== undefined && !(given instanceof Map))
    throw new CommandError(9, "$lookup argument 'let' must be an object");
  const bindings = [...(given ?? new Map<string, Value>())].map(
    ([name, expression]) => [variableName(name), evaluator(expression, outer)] as const,
  );
  const stages = spec.get("pipeline") ?? [];
  if (!Array.isArray(stages)) throw new CommandError(14, "'pipeline' option must be specified as an array");
  let current = outer.variables();
  const context: PipelineContext = {
    ...outer,
    context: {
      ...withVariables(
        outer.context,
        bindings.map(([name]) => name),
      ),
      reads: () => {},
    },
    variables: () => current,
  };
  const run = outer.parsePipeline(stages, context);
  return (document, from, filter) => {
    current = new Map([
      ...outer.variables(),
      ...bindings.map(([name, evaluate]) => [name, evaluate(document)] as const),
    ]);
    return [...run(from, filter)];
  };
}
