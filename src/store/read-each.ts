import { BSON, type FindCursor, MongoError } from "mongodb";
import { salvage } from "./salvage.ts";
import { guarded, isUnreadable, storeFault } from "./store-fault.ts";

/** A stored document that cannot be used. */
export interface UnreadableDocument {
  /** Its _id, or the readable part of a damaged _id in hexadecimal digits. */
  readonly id: string;
  /** Whether the _id is intact, so that the document can be changed by it. */
  readonly isAddressable: boolean;
  /** Reason with the field, such as `subject: Invalid UTF-8 string in BSON document`. */
  readonly reason: string;
  /** The readable fields. */
  readonly fields: ReadonlyMap<string, unknown>;
}

export interface Found<T> {
  readonly documents: T[];
  readonly unreadable: UnreadableDocument[];
}

/** Ids of all found documents, in order: the next page begins after the last of them. */
export function foundIds({ documents, unreadable }: Found<{ readonly _id: string }>): string[] {
  return [...documents.map(({ _id }) => _id), ...unreadable.map(({ id }) => id)].sort();
}

/**
 * Reads the results of a query in pages, by ascending ids.
 * @param find runs the query for ids in a range, sorted by id
 * @param after the range begins after this id
 * @throws Fault store.unavailable
 */
export async function* pagesById<T extends { readonly _id: string }>(
  find: (range: { readonly _id: { readonly $gt: string } }, options: { readonly raw?: true }) => FindCursor,
  limit: number,
  after = "",
): AsyncGenerator<Found<T>, void, void> {
  for (let last: string | undefined = after; last !== undefined; ) {
    const range = { _id: { $gt: last } };
    const page = await readEach<T>((options) => find(range, options).limit(limit));
    const ids = foundIds(page);
    last = ids.length < limit ? undefined : ids.at(-1);
    if (ids.length > 0) yield page;
  }
}

/** Why a decoded document cannot be used; undefined: it can. */
export type ShapeFault<T> = (document: T) => string | undefined;

/**
 * Reads all results of a query. The driver decodes a whole batch and fails for one bad document. Only then the query
 * is repeated and each document is decoded separately, so that intact data has no overhead.
 * @param find runs the query, with these additional options
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

/** A query for a few documents that computes with their fields. */
export interface ComputingQuery<T extends { readonly _id: unknown }> {
  /** Runs the query, with this additional condition and these options. */
  find(only: { readonly _id?: T["_id"] }, options: { readonly raw?: true }): FindCursor;
  /** Returns all documents that the query may find, and others, without computing. */
  findAll(options: { readonly raw: true }): FindCursor;
}

/** As `readEach`. A server that cannot compute with one document returns none: then each is queried by its id. */
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
    // Errors of the server and the network have the driver's own type. Errors in a document do not.
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
