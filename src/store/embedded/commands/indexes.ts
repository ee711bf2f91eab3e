import { equalValues } from "../bson/compare.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, doc, int, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { samePattern } from "../query/plan.ts";
import type { Collection, Index } from "../storage/schema.ts";
import { cursorBatchSize } from "./collections.ts";
import { type Command, collectionName, docList } from "./command.ts";
import { openCursor } from "./cursor-reply.ts";
import { normalizeIndex } from "./index-spec.ts";

export const createIndexes: Command = {
  writes: true,
  fields: ["indexes", "commitQuorum"],
  refused: ["ignoreUnknownIndexOptions"],
  run: (call) => {
    const name = collectionName(call);
    const given = call.body.get("indexes");
    if (Array.isArray(given) && given.length === 0) {
      throw new CommandError(2, "Must specify at least one index to create");
    }
    const specs = docList(call.body, "indexes", "createIndexes").map((spec) =>
      normalizeIndex(spec, call.engine.parseExpression),
    );
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
    const reply = doc({ numIndexesBefore: int(before), numIndexesAfter: int(collection.indexes.length) });
    if (existing === undefined) reply.set("createdCollectionAutomatically", true);
    reply.set("commitQuorum", "votingMembers");
    if (added.length === 0) reply.set("note", "all indexes already exist");
    return reply;
  },
};

/** True for the same index again; throws for one that differs in what must be alike. */
function alreadyExists(collection: Collection, spec: Doc): boolean {
  const name = spec.get("name");
  const key = spec.get("key") as Doc;
  for (const index of collection.indexes) {
    const samePartial = sameOption(index.spec, spec, "partialFilterExpression");
    const sameKey = sameOrder(index.spec.get("key") as Doc, key) && samePartial;
    if (index.isId && sameOrder(index.spec.get("key") as Doc, key)) return true;
    if (index.name === name) {
      if (sameKey && sameOptions(index.spec, spec)) return true;
      if (sameKey) {
        const identityDiffers =
          !sameOption(index.spec, spec, "unique") || !sameOption(index.spec, spec, "sparse");
        throw new CommandError(
          identityDiffers ? 86 : 85,
          `An equivalent index already exists with the same name but different options. Requested index: ${shellText(spec)}, existing index: ${shellText(index.spec)}`,
        );
      }
      throw new CommandError(
        86,
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${shellText(spec)}, existing index: ${shellText(index.spec)}`,
      );
    }
    if (!sameKey) continue;
    if (sameOptions(index.spec, spec)) {
      throw new CommandError(85, `Index already exists with a different name: ${index.name}`);
    }
    throw new CommandError(
      85,
      `An equivalent index already exists with a different name and options. Requested index: ${shellText(spec)}, existing index: ${shellText(index.spec)}`,
    );
  }
  return false;
}

function sameOrder(a: Doc, b: Doc): boolean {
  return samePattern(a, b);
}

const OPTIONS = ["unique", "sparse", "partialFilterExpression", "expireAfterSeconds"];

function sameOptions(a: Doc, b: Doc): boolean {
  return OPTIONS.every((option) => sameOption(a, b, option));
}

function sameOption(a: Doc, b: Doc, option: string): boolean {
  const left = a.get(option);
  const right = b.get(option);
  if (left === undefined || right === undefined) return (left ?? false) === (right ?? false);
  return equalValues(left, right);
}

export const listIndexes: Command = {
  fields: ["cursor"],
  refused: ["includeBuildUUIDs", "includeIndexBuildInfo"],
  run: (call) => {
    const name = collectionName(call);
    const collection = call.engine.find(call.db, name);
    if (collection === undefined) throw new CommandError(26, `ns does not exist: ${call.db}.${name}`);
    const specs: Value[] = collection.indexes.map((index) => index.spec);
    return openCursor(call, name, specs, { batchSize: cursorBatchSize(call) });
  },
};

export const dropIndexes: Command = {
  writes: true,
  fields: ["index"],
  run: (call) => {
    const name = collectionName(call);
    const collection = call.engine.find(call.db, name);
    if (collection === undefined) throw new CommandError(26, `ns not found ${call.db}.${name}`);
    const before = collection.indexes.length;
    const wanted = call.body.get("index");
    const gone = (Array.isArray(wanted) ? wanted : [wanted ?? null]).flatMap((each) =>
      indexesNamed(collection, each),
    );
    call.engine.transactions.abortAll();
    for (const index of gone) call.engine.catalog.dropIndex(collection, index);
    const reply = doc({ nIndexesWas: int(before) });
    if (wanted === "*") reply.set("msg", "non-_id indexes dropped for collection");
    return reply;
  },
};

function indexesNamed(collection: Collection, wanted: Value): Index[] {
  if (wanted === "*") return collection.indexes.filter((index) => !index.isId);
  const found = collection.indexes.find((index) =>
    wanted instanceof Map ? sameOrder(index.spec.get("key") as Doc, wanted) : index.name === wanted,
  );
  if (found === undefined) {
    throw new CommandError(
      27,
      wanted instanceof Map
        ? `can't find index with key: ${shellText(wanted)}`
        : `index not found with name [${String(wanted)}]`,
    );
  }
  if (found.isId) throw new CommandError(72, "cannot drop _id index");
  return [found];
}
