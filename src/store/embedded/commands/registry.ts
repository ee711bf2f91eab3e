import { drop, dropDatabase, listCollections } from "./collections.ts";
import type { Command } from "./command.ts";
import { aggregate, count } from "./count.ts";
import { deleteCommand } from "./delete.ts";
import { find } from "./find.ts";
import { findAndModify } from "./find-and-modify.ts";
import { getMore, killCursors } from "./get-more.ts";
import { hello, ping } from "./handshake.ts";
import { createIndexes, dropIndexes, listIndexes } from "./indexes.ts";
import { insert } from "./insert.ts";
import { endSessions, endTransaction } from "./transaction.ts";
import { update } from "./update.ts";

/** All that the engine answers. Any other command gets MongoDB's CommandNotFound. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["abortTransaction", endTransaction],
  ["aggregate", aggregate],
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
