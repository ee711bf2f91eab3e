// One ordered command writes events and states, so that a refused or lost write leaves an event without its state, never
// the reverse.

import { type Db, MongoClientBulkWriteError, MongoServerError } from "mongodb";
import { bulkWriteMessage, readReply } from "./bulk-write-message.ts";
import type { OrderedWrite } from "./ordered-write.ts";
import { guarded, storeFault } from "./store-fault.ts";

/** A direct connection to the embedded engine, without the driver. */
export interface EngineChannel {
  /**
   * Sends a wire protocol message, transfers its buffer, and resolves to the reply.
   * @throws Error without a reply: the outcome is unknown
   */
  ask(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

export interface WriteInOrder {
  /** False: the server lacks the command (MongoDB before 8). @throws Fault store.unavailable */
  isSpoken(): Promise<boolean>;
  /**
   * Writes to several collections in one command. Each write is executed only after all preceding ones succeeded.
   * @throws Fault store.unavailable: the outcome is unknown
   */
  write(writes: readonly OrderedWrite[]): Promise<Written>;
}

export interface Written {
  /** Number of documents that the updates matched. */
  readonly matched: number;
  /** The first refused write: those before it are written, those after it were not tried. */
  readonly refused?: Refused;
}

interface Refused {
  readonly position: number;
  readonly error: MongoServerError;
}

/** MongoDB 8.0, the first version with `bulkWrite` over several collections. */
const BULK_WRITE_SINCE = 25;

/** @param channel to the engine of the database: writes use it instead of the driver */
export function createWriteInOrder(db: Db, channel?: EngineChannel): WriteInOrder {
  return channel ? writeByMessages(db.databaseName, channel) : writeByDriver(db);
}

function writeByDriver(db: Db): WriteInOrder {
  let isNew: boolean | undefined;

  return {
    async isSpoken() {
      isNew ??= (await guarded(db.command({ hello: 1 }))).maxWireVersion >= BULK_WRITE_SINCE;
      return isNew;
    },

    async write(writes) {
      const models = writes.map(({ collection, ...write }) => {
        const namespace = `${db.databaseName}.${collection}`;
        return "document" in write
          ? { name: "insertOne" as const, namespace, ...write }
          : { name: "updateOne" as const, namespace, ...write };
      });
      try {
        const { matchedCount } = await db.client.bulkWrite(models, { ordered: true });
        return { matched: matchedCount };
      } catch (error) {
        if (!(error instanceof MongoClientBulkWriteError)) throw storeFault(error);
        const [refused] = error.writeErrors;
        if (error.writeConcernErrors.length > 0 || !refused) throw storeFault(error.cause ?? error);
        const [position, { code, message }] = refused;
        const matched = error.partialResult?.matchedCount ?? 0;
        return { matched, refused: { position, error: new MongoServerError({ code, message }) } };
      }
    },
  };
}

/** The driver and its socket cause a large part of the cost of a single message. */
function writeByMessages(database: string, channel: EngineChannel): WriteInOrder {
  return {
    isSpoken: async () => true,
    async write(writes) {
      const reply = readReply(await guarded(channel.ask(bulkWriteMessage(database, writes))));
      if (reply.ok !== 1) throw storeFault(new MongoServerError(reply));
      const matched: number = reply.nMatched;
      const [refused] = reply.cursor.firstBatch;
      if (!refused) return { matched };
      const { idx: position, code, errmsg: message } = refused;
      return { matched, refused: { position, error: new MongoServerError({ code, message }) } };
    },
  };
}
