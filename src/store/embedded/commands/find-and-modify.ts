import { type Doc, doc, int, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { parseStoredProjection } from "../query/projection.ts";
import { parseSort } from "../query/sort.ts";
import { parseUpdate } from "../update/parse-update.ts";
import { type Command, collectionName, isTruthy, optionalDoc } from "./command.ts";
import { checkUpsertFilter, findFirst, modify, remove, upsert } from "./modify.ts";

export const findAndModify: Command = {
  writes: true,
  inTransaction: true,
  fields: ["query", "sort", "remove", "update", "new", "fields", "upsert", "arrayFilters", "hint", "stmtId"],
  refused: ["collation", "let", "bypassDocumentValidation"],
  run: (call) => {
    const { body, engine } = call;
    const name = collectionName(call);
    const filter = parseFilter(
      optionalDoc(body, "query", "findAndModify") ?? new Map(),
      engine.parseExpression,
    );
    const sort = parseSort(optionalDoc(body, "sort", "findAndModify") ?? new Map());
    const project = parseStoredProjection(
      optionalDoc(body, "fields", "findAndModify"),
      engine.parseExpression,
    );
    const given = body.get("update");
    const removing = isTruthy(body.get("remove"));
    checkOptions(body, removing, given);
    if (isTruthy(body.get("upsert"))) checkUpsertFilter(filter);
    const collection = engine.find(call.db, name);
    const selection = { filter, sort, hint: body.get("hint") };
    const found = collection === undefined ? undefined : findFirst(call, collection, selection);
    if (removing) {
      if (found !== undefined && collection !== undefined) remove(call, collection, found);
      return reply(doc({ n: int(found ? 1 : 0) }), found && project(found.bytes));
    }
    const parsed = parseUpdate(
      given ?? null,
      { arrayFilters: body.get("arrayFilters") },
      engine.updateContext,
    );
    const wantsNew = isTruthy(body.get("new"));
    if (found !== undefined && collection !== undefined) {
      const { bytes } = executing(() => modify(call, collection, found, parsed, filter));
      return reply(doc({ n: int(1), updatedExisting: true }), project(wantsNew ? bytes : found.bytes));
    }
    if (!isTruthy(body.get("upsert"))) return reply(doc({ n: int(0), updatedExisting: false }), undefined);
    const made = executing(() => upsert(call, engine.collection(call.db, name), filter, parsed));
    return reply(
      doc({ n: int(1), updatedExisting: false, upserted: made.id }),
      wantsNew ? project(made.bytes) : undefined,
    );
  },
};

/** What fails while the plan is carried out says so. */
function executing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(
      error.code,
      `Plan executor error during findAndModify :: caused by :: ${error.message}`,
      {
        details: error.details,
        labels: error.labels,
      },
    );
  }
}

function checkOptions(body: Doc, removing: boolean, update: Value | undefined): void {
  if (removing && update !== undefined) {
    throw new CommandError(9, "Cannot specify both an update and remove=true");
  }
  if (!removing && update === undefined) {
    throw new CommandError(9, "Either an update or remove=true must be specified");
  }
  if (removing && isTruthy(body.get("upsert")))
    throw new CommandError(9, "Cannot specify both upsert=true and remove=true ");
  if (removing && isTruthy(body.get("new"))) {
    throw new CommandError(
      9,
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  }
}

function reply(lastErrorObject: Doc, value: Value | undefined): Doc {
  return doc({ lastErrorObject, value: value ?? null });
}
