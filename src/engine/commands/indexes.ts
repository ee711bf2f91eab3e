import { equalValues } from "../bson/compare.ts";
import { toDouble } from "../bson/numbers.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, doc, int, type NumericValue } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import type { Collection, Index } from "../storage/schema.ts";
import { type Command, collectionName } from "./command.ts";
import { cursorBatchSize, openCursor } from "./cursor-reply.ts";
import { normalizeIndex } from "./index-spec.ts";
import { docList } from "./statements.ts";

export const createIndexes: Command = {
  writes: true,
  fields: ["indexes"],
  run: (call) => {
    const name = collectionName(call);
    const given = call.body.get("indexes");
    if (Array.isArray(given) && given.length === 0) {
      throw new CommandError(2, "Must specify at least one index to create");
    }
    const specs = docList(call, "indexes").map(normalizeIndex);
    const existing = call.engine.find(call.db, name);
    const collection = existing ?? call.engine.collection(call.db, name);
    const before = collection.indexes.length;
    const added: Index[] = [];
    try {
      for (const spec of specs) {
        if (alreadyExists(collection, spec)) continue;
        call.engine.transactions.abortAll();
        const index = call.engine.catalog.addIndex(collection, spec);
        added.push(index);
        call.engine.rows.build(collection, index);
      }
    } catch (error) {
      for (const index of added) call.engine.catalog.dropIndex(collection, index);
      throw error;
    }
    return doc({
      numIndexesBefore: int(before),
      numIndexesAfter: int(collection.indexes.length),
      createdCollectionAutomatically: existing === undefined || undefined,
      commitQuorum: "votingMembers",
      note: added.length === 0 ? "all indexes already exist" : undefined,
    });
  },
};

const OPTIONS = ["unique", "partialFilterExpression", "expireAfterSeconds"];

/** True for the same index; throws for one that differs in properties that must be equal. */
function alreadyExists(collection: Collection, spec: Doc): boolean {
  for (const { spec: other, isId } of collection.indexes) {
    const sameKey = patternOf(other) === patternOf(spec);
    if (isId && sameKey) return true;
    const sameName = other.get("name") === spec.get("name");
    const isEquivalent = sameKey && sameOption(other, spec, "partialFilterExpression");
    if (!sameName && !isEquivalent) continue;
    const differing = OPTIONS.filter((option) => !sameOption(other, spec, option));
    if (sameName && isEquivalent && differing.length === 0) return true;
    throw new CommandError(
      sameName && (!isEquivalent || differing.includes("unique")) ? 86 : 85,
      `An index of the same name or key already exists, and differs. Requested index: ${shellText(spec)}, existing index: ${shellText(other)}`,
    );
  }
  return false;
}

function patternOf(spec: Doc): string {
  return [...(spec.get("key") as Doc)]
    .map(([path, direction]) => `${path} ${Math.sign(toDouble(direction as NumericValue))}`)
    .join();
}

function sameOption(a: Doc, b: Doc, option: string): boolean {
  return equalValues(a.get(option) ?? false, b.get(option) ?? false);
}

export const listIndexes: Command = {
  fields: ["cursor"],
  run: (call) => {
    const name = collectionName(call);
    const collection = call.engine.find(call.db, name);
    if (collection === undefined) throw new CommandError(26, `ns does not exist: ${call.db}.${name}`);
    const specs = collection.indexes.map((index) => index.spec);
    return openCursor(call, name, specs, { batchSize: cursorBatchSize(call) });
  },
};

/** By name; "*" means all except that of _id. */
export const dropIndexes: Command = {
  writes: true,
  fields: ["index"],
  run: (call) => {
    const name = collectionName(call);
    const collection = call.engine.find(call.db, name);
    if (collection === undefined) throw new CommandError(26, `ns not found ${call.db}.${name}`);
    const before = collection.indexes.length;
    const wanted = call.body.get("index") ?? null;
    if (typeof wanted !== "string") throw notImplemented("an index that is not named");
    const gone = collection.indexes.filter((index) => (wanted === "*" ? !index.isId : index.name === wanted));
    if (gone.length === 0 && wanted !== "*") {
      throw new CommandError(27, `index not found with name [${wanted}]`);
    }
    if (gone.some(({ isId }) => isId)) throw new CommandError(72, "cannot drop _id index");
    call.engine.transactions.abortAll();
    for (const index of gone) call.engine.catalog.dropIndex(collection, index);
    const msg = wanted === "*" ? "non-_id indexes dropped for collection" : undefined;
    return doc({ nIndexesWas: int(before), msg });
  },
};
