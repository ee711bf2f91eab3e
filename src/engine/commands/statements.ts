import { type Doc, doc, int, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { type Call, missingField, wrongType } from "./command.ts";

/** The documents of a bulk command's list. */
export function docList(body: Doc, field: string, command: string): Doc[] {
  const value = body.get(field);
  if (value === undefined) throw missingField(`${command}.${field}`);
  if (!Array.isArray(value)) throw wrongType(`${command}.${field}`, value, "array");
  checkBatchSize(value.length);
  return value.map((item, at) => {
    if (!(item instanceof Map)) throw wrongType(`${command}.${field}.${at}`, item, "object");
    return item;
  });
}

export function checkBatchSize(count: number): void {
  if (count > 0 && count <= 100_000) return;
  throw new CommandError(16, `Write batch sizes must be between 1 and 100000. Got ${count} operations.`);
}

/** An error of one statement in a bulk write. */
function writeError(index: number, error: CommandError): Doc {
  const result = doc({ index: int(index), code: int(error.code) });
  for (const [name, value] of error.details) result.set(name, value);
  result.set("errmsg", error.message);
  return result;
}

/**
 * Runs the statements of a bulk write, each for itself: an ordered one stops at the first error, an unordered one goes
 * on. In a transaction any error ends the whole of it, as in MongoDB.
 */
export function runStatements<T>(
  call: Call,
  statements: readonly T[],
  run: (statement: T, index: number) => void,
): Value[] {
  const ordered = call.body.get("ordered") !== false;
  const errors: Value[] = [];
  for (let index = 0; index < statements.length; index++) {
    try {
      run(statements[index] as T, index);
    } catch (error) {
      if (!(error instanceof CommandError) || error.labels.length > 0) throw error;
      errors.push(writeError(index, error));
      if (call.transaction !== undefined) {
        call.transaction.failed = true;
        break;
      }
      if (ordered) break;
    }
  }
  return errors;
}
