import { type Db, type Document, MongoClientBulkWriteError, MongoServerError } from "mongodb";
import { guarded, storeFault } from "./store-fault.ts";

/** A document that is to be inserted into a collection of the store's database. */
export interface OrderedInsert {
  readonly collection: string;
  readonly document: Document;
}

/** One document that is to be changed, with operators. */
export interface OrderedUpdate {
  readonly collection: string;
  readonly filter: Document;
  readonly update: Document;
}

export interface WriteInOrder {
  /** False: the server has no command for it (MongoDB before 8). @throws Fault store.unavailable */
  isSpoken(): Promise<boolean>;
  /**
   * Writes to several collections by one command, each after those before it: none is there without them.
   * @throws Fault store.unavailable: what is written is not known
   */
  write(writes: readonly (OrderedInsert | OrderedUpdate)[]): Promise<Written>;
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

export function createWriteInOrder(db: Db): WriteInOrder {
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
