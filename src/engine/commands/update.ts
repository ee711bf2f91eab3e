import { type Doc, doc, int, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { parseUpdate } from "../update/parse-update.ts";
import { type Call, type Command, collectionName, isTruthy, wrongType } from "./command.ts";
import { checkUpsertFilter, modify, selected, upsert } from "./modify.ts";
import { docList, runStatements } from "./statements.ts";

export const update: Command = {
  writes: true,
  inTransaction: true,
  fields: ["ordered"],
  statements: { list: "updates", fields: ["q", "u", "multi", "upsert"] },
  run: (call) => {
    const name = collectionName(call);
    const counts = { matched: 0, modified: 0, upserted: [] as Doc[] };
    const writeErrors = runStatements(call, docList(call, "updates"), (statement, index) =>
      runOne(call, name, statement, index, counts),
    );
    return doc({
      n: int(counts.matched),
      writeErrors,
      upserted: counts.upserted.length > 0 ? counts.upserted : undefined,
      nModified: int(counts.modified),
    });
  },
};

function runOne(
  call: Call,
  name: string,
  statement: Doc,
  index: number,
  counts: { matched: number; modified: number; upserted: Doc[] },
): void {
  const query = statement.get("q");
  if (!(query instanceof Map)) throw wrongType("update.updates.q", query, "object");
  const filter = parseFilter(query, call.now);
  const upserts = isTruthy(statement.get("upsert"));
  if (upserts) checkUpsertFilter(filter);
  const parsed = parseUpdate(statement.get("u") ?? null, call.now);
  const multi = isTruthy(statement.get("multi"));
  if (multi && parsed.kind === "replacement") {
    throw new CommandError(9, "multi update is not supported for replacement-style update");
  }
  const collection = call.engine.find(call.db, name);
  let matched = 0;
  for (const stored of collection ? selected(call, collection, filter, multi) : []) {
    if (collection && modify(call, collection, stored, parsed).changed) counts.modified++;
    matched++;
  }
  counts.matched += matched;
  if (matched > 0 || !upserts) return;
  const { id } = upsert(call, call.engine.collection(call.db, name), filter, parsed);
  counts.matched++;
  counts.upserted.push(doc({ index: int(index), _id: id as Value }));
}
