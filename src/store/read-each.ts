import { BSON, type FindCursor, MongoError } from "mongodb";
import { salvage } from "./salvage.ts";
import { guarded, isUnreadable, storeFault } from "./store-fault.ts";

/** A document that is stored and cannot be used. */
export interface UnreadableDocument {
  /** Its _id, or what can be read of it in hexadecimal digits when that itself is damaged. */
  readonly id: string;
  /** The _id is as it is stored: the document can be changed by it. */
  readonly isAddressable: boolean;
  /** What is wrong with it, by field, as `subject: Invalid UTF-8 string in BSON document`. */
  readonly reason: string;
  /** The fields that can be read. */
  readonly fields: ReadonlyMap<string, unknown>;
}

export interface Found<T> {
  readonly documents: T[];
  readonly unreadable: UnreadableDocument[];
}

/** Of all that is found, in their order: where one page ends, the next one begins behind the last of them. */
export function foundIds({ documents, unreadable }: Found<{ readonly _id: string }>): string[] {
  return [...documents.map(({ _id }) => _id), ...unreadable.map(({ id }) => id)].sort();
}

/** What keeps a decoded document from being used; undefined: nothing. */
export type ShapeFault<T> = (document: T) => string | undefined;

/**
 * Reads all that a query finds. The driver decodes a whole batch and gives all of it up for one bad document: only then
 * the query is made again and each document decoded by itself, so that those who are well pay nothing for it.
 * @param find makes the query, with these options besides its own
 * @throws Fault store.unavailable
 */
export async function readEach<T extends { readonly _id: unknown }>(
  find: (options: { readonly raw?: true }) => FindCursor,
  faultOf: ShapeFault<T> = () => undefined,
): Promise<Found<T>> {
  const found: Found<T> = { documents: [], unreadable: [] };
  const sort = (document: T) => {
    const reason = faultOf(document);
    if (reason === undefined) found.documents.push(document);
    else found.unreadable.push(unreadable(new Map(Object.entries(document)), reason));
  };
  const decoded = await decodedTogether<T>(find({}));
  if (decoded) {
    for (const document of decoded) sort(document);
    return found;
  }
  for (const bytes of (await guarded(find({ raw: true }).toArray())) as unknown as Uint8Array[]) {
    let document: T;
    try {
      document = BSON.deserialize(bytes) as T;
    } catch (error) {
      const { fields, fault } = salvage(bytes);
      found.unreadable.push(unreadable(fields, fault ?? String(error), bytes));
      continue;
    }
    sort(document);
  }
  return found;
}

/** A query for a few documents, that computes with them. */
export interface ComputingQuery<T extends { readonly _id: unknown }> {
  /** Makes the query, with this condition and these options besides its own. */
  find(only: { readonly _id?: T["_id"] }, options: { readonly raw?: true }): FindCursor;
  /** All documents that it may find, and others, computing with none. */
  findAll(options: { readonly raw: true }): FindCursor;
}

/** As `readEach`. A server that cannot compute with one document gives none: then each is asked for by its id. */
export async function readEachById<T extends { readonly _id: unknown }>(
  { find, findAll }: ComputingQuery<T>,
  faultOf?: ShapeFault<T>,
): Promise<Found<T>> {
  try {
    return await readEach((options) => find({}, options), faultOf);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  const found: Found<T> = { documents: [], unreadable: [] };
  for (const bytes of (await guarded(findAll({ raw: true }).toArray())) as unknown as Uint8Array[]) {
    const { fields, fault } = salvage(bytes);
    try {
      if (!fields.has("_id")) throw new BSON.BSONError(fault ?? "_id: it is missing");
      const only = { _id: fields.get("_id") as T["_id"] };
      const alone = await readEach((options) => find(only, options), faultOf);
      found.documents.push(...alone.documents);
      found.unreadable.push(...alone.unreadable);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      found.unreadable.push(unreadable(fields, fault ?? String(error), bytes));
    }
  }
  return found;
}

/** Undefined: at least one of them cannot be decoded. */
async function decodedTogether<T>(cursor: FindCursor): Promise<T[] | undefined> {
  try {
    return (await cursor.toArray()) as T[];
  } catch (error) {
    // The server and the network are told of by errors of the driver's own kind, whatever is in a document is not.
    if (error instanceof MongoError) throw storeFault(error);
    return undefined;
  }
}

const ID_BYTES = 80;

function unreadable(
  fields: ReadonlyMap<string, unknown>,
  reason: string,
  bytes?: Uint8Array,
): UnreadableDocument {
  const id = fields.get("_id");
  if (typeof id === "string" || typeof id === "number") {
    return { id: String(id), isAddressable: true, reason, fields };
  }
  const start = Buffer.from(bytes?.subarray(4, 4 + ID_BYTES) ?? []).toString("hex");
  return { id: start, isAddressable: false, reason, fields };
}
