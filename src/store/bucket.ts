import type { Collection, Filter } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { everybodys, type Owner } from "./owner.ts";
import { type Found, readEach, type ShapeFault } from "./read-each.ts";

interface Bucketed {
  readonly _id: string;
  readonly bucket?: number | undefined;
}

/** In a filter: the field is missing. In MongoDB, null matches that. */
export const NO_BUCKET = null as unknown as undefined;

/** Name of a message in a write. */
export interface MessageName {
  readonly _id: string;
  readonly bucket: number | undefined;
}

/**
 * Filter for a write to one message: its id, and the bucket by which a sharded database finds the server. Messages of
 * an early release have no bucket until the migration, and an installation is not sharded before it.
 */
export function named({ _id, bucket }: MessageName): { _id: string; bucket?: number } {
  return bucket === undefined ? { _id } : { _id, bucket };
}

/** As `named`, for several messages in one write. */
export function allNamed(messages: readonly MessageName[]): {
  _id: { $in: string[] };
  bucket?: { $in: number[] };
} {
  const _id = { $in: messages.map((message) => message._id) };
  const buckets = new Set(messages.map(({ bucket }) => bucket));
  if (buckets.has(undefined)) return { _id };
  return { _id, bucket: { $in: [...buckets] as number[] } };
}

interface ReadByIds<T> {
  readonly faultOf?: ShapeFault<T>;
  /** Missing: all owners. */
  readonly owner?: Owner;
}

/**
 * Reads documents by ids, which contain their buckets. Documents that are not found this way are read by id alone: an
 * early release stored them, and their ids and buckets may differ.
 * @throws Fault store.unavailable
 */
export async function readByIds<T extends Bucketed>(
  collection: Collection<T>,
  ids: readonly string[],
  { faultOf, owner = everybodys }: ReadByIds<T> = {},
): Promise<Found<T>> {
  const _id = { $in: [...ids] };
  const bucket = { $in: [...new Set(ids.map(bucketOf))] };
  const found = await readEach<T>(
    (options) => collection.find({ _id, bucket, ...owner } as Filter<T>, options),
    faultOf,
  );
  const known = new Set([
    ...found.documents.map((document) => document._id),
    ...found.unreadable.map(({ id }) => id),
  ]);
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) return found;
  const others = { _id: { $in: missing }, ...owner };
  const early = await readEach<T>((options) => collection.find(others as Filter<T>, options), faultOf);
  return {
    documents: [...found.documents, ...early.documents],
    unreadable: [...found.unreadable, ...early.unreadable],
  };
}
