import { type Doc, doc, int, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import type { Call } from "./command.ts";

/** An error of one statement in a bulk write. */
export function writeError(index: number, error: CommandError): Doc {
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
