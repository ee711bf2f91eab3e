import { type Doc, doc, typeName, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { type Call, type Command, collectionName, optionalCount } from "./command.ts";
import { takeBatch } from "./cursor-reply.ts";

export const getMore: Command = {
  inTransaction: true,
  fields: ["collection", "batchSize"],
  refused: ["term", "lastKnownCommittedOpTime"],
  run: (call) => {
    const id = cursorId(call.body.get("getMore"));
    const { cursors } = call.engine;
    const cursor = cursors.get(id);
    if (cursor === undefined) throw new CommandError(43, `cursor id ${id} not found`);
    const collection = call.body.get("collection");
    if (typeof collection !== "string") {
      throw new CommandError(40414, "BSON field 'getMore.collection' is missing but a required field");
    }
    const namespace = `${call.db}.${collection}`;
    if (cursor.namespace !== namespace) {
      throw new CommandError(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    }
    checkOwner(call, id, cursor.session, cursor.transaction);
    const nextBatch = takeBatch(cursor, optionalCount(call.body, "batchSize", "getMore") || Infinity);
    const done = cursor.isDone();
    if (done) cursors.drop(id);
    return doc({ cursor: doc({ nextBatch, id: done ? 0n : id, ns: namespace }) });
  },
};

function checkOwner(call: Call, id: bigint, session: string, transaction: number | undefined): void {
  if (session !== call.session && session !== "") {
    throw new CommandError(13, `Cannot run getMore on cursor ${id}, which was created in another session`);
  }
  if (transaction !== call.transaction?.number) {
    throw new CommandError(
      50740,
      `Cannot run getMore on cursor ${id}, which was created in another transaction`,
    );
  }
}

function cursorId(value: Value | undefined): bigint {
  if (typeof value !== "bigint") {
    throw new CommandError(
      14,
      `BSON field 'getMore.getMore' is the wrong type '${typeName(value)}', expected type 'long'`,
    );
  }
  return value;
}

export const killCursors: Command = {
  inTransaction: true,
  fields: ["cursors"],
  run: (call) => {
    collectionName(call);
    const ids = call.body.get("cursors");
    if (!Array.isArray(ids)) {
      throw new CommandError(40414, "BSON field 'killCursors.cursors' is missing but a required field");
    }
    const killed: Value[] = [];
    const notFound: Value[] = [];
    for (const id of ids) {
      if (typeof id === "bigint" && call.engine.cursors.drop(id)) killed.push(id);
      else notFound.push(id);
    }
    const reply: Doc = doc({
      cursorsKilled: killed,
      cursorsNotFound: notFound,
      cursorsAlive: [],
      cursorsUnknown: [],
    });
    return reply;
  },
};
