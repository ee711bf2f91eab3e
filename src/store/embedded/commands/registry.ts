import { aggregate } from "./aggregate.ts";
import { create, drop, dropDatabase, listCollections } from "./collections.ts";
import type { Command } from "./command.ts";
import { count } from "./count.ts";
import { deleteCommand } from "./delete.ts";
import { distinct } from "./distinct.ts";
import { find } from "./find.ts";
import { findAndModify } from "./find-and-modify.ts";
import { getMore, killCursors } from "./get-more.ts";
import { buildInfo, helloCommand, ping } from "./handshake.ts";
import { createIndexes, dropIndexes, listIndexes } from "./indexes.ts";
import { insert } from "./insert.ts";
import { endSessions, endTransaction } from "./sessions.ts";
import { update } from "./update.ts";

/** All that the engine answers. Any other command gets MongoDB's CommandNotFound. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["abortTransaction", endTransaction],
  ["aggregate", aggregate],
  ["buildInfo", buildInfo],
  ["buildinfo", buildInfo],
  ["commitTransaction", endTransaction],
  ["count", count],
  ["create", create],
  ["createIndexes", createIndexes],
  ["delete", deleteCommand],
  ["distinct", distinct],
  ["drop", drop],
  ["dropDatabase", dropDatabase],
  ["dropIndexes", dropIndexes],
  ["endSessions", endSessions],
  ["find", find],
  ["findAndModify", findAndModify],
  ["findandmodify", findAndModify],
  ["getMore", getMore],
  ["hello", helloCommand],
  ["insert", insert],
  ["isMaster", helloCommand],
  ["ismaster", helloCommand],
  ["killCursors", killCursors],
  ["killSessions", endSessions],
  ["listCollections", listCollections],
  ["listIndexes", listIndexes],
  ["ping", ping],
  ["update", update],
]);
