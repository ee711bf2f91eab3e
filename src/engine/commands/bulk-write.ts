import { encodeDocument } from "../bson/encode.ts";
import { toDouble } from "../bson/numbers.ts";
import { type Doc, doc, int, isNumeric, RawDoc, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { checkCollectionName } from "../storage/catalog.ts";
import { type Command, isTruthy, missingField, requiredArray, unknownField, wrongType } from "./command.ts";
import { insertOne } from "./insert.ts";
import { batchOf, runStatements } from "./statements.ts";
import { runUpdate, type UpdateStatement } from "./update.ts";

interface Namespace {
  readonly db: string;
  readonly name: string;
}

interface Insert {
  readonly kind: "insert";
  readonly namespace: Namespace;
  readonly bytes: Buffer;
}

interface Update {
  readonly kind: "update";
  readonly namespace: Namespace;
  readonly statement: UpdateStatement;
}

const INSERT_FIELDS = ["insert", "document"];
const UPDATE_FIELDS = ["update", "filter", "updateMods", "multi"];

/** Inserts and updates in several collections, in the given order (MongoDB 8). */
export const bulkWrite: Command = {
  writes: true,
  // There are no validators to bypass.
  fields: ["ops", "nsInfo", "ordered", "errorsOnly", "bypassDocumentValidation"],
  run: (call) => {
    if (call.db !== "admin") {
      throw new CommandError(13, "bulkWrite may only be run against the admin database.");
    }
    const namespaces = requiredArray(call, "nsInfo").map(readNamespace);
    const ops = batchOf(call, "ops").map((op, at) => readOp(op, at, namespaces));
    const counts = { inserted: 0, matched: 0, modified: 0 };
    const results: Doc[] = [];
    const errors = runStatements(call, ops, (op, index) => {
      if (op.kind === "insert") {
        insertOne(call, call.engine.collection(op.namespace.db, op.namespace.name), op.bytes);
        counts.inserted++;
        results.push(doc({ ok: 1, idx: int(index), n: int(1) }));
        return;
      }
      const { matched, modified } = runUpdate(call, op.namespace, op.statement);
      counts.matched += matched;
      counts.modified += modified;
      results.push(doc({ ok: 1, idx: int(index), n: int(matched), nModified: int(modified) }));
    });
    const failed = (errors ?? []).map(failure);
    const reported = call.body.get("errorsOnly") === true ? failed : [...results, ...failed].sort(byIndex);
    return doc({
      cursor: doc({ id: 0n, firstBatch: reported, ns: "admin.$cmd.bulkWrite" }),
      nErrors: int(failed.length),
      nInserted: int(counts.inserted),
      nMatched: int(counts.matched),
      nModified: int(counts.modified),
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

function readOp(op: Value, at: number, namespaces: readonly Namespace[]): Insert | Update {
  const field = `bulkWrite.ops.${at}`;
  if (!(op instanceof Map)) throw wrongType(field, op, "object");
  const kind = op.has("update") ? "update" : "insert";
  const known = kind === "update" ? UPDATE_FIELDS : INSERT_FIELDS;
  for (const name of op.keys()) if (!known.includes(name)) throw unknownField(field, name);
  const position = op.get(kind);
  if (!isNumeric(position)) throw missingField(`${field}.${kind}`);
  const namespace = namespaces[toDouble(position)];
  if (!namespace) throw new CommandError(2, `BulkWrite ops entry ${at} has an invalid nsInfo index.`);
  if (kind === "update") return { kind, namespace, statement: readUpdate(op, field) };
  const document = op.get("document");
  if (document instanceof RawDoc) return { kind, namespace, bytes: document.bytes };
  if (document instanceof Map) return { kind, namespace, bytes: encodeDocument(document) };
  throw wrongType(`${field}.document`, document, "object");
}

function readUpdate(op: Doc, field: string): UpdateStatement {
  const [query, update] = [op.get("filter"), op.get("updateMods")];
  if (!(query instanceof Map)) throw wrongType(`${field}.filter`, query, "object");
  if (update === undefined) throw missingField(`${field}.updateMods`);
  return { query, update, multi: isTruthy(op.get("multi")), upserts: false };
}

/** The error of a statement in the form of this command's results. */
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
