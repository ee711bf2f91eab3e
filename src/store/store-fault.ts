import { BSON, MongoServerError } from "mongodb";
import { Fault, fault } from "../shared/fault.ts";

export const DUPLICATE_KEY = 11000;
const INVALID_BSON = 22;
const OUT_OF_DISK_SPACE = 14031;

/** Any failure of the driver as the fault that callers see. */
export function storeFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const reason = error instanceof Error ? error.message : String(error);
  // The store is there; asking again, and again, would find the same.
  if (isUnreadable(error)) {
    return fault("internal.error", { internal: `a stored document cannot be read: ${reason}`, cause: error });
  }
  return fault("store.unavailable", { internal: reason, cause: error, retryAfterSeconds: 2 });
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** A stored document cannot be decoded: by the driver, or by the server that has to compute with it. */
export function isUnreadable(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : error;
  return (
    cause instanceof BSON.BSONError || (cause instanceof MongoServerError && cause.code === INVALID_BSON)
  );
}

/** The store refused to write, since its disk is full: unlike where an answer got lost, nothing was written. */
export function isFull(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : error;
  return cause instanceof MongoServerError && cause.code === OUT_OF_DISK_SPACE;
}

/** Runs a store operation, its failures normalised. */
export async function guarded<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    throw storeFault(error);
  }
}
