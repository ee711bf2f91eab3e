import { type Db, type Document, MongoClientBulkWriteError, MongoServerError } from "mongodb";
import { guarded, storeFault } from "./store-fault.ts";

/** A document that is to be inserted into a collection of the store's database. */
export interface OrderedInsert {
  readonly collection: string;
  readonly document: Document;
}

export interface InsertInOrder {
  /** False: the server has no command for it (MongoDB before 8). @throws Fault store.unavailable */
  isSpoken(): Promise<boolean>;
  /**
   * Inserts documents of several collections by one command, each after those before it: none is there without them.
   * @returns undefined: all are stored; else the place of the first one that was refused: those before it are stored, those after it
   *   were not tried
   * @throws Fault store.unavailable: what is stored is not known
   */
  insert(inserts: readonly OrderedInsert[]): Promise<Refused | undefined>;
}

export interface Refused {
  readonly place: number;
  readonly error: MongoServerError;
}

/** MongoDB 8.0, the first with `bulkWrite` over several collections. */
const BULK_WRITE_SINCE = 25;

export function createInsertInOrder(db: Db): InsertInOrder {
  let isNew: boolean | undefined;

  return {
    async isSpoken() {
      isNew ??= (await guarded(db.command({ hello: 1 }))).maxWireVersion >= BULK_WRITE_SINCE;
      return isNew;
    },

    async insert(inserts) {
      const models = inserts.map(({ collection, document }) => ({
        name: "insertOne" as const,
        namespace: `${db.databaseName}.${collection}`,
        document,
      }));
      try {
        await db.client.bulkWrite(models, { ordered: true });
        return undefined;
      } catch (error) {
        if (!(error instanceof MongoClientBulkWriteError)) throw storeFault(error);
        const [refused] = error.writeErrors;
        if (error.writeConcernErrors.length > 0 || !refused) throw storeFault(error.cause ?? error);
        const [place, { code, message }] = refused;
        return { place, error: new MongoServerError({ code, message }) };
      }
    },
  };
}
