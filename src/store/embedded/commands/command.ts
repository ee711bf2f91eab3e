import { toDouble } from "../bson/numbers.ts";
import { type Doc, isNumeric, type RawDoc, typeName, type Value } from "../bson/values.ts";
import type { Engine } from "../engine.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { checkCollectionName } from "../storage/namespaces.ts";
import type { Transaction } from "../transactions.ts";

/** One command being carried out. */
export interface Call {
  engine: Engine;
  name: string;
  db: string;
  body: Doc;
  /** What `insert` is to store, still encoded. */
  documents: RawDoc[] | undefined;
  /** Identifies the session, empty without one. */
  session: string;
  /** Set inside a multi-document transaction. */
  transaction: Transaction | undefined;
  /** Throws MaxTimeMSExpired once the command's maxTimeMS is over. */
  checkTime: () => void;
}

export interface Command {
  run(call: Call): Doc;
  /** Fields beside those that every command has. */
  fields: readonly string[];
  /** Fields that MongoDB knows and this engine refuses rather than ignores. */
  refused?: readonly string[];
  /** A handshake: drivers announce there what servers need not know. */
  anyFields?: boolean;
  /** A write: its result is kept for a retry, and it opens the shared SQLite transaction. */
  writes?: boolean;
  /** May run inside a multi-document transaction. */
  inTransaction?: boolean;
}

const COMMON_FIELDS = new Set([
  "$db",
  "lsid",
  "txnNumber",
  "autocommit",
  "startTransaction",
  "readConcern",
  "writeConcern",
  "$readPreference",
  "$clusterTime",
  "maxTimeMS",
  "comment",
  "apiVersion",
  "apiStrict",
  "apiDeprecationErrors",
]);

/** Refuses options that the command does not have, and those that are not carried out here. */
export function checkFields(name: string, command: Command, body: Doc): void {
  if (command.anyFields === true) return;
  for (const [field, value] of body) {
    if (field === name || COMMON_FIELDS.has(field) || command.fields.includes(field)) continue;
    if (command.refused?.includes(field)) {
      if (isUnset(value)) continue;
      throw notImplemented(`the option '${field}' of ${name}`);
    }
    const owner = name === "find" ? "FindCommandRequest" : name;
    throw new CommandError(40415, `BSON field '${owner}.${field}' is an unknown field.`);
  }
}

/** An option given as its default asks for nothing. */
function isUnset(value: Value): boolean {
  return value === false || value === null || (value instanceof Map && value.size === 0);
}

/** The name of the collection that a command is about. Throws InvalidNamespace. */
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

export function optionalDoc(body: Doc, field: string, command: string): Doc | undefined {
  const value = body.get(field);
  if (value === undefined || value instanceof Map) return value;
  if (value === null) return undefined;
  if (command === "find") throw new CommandError(14, `Expected field ${field}to be of type object`);
  throw wrongType(`${command}.${field}`, value, "object");
}

export function wrongType(field: string, value: Value | undefined, expected: string): CommandError {
  return new CommandError(
    14,
    `BSON field '${field}' is the wrong type '${typeName(value)}', expected type '${expected}'`,
  );
}

/** A whole number that is not negative; null counts as absent. */
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

/** The documents of a bulk command's list. */
export function docList(body: Doc, field: string, command: string): Doc[] {
  const value = body.get(field);
  if (value === undefined) {
    throw new CommandError(40414, `BSON field '${command}.${field}' is missing but a required field`);
  }
  if (!Array.isArray(value)) throw wrongType(`${command}.${field}`, value, "array");
  if (value.length === 0 || value.length > 100_000) {
    throw new CommandError(
      16,
      `Write batch sizes must be between 1 and 100000. Got ${value.length} operations.`,
    );
  }
  return value.map((item, at) => {
    if (!(item instanceof Map)) throw wrongType(`${command}.${field}.${at}`, item, "object");
    return item;
  });
}
