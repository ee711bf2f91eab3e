import type { Value } from "./bson/values.ts";

const CODE_NAMES: Record<number, string> = {
  1: "InternalError",
  2: "BadValue",
  9: "FailedToParse",
  11: "UserNotFound",
  14: "TypeMismatch",
  15: "Overflow",
  16: "InvalidLength",
  20: "IllegalOperation",
  22: "InvalidBSON",
  26: "NamespaceNotFound",
  27: "IndexNotFound",
  28: "PathNotViable",
  40: "ConflictingUpdateOperators",
  43: "CursorNotFound",
  48: "NamespaceExists",
  50: "MaxTimeMSExpired",
  52: "DollarPrefixedFieldName",
  53: "InvalidIdField",
  54: "NotSingleValueField",
  56: "EmptyFieldName",
  57: "DottedFieldName",
  59: "CommandNotFound",
  66: "ImmutableField",
  67: "CannotCreateIndex",
  72: "InvalidOptions",
  73: "InvalidNamespace",
  85: "IndexOptionsConflict",
  86: "IndexKeySpecsConflict",
  100: "UnsatisfiableWriteConcern",
  112: "WriteConflict",
  115: "CommandNotSupported",
  146: "ExceededMemoryLimit",
  168: "InvalidPipelineOperator",
  171: "CannotIndexParallelArrays",
  197: "InvalidIndexSpecificationOption",
  224: "QueryFeatureNotAllowed",
  225: "TransactionTooOld",
  238: "NotImplemented",
  239: "SnapshotTooOld",
  246: "SnapshotUnavailable",
  251: "NoSuchTransaction",
  256: "TransactionCommitted",
  263: "OperationNotSupportedInTransaction",
  292: "QueryExceededMemoryLimitNoDiskUseAllowed",
  334: "ErrorAlreadyLogged",
  10107: "NotWritablePrimary",
  10334: "BSONObjectTooLarge",
  11000: "DuplicateKey",
  11600: "InterruptedAtShutdown",
  14031: "OutOfDiskSpace",
  17280: "KeyTooLong",
};

/** An error that the client gets as MongoDB's server would word it. */
export class CommandError extends Error {
  readonly code: number;
  readonly labels: readonly string[];
  /** Further fields of the error document (keyPattern, keyValue, ...). */
  readonly details: ReadonlyMap<string, Value>;

  constructor(code: number, message: string, options: ErrorExtras = {}) {
    super(message);
    this.name = "CommandError";
    this.code = code;
    this.labels = options.labels ?? [];
    this.details = options.details ?? new Map();
  }

  get codeName(): string {
    return codeName(this.code);
  }
}

export interface ErrorExtras {
  labels?: readonly string[];
  details?: ReadonlyMap<string, Value>;
}

/** MongoDB names codes without a symbol "Location<code>". */
export function codeName(code: number): string {
  return CODE_NAMES[code] ?? `Location${code}`;
}

/** Something that MongoDB can do and this engine cannot: said plainly instead of answering wrongly. */
export function notImplemented(what: string): CommandError {
  return new CommandError(238, `${what} is not supported by the embedded engine`);
}

/** The database in which the caller's transaction ran has moved on: the whole transaction is to be tried again. */
export function writeConflict(
  message = "WriteConflict error: this operation conflicted with another operation. Please retry your operation or multi-document transaction.",
): CommandError {
  return new CommandError(112, message, { labels: ["TransientTransactionError"] });
}
