import { encodeDocument } from "../bson/encode.ts";
import { toDouble } from "../bson/numbers.ts";
import { type Doc, doc, int, isNumeric, RawDoc, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { checkCollectionName } from "../storage/catalog.ts";
import { type Command, missingField, requiredArray, unknownField, wrongType } from "./command.ts";
import { insertOne } from "./insert.ts";
import { batchOf, runStatements } from "./statements.ts";

interface Namespace {
  readonly db: string;
  readonly name: string;
}

interface Insert extends Namespace {
  readonly bytes: Buffer;
}

/** Inserts into several collections, one after the other in the order in which they are given (MongoDB 8). */
export const bulkWrite: Command = {
  writes: true,
  // There are no validators: none is passed by.
  fields: ["ops", "nsInfo", "ordered", "errorsOnly", "bypassDocumentValidation"],
  run: (call) => {
    if (call.db !== "admin") {
      throw new CommandError(13, "bulkWrite may only be run against the admin database.");
    }
    const namespaces = requiredArray(call, "nsInfo").map(readNamespace);
    const inserts = batchOf(call, "ops").map((op, at) => readInsert(op, at, namespaces));
    const stored: Doc[] = [];
    const errors = runStatements(call, inserts, ({ db, name, bytes }, index) => {
      insertOne(call, call.engine.collection(db, name), bytes);
      stored.push(doc({ ok: 1, idx: int(index), n: int(1) }));
    });
    const failed = (errors ?? []).map(failure);
    const told = call.body.get("errorsOnly") === true ? failed : [...stored, ...failed].sort(byIndex);
    return doc({
      cursor: doc({ id: 0n, firstBatch: told, ns: "admin.$cmd.bulkWrite" }),
      nErrors: int(failed.length),
      nInserted: int(stored.length),
      nMatched: int(0),
      nModified: int(0),
      nUpserted: int(0),
      nDeleted: int(0),
    });
  },
};

function readNamespace(info: Value, at: number): Namespace {
  const ns = info instanceof Map ? info.get("ns") : undefined;
  if (typeof ns !== "string") throw wrongType(`bulkWrite.nsInfo.${at}.ns`, ns, "string");
  const dot = ns.indexOf(".");
  const namespace = { db: ns.slice(0, Math.max(dot, 0)), name: ns.slice(dot + 1) };
  if (dot <= 0) throw new CommandError(73, `Invalid namespace specified '${ns}'`);
  checkCollectionName(namespace.db, namespace.name);
  return namespace;
}

function readInsert(op: Value, at: number, namespaces: readonly Namespace[]): Insert {
  const field = `bulkWrite.ops.${at}`;
  if (!(op instanceof Map)) throw wrongType(field, op, "object");
  for (const name of op.keys()) if (name !== "insert" && name !== "document") throw unknownField(field, name);
  const place = op.get("insert");
  if (!isNumeric(place)) throw missingField(`${field}.insert`);
  const namespace = namespaces[toDouble(place)];
  if (!namespace) throw new CommandError(2, `BulkWrite ops entry ${at} has an invalid nsInfo index.`);
  const document = op.get("document");
  if (document instanceof RawDoc) return { ...namespace, bytes: document.bytes };
  if (document instanceof Map) return { ...namespace, bytes: encodeDocument(document) };
  throw wrongType(`${field}.document`, document, "object");
}

/** The error of a statement, as this command's results have it. */
function failure(error: Value): Doc {
  const { index, ...others } = Object.fromEntries(error as Doc);
  return doc({ ok: 0, idx: index, ...others, n: int(0) });
}

function byIndex(one: Doc, other: Doc): number {
  return indexOf(one) - indexOf(other);
}

function indexOf(result: Doc): number {
  const index = result.get("idx");
  return isNumeric(index) ? toDouble(index) : 0;
}
