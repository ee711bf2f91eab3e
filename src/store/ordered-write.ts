import type { Document } from "mongodb";

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

/** One of several writes, each of which is made after those before it, and not without them. */
export type OrderedWrite = OrderedInsert | OrderedUpdate;
