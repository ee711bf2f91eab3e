import { toDouble } from "../bson/numbers.ts";
import { type Doc, doc, int, isNumeric } from "../bson/values.ts";
import type { Engine } from "../engine.ts";
import { CommandError } from "../errors.ts";
import type { Request } from "../server/wire.ts";
import { bulkWrite } from "./bulk-write.ts";
import { drop, dropDatabase, listCollections } from "./collections.ts";
import { type Call, type Command, checkFields } from "./command.ts";
import { aggregate, count } from "./count.ts";
import { deleteCommand } from "./delete.ts";
import { find } from "./find.ts";
import { findAndModify } from "./find-and-modify.ts";
import { getMore, killCursors } from "./get-more.ts";
import { hello, ping } from "./handshake.ts";
import { createIndexes, dropIndexes, listIndexes } from "./indexes.ts";
import { insert } from "./insert.ts";
import { endSessions, endTransaction, runInTransaction, sessionId } from "./transaction.ts";
import { update } from "./update.ts";

/** All supported commands. Any other command gets MongoDB's CommandNotFound. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["abortTransaction", endTransaction],
  ["aggregate", aggregate],
  ["bulkWrite", bulkWrite],
  ["commitTransaction", endTransaction],
  ["count", count],
  ["createIndexes", createIndexes],
  ["delete", deleteCommand],
  ["drop", drop],
  ["dropDatabase", dropDatabase],
  ["dropIndexes", dropIndexes],
  ["endSessions", endSessions],
  ["find", find],
  ["findAndModify", findAndModify],
  ["getMore", getMore],
  ["hello", hello],
  ["insert", insert],
  ["ismaster", hello],
  ["killCursors", killCursors],
  ["listCollections", listCollections],
  ["listIndexes", listIndexes],
  ["ping", ping],
  ["update", update],
]);

/**
 * Runs one request. Errors of the command become error replies; only failures of SQLite are thrown, and end the whole group of
 * requests in the same transaction.
 */
export function dispatch(engine: Engine, request: Request, connection: number): Doc {
  try {
    return finish(request.command, run(engine, request, connection));
  } catch (error) {
    if (error instanceof CommandError) return errorReply(error);
    throw error;
  }
}

export function errorReply(error: CommandError): Doc {
  const reply = doc({ ok: 0, errmsg: error.message, code: int(error.code), codeName: error.codeName });
  for (const [name, value] of error.details) reply.set(name, value);
  if (error.labels.length > 0) reply.set("errorLabels", [...error.labels]);
  return reply;
}

function finish(command: Doc, reply: Doc): Doc {
  const concern = command.get("writeConcern");
  const w = concern instanceof Map ? concern.get("w") : undefined;
  if (isNumeric(w) && toDouble(w) > 1) {
    reply.set(
      "writeConcernError",
      doc({ code: int(100), codeName: "UnsatisfiableWriteConcern", errmsg: "Not enough data-bearing nodes" }),
    );
  }
  reply.set("ok", 1);
  return reply;
}

function run(engine: Engine, { command: body }: Request, connection: number): Doc {
  const [name = ""] = body.keys();
  const command = COMMANDS.get(name);
  if (command === undefined) throw new CommandError(59, `no such command: '${name}'`);
  checkFields(name, command, body);
  const db = body.get("$db");
  if (typeof db !== "string" || db === "" || /[\0 /\\."$]/.test(db) || Buffer.byteLength(db) > 63) {
    throw new CommandError(73, `Invalid database name: '${String(db)}'`);
  }
  const lsid = body.get("lsid");
  const session = lsid instanceof Map ? sessionId(lsid) : "";
  const call: Call = {
    engine,
    name,
    db,
    body,
    session,
    transaction: undefined,
    now: onceAsked(engine.now),
  };
  const number = body.get("txnNumber");
  if (body.get("autocommit") === false) return runInTransaction(call, command, Number(number), connection);
  if (typeof number !== "bigint" || command.writes !== true) return command.run(call);
  return runRetryable(call, command, number);
}

/** One moment for a command, regardless of how often it is read. */
function onceAsked(now: () => number): () => number {
  let moment: number | undefined;
  return () => (moment ??= now());
}

/** A retryable write: run once for each session and number, regardless of how often it is sent. */
function runRetryable(call: Call, command: Command, number: bigint): Doc {
  const { retries, file } = call.engine;
  const kept = retries.find(call.session, number);
  if (kept !== undefined) return kept;
  const reply = command.run(call);
  if (file.inTransaction) retries.keep(call.session, number, reply);
  return reply;
}
