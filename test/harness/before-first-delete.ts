import type { Db } from "mongodb";

/** The database, with a call before documents of a collection are first removed. */
export function beforeFirstDelete(db: Db, name: string, happen: () => Promise<void>): Db {
  const collection = db.collection(name);
  const { deleteMany } = collection;
  collection.deleteMany = async (...args: Parameters<typeof deleteMany>) => {
    collection.deleteMany = deleteMany;
    await happen();
    return deleteMany.apply(collection, args);
  };
  return Object.assign(Object.create(db) as Db, {
    collection: (other: string) => (other === name ? collection : db.collection(other)),
  });
}
