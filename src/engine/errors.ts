import type { Value } from "./bson/values.ts";

const CODE_NAMES: Record<number, string> = {
  1: "InternalError",
  2: "BadValue",
  9: "FailedToParse",
  14: "TypeMismatch",
  15: "Overflow",
  16: "InvalidLength",
  22: "InvalidBSON",
  26: "NamespaceNotFound",
  27: "IndexNotFound",
  28: "PathNotViable",
  40: "ConflictingUpdateOperators",
  43: "CursorNotFound",
  52: "DollarPrefixedFieldName",
  53: "InvalidIdField",
  54: "NotSingleValueField",
  56: "EmptyFieldName",
  59: "CommandNotFound",
  66: "ImmutableField",
  67: "CannotCreateIndex",
  72: "InvalidOptions",
  73: "InvalidNamespace",
  85: "IndexOptionsConflict",
  86: "IndexKeySpecsConflict",
  112: "WriteConflict",
  168: "InvalidPipelineOperator",
  171: "CannotIndexParallelArrays",
  197: "InvalidIndexSpecificationOption",
  224: "QueryFeatureNotAllowed",
  225: "TransactionTooOld",
  238: "NotImplemented",
  251: "NoSuchTransaction",
  256: "TransactionCommitted",
  263: "OperationNotSupportedInTransaction",
  292: "QueryExceededMemoryLimitNoDiskUseAllowed",
  11000: "DuplicateKey",
  14031: "OutOfDiskSpace",
};

/** An error with the text of MongoDB's server. */
export class CommandError extends Error {
  readonly code: number;
  readonly labels: readonly string[];
  /** Further fields of the error document (keyPattern, keyValue, ...). */
  readonly details: ReadonlyMap<string, Value>;

  constructor(
    code: number,
    message: string,
    options: Partial<Pick<CommandError, "labels" | "details">> = {},
  ) {
    super(message);
    this.name = "CommandError";
    this.code = code;
    this.labels = options.labels ?? [];
    this.details = options.details ?? new Map();
  }

  /** MongoDB names codes without a symbol "Location<code>". */
  get codeName(): string {
    return CODE_NAMES[this.code] ?? `Location${this.code}`;
  }
}

/** A feature of MongoDB that this engine does not have: refused instead of answered wrongly. */
export function notImplemented(what: string): CommandError {
  return new CommandError(238, `${what} is not supported by the embedded engine`);
}

/** The database has changed since the caller's transaction began: the whole transaction must be retried. */
export function writeConflict(): CommandError {
  return new CommandError(
    112,
    "WriteConflict error: this operation conflicted with another operation. Please retry your operation or multi-document transaction.",
    { labels: ["TransientTransactionError"] },
  );
}
