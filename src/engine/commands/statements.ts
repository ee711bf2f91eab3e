import { type Doc, doc, int, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { type Call, requiredArray, wrongType } from "./command.ts";

/** List of a bulk command. */
export function batchOf(call: Call, field: string): Value[] {
  const batch = requiredArray(call, field);
  const { length } = batch;
  if (length > 0 && length <= 100_000) return batch;
  throw new CommandError(16, `Write batch sizes must be between 1 and 100000. Got ${length} operations.`);
}

/** Documents of the list of a bulk command. */
export function docList(call: Call, field: string): Doc[] {
  return batchOf(call, field).map((item, at) => {
    if (!(item instanceof Map)) throw wrongType(`${call.name}.${field}.${at}`, item, "object");
    return item;
  });
}

/** An error of one statement in a bulk write. */
function writeError(index: number, error: CommandError): Doc {
  const result = doc({ index: int(index), code: int(error.code) });
  for (const [name, value] of error.details) result.set(name, value);
  result.set("errmsg", error.message);
  return result;
}

/**
 * Runs the statements of a bulk write separately: an ordered one stops at the first error, an unordered one continues. In a
 * transaction any error aborts the whole, as in MongoDB.
 * @returns the errors; undefined: none
 */
export function runStatements<T>(
  call: Call,
  statements: readonly T[],
  run: (statement: T, index: number) => void,
): Value[] | undefined {
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
  return errors.length === 0 ? undefined : errors;
}
