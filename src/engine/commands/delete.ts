import { toDouble } from "../bson/numbers.ts";
import { type Doc, doc, int, isNumeric } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { type Command, collectionName, missingField, wrongType } from "./command.ts";
import { selected } from "./modify.ts";
import { docList, runStatements } from "./statements.ts";

export const deleteCommand: Command = {
  writes: true,
  inTransaction: true,
  fields: ["ordered"],
  statements: { list: "deletes", fields: ["q", "limit"] },
  run: (call) => {
    const name = collectionName(call);
    const statements = docList(call, "deletes");
    for (const statement of statements) limitOf(statement);
    let removed = 0;
    const writeErrors = runStatements(call, statements, (statement) => {
      const query = statement.get("q");
      if (!(query instanceof Map)) throw wrongType("delete.deletes.q", query, "object");
      const filter = parseFilter(query, call.now);
      const collection = call.engine.find(call.db, name);
      if (collection === undefined) return;
      for (const stored of selected(call, collection, filter, limitOf(statement) === 0)) {
        call.engine.rows.remove(collection, stored);
        removed++;
      }
    });
    return doc({ n: int(removed), writeErrors });
  },
};

/** 1: the first document, 0: all. */
function limitOf(statement: Doc): number {
  const limit = statement.get("limit");
  if (limit === undefined) throw missingField("delete.deletes.limit");
  if (!isNumeric(limit)) throw wrongType("delete.deletes.limit", limit, "int");
  const count = toDouble(limit);
  if (count === 0 || count === 1) return count;
  throw new CommandError(9, `The limit field in delete objects must be 0 or 1. Got ${count}`);
}
