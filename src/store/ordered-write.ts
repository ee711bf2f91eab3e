import type { Document } from "mongodb";

/** A document to insert into a collection of the store's database. */
export interface OrderedInsert {
  readonly collection: string;
  readonly document: Document;
}

/** A change of one document, with operators. */
export interface OrderedUpdate {
  readonly collection: string;
  readonly filter: Document;
  readonly update: Document;
}

/** One of several ordered writes. Each is executed only after all preceding ones succeeded. */
export type OrderedWrite = OrderedInsert | OrderedUpdate;
