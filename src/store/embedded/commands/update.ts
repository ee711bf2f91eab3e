import { type Doc, doc, int, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { parseFilter } from "../query/parse-filter.ts";
import type { Collection } from "../storage/schema.ts";
import { parseUpdate } from "../update/parse-update.ts";
import { type Call, type Command, collectionName, docList, isTruthy, wrongType } from "./command.ts";
import { checkUpsertFilter, findAll, findFirst, modify, upsert } from "./modify.ts";
import { refuseUnknown } from "./statement-fields.ts";
import { runStatements } from "./write-result.ts";

interface Counts {
  matched: number;
  modified: number;
  upserted: Doc[];
}

const STATEMENT_FIELDS = ["q", "u", "c", "multi", "upsert", "hint", "arrayFilters"];

export const update: Command = {
  writes: true,
  inTransaction: true,
  fields: ["updates", "ordered", "stmtIds", "stmtId"],
  refused: ["bypassDocumentValidation", "let", "bypassEmptyTsReplacement"],
  run: (call) => {
    const name = collectionName(call);
    const statements = docList(call.body, "updates", "update");
    for (const statement of statements)
      refuseUnknown("update.updates", statement, STATEMENT_FIELDS, ["collation"]);
    const counts: Counts = { matched: 0, modified: 0, upserted: [] };
    const errors = runStatements(call, statements, (statement, index) =>
      runOne(call, name, statement, index, counts),
    );
    const reply = doc({ n: int(counts.matched) });
    if (errors.length > 0) reply.set("writeErrors", errors);
    if (counts.upserted.length > 0) reply.set("upserted", counts.upserted);
    reply.set("nModified", int(counts.modified));
    return reply;
  },
};

function runOne(call: Call, name: string, statement: Doc, index: number, counts: Counts): void {
  const { engine } = call;
  const query = statement.get("q");
  if (!(query instanceof Map)) throw wrongType("update.updates.q", query, "object");
  const filter = parseFilter(query, engine.parseExpression);
  const upserts = isTruthy(statement.get("upsert"));
  if (upserts) checkUpsertFilter(filter);
  const parsed = parseUpdate(
    statement.get("u") ?? null,
    { arrayFilters: statement.get("arrayFilters"), constants: statement.get("c") },
    engine.updateContext,
  );
  const multi = isTruthy(statement.get("multi"));
  if (multi && parsed.kind === "replacement") {
    throw new CommandError(9, "multi update is not supported for replacement-style update");
  }
  const hint = statement.get("hint");
  const collection = engine.find(call.db, name);
  let matched = 0;
  if (collection !== undefined) {
    const selection = { filter, hint };
    const first = multi ? undefined : findFirst(call, collection, selection);
    for (const stored of multi ? findAll(call, collection, selection) : first === undefined ? [] : [first]) {
      const { changed } = modify(call, collection, stored, parsed, filter);
      matched++;
      counts.matched++;
      if (changed) counts.modified++;
    }
  }
  if (matched > 0 || !upserts) return;
  const target: Collection = engine.collection(call.db, name);
  const { id } = upsert(call, target, filter, parsed);
  counts.matched++;
  counts.upserted.push(doc({ index: int(index), _id: id as Value }));
}
