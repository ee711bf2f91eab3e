// One ordered command writes events and states, so that a refused or lost write leaves an event without its state, never
// the reverse.

import { type Db, MongoClientBulkWriteError, MongoServerError } from "mongodb";
import { bulkWriteMessage, readReply } from "./bulk-write-message.ts";
import type { OrderedWrite } from "./ordered-write.ts";
import { guarded, storeFault } from "./store-fault.ts";

/** A connection to the embedded engine past the driver. */
export interface EngineChannel {
  /**
   * Hands over a message of the wire protocol, whose buffer is gone then, and resolves to the reply.
   * @throws Error when none comes: what is written is not known
   */
  ask(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

export interface WriteInOrder {
  /** False: the server has no command for it (MongoDB before 8). @throws Fault store.unavailable */
  isSpoken(): Promise<boolean>;
  /**
   * Writes to several collections by one command, each after those before it: none is there without them.
   * @throws Fault store.unavailable: what is written is not known
   */
  write(writes: readonly OrderedWrite[]): Promise<Written>;
}

export interface Written {
  /** How many documents the updates have found. */
  readonly matched: number;
  /** The first one that was refused: those before it are written, those after it were not tried. */
  readonly refused?: Refused;
}

interface Refused {
  readonly place: number;
  readonly error: MongoServerError;
}

/** MongoDB 8.0, the first with `bulkWrite` over several collections. */
const BULK_WRITE_SINCE = 25;

/** @param channel to the engine that has the database: writes go by it, past the driver */
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
        const [place, { code, message }] = refused;
        const matched = error.partialResult?.matchedCount ?? 0;
        return { matched, refused: { place, error: new MongoServerError({ code, message }) } };
      }
    },
  };
}

/** The driver and its socket are a good part of what a message costs that comes alone. */
function writeByMessages(database: string, channel: EngineChannel): WriteInOrder {
  return {
    isSpoken: async () => true,
    async write(writes) {
      const reply = readReply(await guarded(channel.ask(bulkWriteMessage(database, writes))));
      if (reply.ok !== 1) throw storeFault(new MongoServerError(reply));
      const matched: number = reply.nMatched;
      const [refused] = reply.cursor.firstBatch;
      if (!refused) return { matched };
      const { idx: place, code, errmsg: message } = refused;
      return { matched, refused: { place, error: new MongoServerError({ code, message }) } };
    },
  };
}
