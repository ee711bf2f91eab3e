import { BinaryValue, type Doc, doc } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import type { Transaction } from "../transactions.ts";
import { type Call, type Command, isTruthy } from "./command.ts";

/** `runInTransaction` runs both commands; this is their result outside a transaction. */
export const endTransaction: Command = {
  fields: [],
  run: (call) => {
    throw new CommandError(
      50768,
      `It is illegal to provide a txnNumber without autocommit for command ${call.name}`,
    );
  },
};

/** Ends the transactions and cursors of sessions that the client has closed. */
export const endSessions: Command = {
  fields: [],
  run: ({ body, name, engine }) => {
    const sessions = body.get(name);
    for (const lsid of Array.isArray(sessions) ? sessions : []) {
      const session = lsid instanceof Map ? sessionId(lsid) : "";
      if (session === "") continue;
      engine.transactions.abortSession(session);
      engine.cursors.dropWhere((cursor) => cursor.session === session);
    }
    return doc({});
  },
};

/** Hexadecimal id of a session, as in `lsid`. */
export function sessionId(lsid: Doc): string {
  const id = lsid.get("id");
  return id instanceof BinaryValue ? id.bytes.toString("hex") : "";
}

/** Runs a command of a multi-document transaction: a statement, or its end. */
export function runInTransaction(call: Call, command: Command, number: number, connection: number): Doc {
  const { name, session } = call;
  if (session === "" || !Number.isSafeInteger(number)) {
    throw new CommandError(72, "'autocommit' needs a session and a transaction number");
  }
  if (name === "commitTransaction" || name === "abortTransaction") return end(call, number);
  if (command.inTransaction !== true) {
    throw new CommandError(263, `Cannot run '${name}' in a multi-document transaction.`);
  }
  const transaction = isTruthy(call.body.get("startTransaction"))
    ? start(call, number, connection)
    : call.engine.transactions.current(session, number);
  transaction.connection = connection;
  return runStatement({ ...call, transaction }, command, transaction);
}

function end({ engine, name, session }: Call, number: number): Doc {
  const { transactions, retries, file } = engine;
  const kept = retries.find(session, BigInt(number));
  if (kept !== undefined) {
    if (name === "commitTransaction") return kept;
    throw committed(number);
  }
  const transaction = transactions.current(session, number);
  if (name === "abortTransaction") transactions.abort(transaction);
  else {
    transactions.commit(transaction);
    if (file.inTransaction) retries.keep(session, BigInt(number), new Map());
  }
  return new Map();
}

function committed(number: number): CommandError {
  return new CommandError(256, `Transaction with { txnNumber: ${number} } has been committed.`);
}

function start({ engine, session }: Call, number: number, connection: number): Transaction {
  if (engine.retries.find(session, BigInt(number)) !== undefined) throw committed(number);
  engine.transactions.abortSession(session);
  return engine.transactions.begin(session, number, connection);
}

function runStatement(call: Call, command: Command, transaction: Transaction): Doc {
  const { transactions } = call.engine;
  // A collection that the statement creates is created outside the transaction: it stays, empty, after an abort.
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

function ensureCollection({ engine, body, name, db }: Call): void {
  const collection = body.get(name);
  const updates = body.get("updates");
  const statements = [body, ...(Array.isArray(updates) ? updates : [])];
  const upserts = statements.some((one) => one instanceof Map && isTruthy(one.get("upsert")));
  if (typeof collection === "string" && (name === "insert" || upserts)) engine.collection(db, collection);
}
