import { toDouble } from "../bson/numbers.ts";
import { BinaryValue, type Doc, doc, int, isNumeric, type Value } from "../bson/values.ts";
import type { Engine } from "../engine.ts";
import { CommandError } from "../errors.ts";
import type { Request } from "../server/wire.ts";
import type { Transaction } from "../transactions.ts";
import { type Call, type Command, checkFields, isTruthy, optionalCount } from "./command.ts";
import { COMMANDS } from "./registry.ts";

/**
 * Carries out one request. Errors of the command become error replies; only what SQLite could not do is thrown, and
 * ends the whole group of requests that share its transaction.
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

function run(engine: Engine, request: Request, connection: number): Doc {
  const { command: body } = request;
  const [name = ""] = body.keys();
  const command = COMMANDS.get(name);
  if (command === undefined) throw new CommandError(59, `no such command: '${name}'`);
  checkFields(name, command, body);
  engine.beginCommand();
  const db = body.get("$db");
  if (typeof db !== "string" || db === "" || /[\0 /\\."$]/.test(db) || Buffer.byteLength(db) > 63) {
    throw new CommandError(73, `Invalid database name: '${String(db)}'`);
  }
  const session = sessionOf(body);
  const number = body.get("txnNumber");
  const call: Call = {
    engine,
    name,
    db,
    body,
    documents: request.documents,
    session,
    transaction: undefined,
    checkTime: timeLimit(engine, optionalCount(body, "maxTimeMS", name) ?? 0),
  };
  if (body.get("autocommit") === false) {
    return runInTransaction(call, command, Number(number), connection);
  }
  if (typeof number !== "bigint" || command.writes !== true) return command.run(call);
  return runRetryable(call, command, number);
}

/** A retryable write: carried out once for each session and number, however often it is sent. */
function runRetryable(call: Call, command: Command, number: bigint): Doc {
  const { retries, file } = call.engine;
  const kept = retries.find(call.session, number);
  if (kept !== undefined) return kept;
  const reply = command.run(call);
  if (file.inTransaction) retries.keep(call.session, number, reply);
  return reply;
}

function runInTransaction(call: Call, command: Command, number: number, connection: number): Doc {
  const { transactions, retries } = call.engine;
  const { body, name, session } = call;
  if (session === "" || !Number.isSafeInteger(number)) {
    throw new CommandError(72, "'autocommit' needs a session and a transaction number");
  }
  if (name === "commitTransaction" || name === "abortTransaction") {
    const kept = retries.find(session, BigInt(number));
    if (name === "commitTransaction" && kept !== undefined) return kept;
    if (kept !== undefined)
      throw new CommandError(256, `Transaction with { txnNumber: ${number} } has been committed.`);
    const transaction = transactions.current(session, number);
    if (name === "abortTransaction") transactions.abort(transaction);
    else {
      transactions.commit(transaction);
      if (call.engine.file.inTransaction) retries.keep(session, BigInt(number), new Map());
    }
    return new Map();
  }
  if (command.inTransaction !== true) {
    throw new CommandError(263, `Cannot run '${name}' in a multi-document transaction.`);
  }
  const transaction = isTruthy(body.get("startTransaction"))
    ? startTransaction(call, number, connection)
    : transactions.current(session, number);
  transaction.connection = connection;
  return runStatement({ ...call, transaction }, command, transaction);
}

function startTransaction(call: Call, number: number, connection: number): Transaction {
  const { transactions, retries } = call.engine;
  if (retries.find(call.session, BigInt(number)) !== undefined) {
    throw new CommandError(256, `Transaction with { txnNumber: ${number} } has been committed.`);
  }
  transactions.abortSession(call.session);
  return transactions.begin(call.session, number, connection);
}

function runStatement(call: Call, command: Command, transaction: Transaction): Doc {
  const { transactions } = call.engine;
  // A collection that the statement makes is made outside the transaction: it stays, empty, when that is aborted.
  if (command.writes === true) ensureCollection(call);
  try {
    const reply = transactions.run(transaction, () => command.run(call));
    if (transaction.failed) transactions.abort(transaction);
    return reply;
  } catch (error) {
    transactions.abort(transaction);
    throw error;
  }
}

function ensureCollection(call: Call): void {
  const name = call.body.get(call.name);
  const upserts = call.body.get("updates");
  const makes =
    call.name === "insert" ||
    isTruthy(call.body.get("upsert")) ||
    (Array.isArray(upserts) &&
      upserts.some((statement) => statement instanceof Map && isTruthy(statement.get("upsert"))));
  if (typeof name === "string" && makes) call.engine.collection(call.db, name);
}

/** Hexadecimal session id; empty without a session. */
export function sessionOf(body: Doc): string {
  const lsid = body.get("lsid");
  const id: Value | undefined = lsid instanceof Map ? lsid.get("id") : undefined;
  return id instanceof BinaryValue ? id.bytes.toString("hex") : "";
}

function timeLimit(engine: Engine, maxTimeMs: number): () => void {
  if (maxTimeMs === 0) return () => {};
  const end = engine.now() + maxTimeMs;
  let calls = 0;
  return () => {
    if ((++calls & 63) === 0 && engine.now() > end)
      throw new CommandError(50, "operation exceeded time limit");
  };
}
