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
  const { matched, modified, upserted } = runUpdate(
    call,
    { db: call.db, name },
    {
      query,
      update: statement.get("u") ?? null,
      multi: isTruthy(statement.get("multi")),
      upserts: isTruthy(statement.get("upsert")),
    },
  );
  counts.matched += matched;
  counts.modified += modified;
  if (upserted === undefined) return;
  counts.matched++;
  counts.upserted.push(doc({ index: int(index), _id: upserted }));
}

export interface UpdateStatement {
  readonly query: Doc;
  readonly update: Value;
  readonly multi: boolean;
  readonly upserts: boolean;
}

/**
 * Updates the first document that matches a query, or all.
 * @returns the numbers of matched and changed documents, and the _id of the inserted one without a match
 */
export function runUpdate(
  call: Call,
  { db, name }: { readonly db: string; readonly name: string },
  { query, update: given, multi, upserts }: UpdateStatement,
): { matched: number; modified: number; upserted?: Value } {
  const filter = parseFilter(query, call.now);
  if (upserts) checkUpsertFilter(filter);
  const parsed = parseUpdate(given, call.now);
  if (multi && parsed.kind === "replacement") {
    throw new CommandError(9, "multi update is not supported for replacement-style update");
  }
  const collection = call.engine.find(db, name);
  let matched = 0;
  let modified = 0;
  for (const stored of collection ? selected(call, collection, filter, multi) : []) {
    if (collection && modify(call, collection, stored, parsed).changed) modified++;
    matched++;
  }
  if (matched > 0 || !upserts) return { matched, modified };
  const { id } = upsert(call, call.engine.collection(db, name), filter, parsed);
  return { matched, modified, upserted: id };
}
