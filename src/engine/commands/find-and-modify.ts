import { type Doc, doc, int, RawDoc } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { type Projection, parseProjection } from "../query/projection.ts";
import { parseUpdate } from "../update/parse-update.ts";
import { type Command, collectionName, isTruthy, optionalDoc } from "./command.ts";
import { checkUpsertFilter, modify, selected, upsert } from "./modify.ts";

export const findAndModify: Command = {
  writes: true,
  inTransaction: true,
  fields: ["query", "remove", "update", "new", "upsert", "fields"],
  run: (call) => {
    const { body, engine } = call;
    const name = collectionName(call);
    const filter = parseFilter(optionalDoc(call, "query") ?? new Map(), call.now);
    const fields = optionalDoc(call, "fields");
    const project: Projection =
      (fields && parseProjection(fields, call.now)) ?? ((bytes) => new RawDoc(bytes));
    checkOptions(body);
    const wantsNew = isTruthy(body.get("new"));
    const upserts = isTruthy(body.get("upsert"));
    if (upserts) checkUpsertFilter(filter);
    const collection = engine.find(call.db, name);
    const [found] = collection ? selected(call, collection, filter, false) : [];
    if (isTruthy(body.get("remove"))) {
      if (found && collection) engine.rows.remove(collection, found);
      return reply(doc({ n: int(found ? 1 : 0) }), found && project(found.bytes));
    }
    const update = parseUpdate(body.get("update") ?? null, call.now);
    if (found && collection) {
      const { bytes } = executing(() => modify(call, collection, found, update));
      return reply(doc({ n: int(1), updatedExisting: true }), project(wantsNew ? bytes : found.bytes));
    }
    if (!upserts) return reply(doc({ n: int(0), updatedExisting: false }), undefined);
    const { id, bytes } = executing(() => upsert(call, engine.collection(call.db, name), filter, update));
    const lastErrorObject = doc({ n: int(1), updatedExisting: false, upserted: id });
    return reply(lastErrorObject, wantsNew ? project(bytes) : undefined);
  },
};

/** An error says when it comes from the execution of the plan. */
function executing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const message = `Plan executor error during findAndModify :: caused by :: ${error.message}`;
    throw new CommandError(error.code, message, error);
  }
}

function checkOptions(body: Doc): void {
  const removing = isTruthy(body.get("remove"));
  if (!removing && !body.has("update")) {
    throw new CommandError(9, "Either an update or remove=true must be specified");
  }
  if (removing && body.has("update")) {
    throw new CommandError(9, "Cannot specify both an update and remove=true");
  }
  if (removing && (isTruthy(body.get("upsert")) || isTruthy(body.get("new")))) {
    throw new CommandError(
      9,
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  }
}

function reply(lastErrorObject: Doc, value: RawDoc | undefined): Doc {
  return doc({ lastErrorObject, value: value ?? null });
}
