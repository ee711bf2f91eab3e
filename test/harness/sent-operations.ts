import type { CommandStartedEvent, Document } from "mongodb";
import { bulkOperations } from "./bulk-writes.ts";

/**
 * Names the operations of a command in MongoDB's language: `find`, `find.filter`, `filter $gt`, `update $set`,
 * `expression $add`, `index unique` and the like.
 */
export function operationsIn(event: CommandStartedEvent): string[] {
  const { commandName: name, command } = event;
  const fields = Object.keys(command).filter((field) => command[field] !== undefined && field !== name);
  return [name, ...fields.map((field) => `${name}.${field}`), ...partsOf(name, command), ...inBulk(event)];
}

function inBulk(event: CommandStartedEvent): string[] {
  return bulkOperations(event).flatMap(({ filter = {}, updateMods = {} }) => [
    ...inFilter(filter),
    ...inUpdate(updateMods),
  ]);
}

function partsOf(name: string, command: Document): string[] {
  switch (name) {
    case "find":
      return [...inFilter(command.filter ?? {}), ...inProjection(command.projection ?? {})];
    case "aggregate":
      return command.pipeline.flatMap((stage: Document) =>
        Object.keys(stage).flatMap((key) => [`count ${key}`, ...inFilter(stage.$match ?? {})]),
      );
    case "findAndModify":
      return [
        ...inFilter(command.query),
        ...inUpdate(command.update ?? {}),
        ...inProjection(command.fields ?? {}),
      ];
    case "update":
      return command.updates.flatMap((one: Document) => [
        ...given(one).map((field) => `update.updates.${field}`),
        ...inFilter(one.q),
        ...inUpdate(one.u),
      ]);
    case "delete":
      return command.deletes.flatMap((one: Document) => [
        ...given(one).map((field) => `delete.deletes.${field}`),
        ...inFilter(one.q),
      ]);
    case "createIndexes":
      return command.indexes.flatMap((index: Document) => [
        ...given(index).map((field) => `index ${field}`),
        ...inFilter(index.partialFilterExpression ?? {}),
      ]);
    default:
      return [];
  }
}

function given(document: Document): string[] {
  return Object.keys(document).filter((field) => document[field] !== undefined);
}

function inFilter(filter: Document): string[] {
  return Object.entries(filter).flatMap(([name, operand]) => {
    if (!name.startsWith("$")) return inCondition(operand);
    const parts = name === "$expr" ? inExpression(operand) : operand.flatMap(inFilter);
    return [`filter ${name}`, ...parts];
  });
}

function inCondition(value: unknown): string[] {
  if (!isOperator(value)) return [];
  return Object.entries(value).flatMap(([name, operand]) => [
    `filter ${name}`,
    ...(name === "$not" ? inCondition(operand) : []),
  ]);
}

function isOperator(value: unknown): value is Document {
  return value?.constructor === Object && Object.keys(value)[0]?.startsWith("$") === true;
}

function inUpdate(update: Document): string[] {
  if (!Array.isArray(update)) return isOperator(update) ? given(update).map((name) => `update ${name}`) : [];
  return update.flatMap((stage: Document) =>
    Object.entries(stage).flatMap(([name, fields]) => [
      `pipeline ${name}`,
      ...Object.values(fields as Document).flatMap(inExpression),
    ]),
  );
}

function inExpression(expression: unknown): string[] {
  if (typeof expression === "string") return expression.startsWith("$$") ? [`expression ${expression}`] : [];
  if (Array.isArray(expression)) return expression.flatMap(inExpression);
  if (!isOperator(expression)) return [];
  return Object.entries(expression).flatMap(([name, operand]) => [
    `expression ${name}`,
    ...(name === "$literal" ? [] : inExpression(operand)),
  ]);
}

function inProjection(projection: Document): string[] {
  return Object.entries(projection).flatMap(([path, value]) => {
    if (value === 1 || value === true) return ["projection inclusion"];
    if (value === 0 || value === false)
      return [path.includes(".") ? "projection exclusion of a path" : "projection exclusion"];
    return ["projection computed", ...inExpression(value)];
  });
}
