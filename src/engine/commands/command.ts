import { toDouble } from "../bson/numbers.ts";
import { type Doc, isNumeric, typeName, type Value } from "../bson/values.ts";
import type { Engine } from "../engine.ts";
import { CommandError } from "../errors.ts";
import type { Now } from "../query/expression.ts";
import { checkCollectionName } from "../storage/catalog.ts";
import type { Transaction } from "../transactions.ts";

/** One running command. */
export interface Call {
  readonly engine: Engine;
  readonly name: string;
  readonly db: string;
  readonly body: Doc;
  /** Id of the session; empty without one. */
  readonly session: string;
  /** Set inside a multi-document transaction. */
  readonly transaction: Transaction | undefined;
  /** Time at which the command began, on the engine's clock. */
  readonly now: Now;
}

export interface Command {
  run(call: Call): Doc;
  /** Fields in addition to those of every command; undefined: any, because drivers send arbitrary fields in a handshake. */
  readonly fields: readonly string[] | undefined;
  /** For commands with statements: their fields, and the field with the list of them. */
  readonly statements?: { readonly list: string; readonly fields: readonly string[] };
  /** A write: its result is stored for a retry, and it opens the shared SQLite transaction. */
  readonly writes?: true;
  /** May run inside a multi-document transaction. */
  readonly inTransaction?: true;
}

/** Fields that every command may have. */
export const COMMON_FIELDS: readonly string[] = [
  "$db",
  "lsid",
  "txnNumber",
  "autocommit",
  "startTransaction",
  "readConcern",
  "writeConcern",
  "$readPreference",
];

/** Refuses unknown fields, so that no requested feature is ignored. */
export function checkFields(name: string, { fields, statements }: Command, body: Doc): void {
  if (fields === undefined) return;
  for (const field of body.keys()) {
    if (field === name || fields.includes(field) || COMMON_FIELDS.includes(field)) continue;
    if (field !== statements?.list) throw unknownField(name === "find" ? "FindCommandRequest" : name, field);
  }
  const list = statements && body.get(statements.list);
  if (!Array.isArray(list)) return;
  for (const statement of list) {
    for (const field of statement instanceof Map ? statement.keys() : []) {
      if (!statements?.fields.includes(field)) throw unknownField(`${name}.${statements?.list}`, field);
    }
  }
}

export function unknownField(owner: string, field: string): CommandError {
  return new CommandError(40415, `BSON field '${owner}.${field}' is an unknown field.`);
}

/** Name of the collection of a command. Throws InvalidNamespace. */
export function collectionName(call: Call): string {
  const name = call.body.get(call.name);
  if (typeof name !== "string") {
    throw new CommandError(
      call.name === "insert" ? 2 : 73,
      `collection name has invalid type ${typeName(name)}`,
    );
  }
  checkCollectionName(call.db, name);
  return name;
}

export function optionalDoc({ body, name }: Call, field: string): Doc | undefined {
  const value = body.get(field);
  if (value === undefined || value instanceof Map) return value;
  if (value === null) return undefined;
  if (name === "find") throw new CommandError(14, `Expected field ${field}to be of type object`);
  throw wrongType(`${name}.${field}`, value, "object");
}

export function requiredArray({ body, name }: Call, field: string): Value[] {
  const value = body.get(field);
  if (value === undefined) throw missingField(`${name}.${field}`);
  if (!Array.isArray(value)) throw wrongType(`${name}.${field}`, value, "array");
  return value;
}

export function wrongType(field: string, value: Value | undefined, expected: string): CommandError {
  return new CommandError(
    14,
    `BSON field '${field}' is the wrong type '${typeName(value)}', expected type '${expected}'`,
  );
}

export function missingField(field: string): CommandError {
  return new CommandError(40414, `BSON field '${field}' is missing but a required field`);
}

/** A non-negative integer; null counts as absent. */
export function optionalCount(body: Doc, field: string, command: string): number | undefined {
  const value = body.get(field);
  if (value === undefined || value === null) return undefined;
  if (!isNumeric(value)) throw wrongType(`${command}.${field}`, value, "long");
  const number = Math.trunc(toDouble(value));
  if (number < 0) {
    throw new CommandError(51024, `BSON field '${field}' value must be >= 0, actual value '${number}'`);
  }
  return number;
}

export function isTruthy(value: Value | undefined): boolean {
  return value === true || (isNumeric(value) && toDouble(value) !== 0);
}
