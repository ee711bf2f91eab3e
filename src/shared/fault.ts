import { type FaultCodeName, faultCodes } from "../../contracts/common/fault-codes.ts";
import type { FaultParams } from "../../contracts/common/fault-texts/fault-params.ts";
import type { FieldFaultCodeName } from "../../contracts/common/field-fault-codes.ts";
import { type FaultText, receivedText, say } from "./fault-text.ts";

/** What is wrong with one field of a request. */
export interface FieldFault {
  /** JSON pointer (RFC 6901) into the request body, as `/to/0`. */
  readonly pointer: string;
  readonly code: FieldFaultCodeName;
  /** A sentence for the caller. */
  readonly message: FaultText;
}

declare const saidByFault: unique symbol;

/** A text of a fault as a string: only a fault makes one. */
type SaidText = string & { readonly [saidByFault]: true };

/** A field fault as its caller gets it. */
export interface FieldProblem {
  readonly pointer: string;
  readonly code: FieldFaultCodeName;
  readonly message: SaidText;
  /** Values in the message, for those who say it in another language; missing: there are none. */
  readonly params?: FaultParams;
}

/** What is left of one rate limit. */
export interface RateLimitState {
  readonly name: "key" | "account";
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** A key that exists, and whose it is. */
export interface KeyOwner {
  readonly keyId: string;
  readonly accountId: string;
}

/** Something that is there already, and is to be there once. */
export interface Existing {
  readonly id: string;
  readonly clientId?: string;
}

/** A resource that needs another one. */
export interface ResourceUser {
  readonly kind: "alert_rule" | "schedule" | "webhook" | "key" | "webhook_delivery";
  readonly id: string;
  readonly name: string;
}

/** Resources that stop working without another one. */
export interface ResourceUse {
  /** The first `MAX_LISTED_USERS` of them. */
  readonly users: readonly ResourceUser[];
  readonly count: number;
}

/** They travel in trailing metadata, which hold 8 KB. */
export const MAX_LISTED_USERS = 10;

export interface FaultDetails {
  /** What the caller may read; missing: the catalogue's sentence. */
  readonly public?: FaultText;
  /** What only the log may say. */
  readonly internal?: string;
  readonly cause?: unknown;
  readonly errors?: readonly (FieldFault | FieldProblem)[];
  /** Field faults that were left out before: those that are left out here are added. */
  readonly omittedErrors?: number;
  readonly retryAfterSeconds?: number;
  readonly rateLimits?: readonly RateLimitState[];
  /** What is in the way, and is the caller's own. */
  readonly existing?: Existing | undefined;
  /** The present revision of the resource, where a change is based on another one. */
  readonly revision?: string | undefined;
  /** Resources that need the one that was to be removed. */
  readonly use?: ResourceUse | undefined;
  /** The key that was refused, where it is one that exists: for the log of requests, and not for callers. */
  readonly refusedKey?: KeyOwner | undefined;
}

/** Field faults of one request that are reported; the others are counted. */
export const MAX_FIELD_FAULTS = 100;
/** Pointers hold what callers sent, and come back to them no longer than this. */
const MAX_POINTER_LENGTH = 500;

/** A failure with a code of the catalogue: the only error that crosses a boundary of Hermod. */
export class Fault extends Error {
  readonly code: FaultCodeName;
  /** The sentence for the caller. */
  readonly public: string;
  /** The same with the params that fill it, for a fault that repeats it. */
  readonly text: FaultText;
  readonly errors: readonly FieldProblem[];
  /** How many field faults there are beside `errors`. */
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

  /** Normalises what was thrown; to be called at boundaries only. */
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
 * The fault for a request with these field faults. A single one whose code stands in the catalogue gives
 * its own code to the whole; anything else is `request.validation_failed`.
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

/** One that is too long leads to the nearest object or list around the place. */
function shortenedPointer(pointer: string): string {
  if (pointer.length <= MAX_POINTER_LENGTH) return pointer;
  return pointer.slice(0, pointer.lastIndexOf("/", MAX_POINTER_LENGTH));
}
