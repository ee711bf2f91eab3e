import { doc, type Value } from "../bson/values.ts";
import type { Cursor } from "../cursors.ts";
import { CommandError } from "../errors.ts";
import {
  type Call,
  type Command,
  collectionName,
  missingField,
  optionalCount,
  wrongType,
} from "./command.ts";
import { takeBatch } from "./cursor-reply.ts";

export const getMore: Command = {
  inTransaction: true,
  fields: ["collection", "batchSize"],
  run: (call) => {
    const { body, engine } = call;
    const id = body.get("getMore");
    if (typeof id !== "bigint") throw wrongType("getMore.getMore", id, "long");
    const cursor = engine.cursors.get(id);
    if (cursor === undefined) throw new CommandError(43, `cursor id ${id} not found`);
    const collection = body.get("collection");
    if (typeof collection !== "string") throw missingField("getMore.collection");
    const namespace = `${call.db}.${collection}`;
    checkOwner(call, cursor, namespace);
    const nextBatch = takeBatch(cursor, optionalCount(body, "batchSize", "getMore") || Infinity);
    const done = cursor.isDone();
    if (done) engine.cursors.drop(id);
    return doc({ cursor: doc({ nextBatch, id: done ? 0n : id, ns: namespace }) });
  },
};

function checkOwner(call: Call, { id, namespace, session, transaction }: Cursor, asked: string): void {
  const refuse = (code: number, reason: string) =>
    new CommandError(code, `Cannot run getMore on cursor ${id}, which was created ${reason}`);
  if (namespace !== asked) throw refuse(13, `on namespace ${namespace}`);
  if (session !== call.session && session !== "") throw refuse(13, "in another session");
  if (transaction !== call.transaction?.number) throw refuse(50740, "in another transaction");
}

export const killCursors: Command = {
  inTransaction: true,
  fields: ["cursors"],
  run: (call) => {
    collectionName(call);
    const ids = call.body.get("cursors");
    if (!Array.isArray(ids)) throw missingField("killCursors.cursors");
    const killed: Value[] = [];
    const notFound: Value[] = [];
    for (const id of ids) {
      if (typeof id === "bigint" && call.engine.cursors.drop(id)) killed.push(id);
      else notFound.push(id);
    }
    return doc({ cursorsKilled: killed, cursorsNotFound: notFound, cursorsAlive: [], cursorsUnknown: [] });
  },
};
