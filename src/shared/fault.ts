import { type FaultCodeName, faultCodes } from "../../contracts/common/fault-codes.ts";
import type { FaultParams } from "../../contracts/common/fault-texts/fault-params.ts";
import type { FieldFaultCodeName } from "../../contracts/common/field-fault-codes.ts";
import { type FaultText, receivedText, say } from "./fault-text.ts";

/** Fault of one field of a request. */
export interface FieldFault {
  /** JSON pointer (RFC 6901) into the request body, such as `/to/0`. */
  readonly pointer: string;
  readonly code: FieldFaultCodeName;
  /** Text for the caller. */
  readonly message: FaultText;
}

declare const saidByFault: unique symbol;

/** Text of a fault as a string. Only a fault creates one. */
type SaidText = string & { readonly [saidByFault]: true };

/** A field fault as sent to its caller. */
export interface FieldProblem {
  readonly pointer: string;
  readonly code: FieldFaultCodeName;
  readonly message: SaidText;
  /** Values of the message, for translations; missing: there are none. */
  readonly params?: FaultParams;
}

/** Remaining quota of one rate limit. */
export interface RateLimitState {
  readonly name: "key" | "account";
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** An existing key with its account. */
export interface KeyOwner {
  readonly keyId: string;
  readonly accountId: string;
}

/** An existing resource that conflicts with a new one. */
export interface Existing {
  readonly id: string;
  readonly clientId?: string;
}

/** A resource that uses another one. */
export interface ResourceUser {
  readonly kind: "alert_rule" | "schedule" | "webhook" | "key" | "webhook_delivery";
  readonly id: string;
  readonly name: string;
}

/** Resources that stop working without another one. */
export interface ResourceUse {
  /** The first `MAX_LISTED_USERS` resources. */
  readonly users: readonly ResourceUser[];
  readonly count: number;
}

/** They are sent in trailing metadata, which hold 8 KB. */
export const MAX_LISTED_USERS = 10;

export interface FaultDetails {
  /** Text for the caller; missing: the text of the catalog. */
  readonly public?: FaultText;
  /** Text only for the log. */
  readonly internal?: string;
  readonly cause?: unknown;
  readonly errors?: readonly (FieldFault | FieldProblem)[];
  /** Number of field faults that were omitted before. Newly omitted ones are added. */
  readonly omittedErrors?: number;
  readonly retryAfterSeconds?: number;
  readonly rateLimits?: readonly RateLimitState[];
  /** The caller's own resource that conflicts with the request. */
  readonly existing?: Existing | undefined;
  /** Current revision of the resource, if the change is based on another revision. */
  readonly revision?: string | undefined;
  /** Resources that use the resource of a refused removal. */
  readonly use?: ResourceUse | undefined;
  /** The refused key, if it exists. Only for the log of requests, not for callers. */
  readonly refusedKey?: KeyOwner | undefined;
}

/** Maximum number of reported field faults. The others are counted. */
export const MAX_FIELD_FAULTS = 100;
/** Maximum length of a pointer, which contains input of the caller. */
const MAX_POINTER_LENGTH = 500;

/** A failure with a code of the catalog: the only error that crosses a boundary of Hermod. */
export class Fault extends Error {
  readonly code: FaultCodeName;
  /** Text for the caller. */
  readonly public: string;
  /** The same text with its params, for a fault that repeats it. */
  readonly text: FaultText;
  readonly errors: readonly FieldProblem[];
  /** Number of field faults that `errors` omits. */
  readonly omittedErrors: number;
  readonly retryAfterSeconds: number | undefined;
  readonly rateLimits: readonly RateLimitState[];
  readonly existing: Existing | undefined;
  readonly revision: string | undefined;
  readonly use: ResourceUse | undefined;
  readonly refusedKey: KeyOwner | undefined;

  constructor(code: FaultCodeName, details: FaultDetails = {}) {
    const text = details.public ?? receivedText(faultCodes[code].doc);
    super(details.internal ?? text.text, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "Fault";
    this.code = code;
    this.text = text;
    this.public = text.text;
    const { errors = [], omittedErrors = 0 } = details;
    this.errors = errors.slice(0, MAX_FIELD_FAULTS).map(toProblem);
    this.omittedErrors = omittedErrors + errors.length - this.errors.length;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.rateLimits = details.rateLimits ?? [];
    this.existing = details.existing;
    this.revision = details.revision;
    this.use = details.use;
    this.refusedKey = details.refusedKey;
  }

  /** Converts any thrown value to a Fault. For use only at boundaries. */
  static from(thrown: unknown): Fault {
    if (thrown instanceof Fault) return thrown;
    return new Fault("internal.error", {
      internal: thrown instanceof Error ? thrown.message : String(thrown),
      cause: thrown,
    });
  }
}

export function fault(code: FaultCodeName, details?: FaultDetails): Fault {
  return new Fault(code, details);
}

/**
 * Creates the fault of a request with these field faults. A single field fault with a code of the catalog determines
 * the code of the fault. Otherwise it is `request.validation_failed`.
 */
export function validationFault(errors: readonly (FieldFault | FieldProblem)[]): Fault {
  const [only, ...others] = errors;
  if (only && others.length === 0) {
    const code = only.code in faultCodes ? (only.code as FaultCodeName) : "request.validation_failed";
    return fault(code, { public: textOf(only), errors });
  }
  return fault("request.validation_failed", {
    public: say("fields_not_valid", { count: errors.length }),
    errors,
  });
}

function textOf({ message, ...rest }: FieldFault | FieldProblem): FaultText {
  return typeof message === "string" ? receivedText(message, "params" in rest ? rest.params : {}) : message;
}

function toProblem(found: FieldFault | FieldProblem): FieldProblem {
  const { text, params } = textOf(found);
  const pointer = shortenedPointer(found.pointer);
  return {
    pointer,
    code: found.code,
    message: text as SaidText,
    ...(Object.keys(params).length > 0 && { params }),
  };
}

/** Shortens a pointer that is too long to the nearest object or list around its place. */
function shortenedPointer(pointer: string): string {
  if (pointer.length <= MAX_POINTER_LENGTH) return pointer;
  return pointer.slice(0, pointer.lastIndexOf("/", MAX_POINTER_LENGTH));
}
