import { BinaryValue, doc } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import type { Call, Command } from "./command.ts";

/** Ends the transactions and cursors of the sessions that the client has done with. */
function endAll(call: Call): void {
  const sessions = call.body.get(call.name);
  if (!Array.isArray(sessions)) return;
  for (const lsid of sessions) {
    const id = lsid instanceof Map ? lsid.get("id") : undefined;
    if (!(id instanceof BinaryValue)) continue;
    const session = id.bytes.toString("hex");
    call.engine.transactions.abortSession(session);
    call.engine.cursors.dropWhere((cursor) => cursor.session === session);
  }
}

/** Also what `killSessions` does here. */
export const endSessions: Command = {
  fields: [],
  run: (call) => {
    endAll(call);
    return doc({});
  },
};

/** Both are carried out by the dispatcher; here they end up when sent outside a transaction. */
export const endTransaction: Command = {
  fields: ["recoveryToken"],
  run: (call) => {
    throw new CommandError(
      50768,
      `It is illegal to provide a txnNumber without autocommit for command ${call.name}`,
    );
  },
};
