import { parseExpression as parseAggregationExpression } from "./aggregate/expression.ts";
import { parseContext } from "./aggregate/scope.ts";
import { parseUpdatePipeline } from "./aggregate/update-pipeline.ts";
import { createObjectIds } from "./bson/object-id.ts";
import type { ObjectIdValue, Value } from "./bson/values.ts";
import { type Cursors, createCursors } from "./cursors.ts";
import type { CommandError } from "./errors.ts";
import type { ParseExpression } from "./query/parse-filter.ts";
import { createRetries, type Retries } from "./retries.ts";
import { createRoom, type Room } from "./room.ts";
import { type Catalog, createCatalog } from "./storage/catalog.ts";
import type { SqliteFile } from "./storage/database.ts";
import { checkCollectionName } from "./storage/namespaces.ts";
import { createRows, type Rows } from "./storage/rows.ts";
import type { Collection } from "./storage/schema.ts";
import { createTransactions, type Transactions } from "./transactions.ts";
import type { UpdateContext } from "./update/parse-update.ts";

/** Everything that commands work with. One thread uses it, one command at a time. */
export interface Engine {
  readonly file: SqliteFile;
  readonly catalog: Catalog;
  readonly rows: Rows;
  readonly cursors: Cursors;
  readonly retries: Retries;
  readonly transactions: Transactions;
  readonly room: Room;
  readonly updateContext: UpdateContext;
  readonly parseExpression: ParseExpression;
  now(): number;
  /** Another command begins: its expressions have one moment for `$$NOW`, however many there are. */
  beginCommand(): void;
  newObjectId(): ObjectIdValue;
  find(db: string, name: string): Collection | undefined;
  /** The collection, made when missing. */
  collection(db: string, name: string): Collection;
  /** Makes the writes since the last commit durable. */
  commit(): void;
  /** Gives up the writes since the last commit, and with them every open transaction and cursor. */
  rollback(): void;
}

/** @param onTrouble called when writes begin to be refused by the disk, and when they no longer are */
export function createEngine(
  file: SqliteFile,
  now: () => number,
  onTrouble: (trouble: CommandError | undefined) => void = () => {},
): Engine {
  /** When the command under way asked first; undefined: it has not asked. */
  let moment: number | undefined;
  const commandNow = () => (moment ??= now());
  const parseExpression: ParseExpression = (expression: Value) => {
    const evaluate = parseAggregationExpression(expression, parseContext(commandNow));
    return (root) => evaluate({ root, variables: new Map() });
  };
  const catalog = createCatalog(file, parseExpression);
  const rows = createRows(file, catalog);
  const transactions = createTransactions(file, rows, now);
  const retries = createRetries(file);
  const cursors = createCursors(now);
  return {
    file,
    catalog,
    rows,
    cursors,
    retries,
    transactions,
    room: createRoom(file, onTrouble),
    parseExpression,
    updateContext: {
      parseExpression,
      parsePipeline: (stages, constants) => parseUpdatePipeline(stages, constants, commandNow),
      now: commandNow,
    },
    now,
    beginCommand: () => {
      moment = undefined;
    },
    newObjectId: createObjectIds(now),
    find: (db, name) => catalog.find(db, name),
    collection: (db, name) => {
      const existing = catalog.find(db, name);
      if (existing !== undefined) return existing;
      checkCollectionName(db, name);
      return catalog.create(db, name, new Map());
    },
    commit: () => {
      if (!file.inTransaction) return;
      catalog.flush();
      retries.flush();
      file.commit();
      transactions.trim();
    },
    rollback: () => {
      file.rollback();
      transactions.abortAll();
      cursors.dropWhere(() => true);
      retries.reload();
      catalog.reload();
    },
  };
}
