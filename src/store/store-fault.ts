import { BSON, MongoInvalidArgumentError, MongoServerError } from "mongodb";
import { Fault, fault } from "../shared/fault.ts";

export const DUPLICATE_KEY = 11000;
const INVALID_BSON = 22;
const OUT_OF_DISK_SPACE = 14031;
/** An operator has to free space: earlier retries would fail. */
const FULL_RETRY_SECONDS = 10;

/** Maps any failure of the driver to a fault for callers. */
export function storeFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const reason = error instanceof Error ? error.message : String(error);
  // The store is available, but a retry would find the same data.
  if (isUnreadable(error)) {
    return fault("internal.error", { internal: `a stored document cannot be read: ${reason}`, cause: error });
  }
  if (isFull(error)) {
    // Nothing was written, so the outcome is known.
    return fault("store.full", { internal: reason, cause: error, retryAfterSeconds: FULL_RETRY_SECONDS });
  }
  return fault("store.unavailable", { internal: reason, cause: error, retryAfterSeconds: 2 });
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** A stored document cannot be decoded, by the driver or by a server that computes with it. */
export function isUnreadable(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : error;
  return (
    cause instanceof BSON.BSONError || (cause instanceof MongoServerError && cause.code === INVALID_BSON)
  );
}

/** Error codes for commands that can never succeed with these values. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  2, 9, 14, 22, 28, 40, 52, 56, 57, 66, 121, 168, 171, 238, 10334, 17280, 17419, 40415, 40324,
]);

/** The values cannot be written, so a retry would fail, too. */
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

/** The store does not answer, or its disk is full: a retry may succeed. */
export function isStoreAway(error: unknown): boolean {
  const isAway =
    error instanceof Fault && (error.code === "store.unavailable" || error.code === "store.full");
  return isAway && !isRefused(error);
}

/** The store refused to write because its disk is full: unlike after a lost answer, nothing was written. */
export function isFull(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : error;
  return cause instanceof MongoServerError && cause.code === OUT_OF_DISK_SPACE;
}

/** Runs a store operation, and normalizes its failures. */
export async function guarded<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    throw storeFault(error);
  }
}

/**
 * The write failed because of its values. Other writes of the same transaction may succeed separately. A duplicate
 * key counts, though a retry may succeed: a damaged document can produce the same key permanently.
 */
export function concernsOne(error: unknown): boolean {
  return !isStoreAway(error) || (error instanceof Fault && isDuplicateKey(error.cause));
}
