import { BSON, MongoInvalidArgumentError, MongoServerError } from "mongodb";
import { Fault, fault } from "../shared/fault.ts";

export const DUPLICATE_KEY = 11000;
const INVALID_BSON = 22;
const OUT_OF_DISK_SPACE = 14031;
/** An operator has to free space: an earlier try would only be refused again. */
const FULL_RETRY_SECONDS = 10;

/** Any failure of the driver as the fault that callers see. */
export function storeFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const reason = error instanceof Error ? error.message : String(error);
  // The store is there; asking again, and again, would find the same.
  if (isUnreadable(error)) {
    return fault("internal.error", { internal: `a stored document cannot be read: ${reason}`, cause: error });
  }
  if (isFull(error)) {
    // Nothing was written: a caller need not ask what became of it.
    return fault("store.full", { internal: reason, cause: error, retryAfterSeconds: FULL_RETRY_SECONDS });
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

/** Codes by which a server says that a command can never succeed with these values. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  2, 9, 14, 22, 28, 40, 52, 56, 57, 66, 121, 168, 171, 238, 10334, 17280, 17419, 40415, 40324,
]);

/** The values themselves cannot be written: another try would end in the same way. */
export function isRefused(error: unknown): boolean {
  const cause = error instanceof Fault && error.cause !== undefined ? error.cause : error;
  if (cause instanceof Fault) return cause.code === "internal.error";
  if (cause instanceof MongoServerError) return REFUSALS.has(cause.code);
  return (
    isUnreadable(cause) ||
    cause instanceof TypeError ||
    cause instanceof RangeError ||
    cause instanceof MongoInvalidArgumentError
  );
}

/** The store does not answer, or its disk is full: both pass by themselves, and another try may succeed. */
export function isStoreAway(error: unknown): boolean {
  const isAway =
    error instanceof Fault && (error.code === "store.unavailable" || error.code === "store.full");
  return isAway && !isRefused(error);
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

/**
 * The write failed for its values: of several in one transaction the others may succeed alone. A duplicate key counts, though
 * another try may succeed: a damaged document can lead to the same key for ever.
 */
export function concernsOne(error: unknown): boolean {
  return !isStoreAway(error) || (error instanceof Fault && isDuplicateKey(error.cause));
}
