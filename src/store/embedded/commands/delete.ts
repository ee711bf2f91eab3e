import { toDouble } from "../bson/numbers.ts";
import { type Doc, doc, int, isNumeric, type NumericValue } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { type Command, collectionName, docList, wrongType } from "./command.ts";
import { findAll, findFirst, remove } from "./modify.ts";
import { refuseUnknown } from "./statement-fields.ts";
import { runStatements } from "./write-result.ts";

export const deleteCommand: Command = {
  writes: true,
  inTransaction: true,
  fields: ["deletes", "ordered", "stmtIds", "stmtId"],
  refused: ["let"],
  run: (call) => {
    const name = collectionName(call);
    const statements = docList(call.body, "deletes", "delete");
    for (const statement of statements) {
      refuseUnknown("delete.deletes", statement, ["q", "limit", "hint"], ["collation"]);
      checkLimit(statement);
    }
    let removed = 0;
    const errors = runStatements(call, statements, (statement) => {
      const query = statement.get("q");
      if (!(query instanceof Map)) throw wrongType("delete.deletes.q", query, "object");
      const count = toDouble(statement.get("limit") as NumericValue);
      const selection = {
        filter: parseFilter(query, call.engine.parseExpression),
        hint: statement.get("hint"),
      };
      const collection = call.engine.find(call.db, name);
      if (collection === undefined) return;
      const first = count === 1 ? findFirst(call, collection, selection) : undefined;
      for (const stored of count === 0
        ? findAll(call, collection, selection)
        : first === undefined
          ? []
          : [first]) {
        remove(call, collection, stored);
        removed++;
      }
    });
    const reply = doc({ n: int(removed) });
    if (errors.length > 0) reply.set("writeErrors", errors);
    return reply;
  },
};

function checkLimit(statement: Doc): void {
  const limit = statement.get("limit");
  if (limit === undefined) {
    throw new CommandError(40414, "BSON field 'delete.deletes.limit' is missing but a required field");
  }
  if (!isNumeric(limit)) throw wrongType("delete.deletes.limit", limit, "int");
  const count = toDouble(limit);
  if (count !== 0 && count !== 1) {
    throw new CommandError(9, `The limit field in delete objects must be 0 or 1. Got ${count}`);
  }
}
