import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { type FaultCodeName, faultCodes } from "../../contracts/common/fault-codes.ts";
import type { FaultParams } from "../../contracts/common/fault-texts/fault-params.ts";
import type { FieldFaultCodeName } from "../../contracts/common/field-fault-codes.ts";
import {
  type BadRequest_FieldViolation,
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "../../gen/google/rpc/error_details_pb.ts";
import { type Status, StatusSchema } from "../../gen/google/rpc/status_pb.ts";
import {
  type Existing,
  Fault,
  type FieldFault,
  type FieldProblem,
  fault,
  type KeyOwner,
  type RateLimitState,
  type ResourceUse,
} from "../shared/fault.ts";
import { receivedText } from "../shared/fault-text.ts";

/** A fault and the trace id of its call. */
export interface TracedFault {
  readonly fault: Fault;
  readonly traceId: string | undefined;
}

const DOMAIN = "hermod";
const DETAILS_KEY = "grpc-status-details-bin";
/** Common HTTP/2 peers refuse trailing metadata over 8 KB, and base64 adds a third. */
const MAX_TRAILER_TEXT_BYTES = 4_000;
/** Texts have priority over params: a fault with params that do not fit has only its English text. */
const MAX_TRAILER_PARAMS_BYTES = 1_000;

/**
 * Converts a fault to google.rpc.Status. The other end can restore it completely, except for field faults that do not
 * fit into trailing metadata, which are counted.
 */
export function toStatus(traced: TracedFault): Status {
  return statusWith(traced, {
    errors: fittingErrors(traced.fault),
    maxParamsBytes: MAX_TRAILER_PARAMS_BYTES,
  });
}

/** The same for the outcome of one submission of a batch, which has capacity for all field faults. */
export function toOutcomeStatus(traced: TracedFault): Status {
  return statusWith(traced, { errors: traced.fault.errors, maxParamsBytes: Number.POSITIVE_INFINITY });
}

interface Capacity {
  readonly errors: readonly FieldProblem[];
  readonly maxParamsBytes: number;
}

function statusWith({ fault: failed, traceId }: TracedFault, { errors, maxParamsBytes }: Capacity): Status {
  const omittedErrors = failed.omittedErrors + failed.errors.length - errors.length;
  const details = [
    anyPack(
      ErrorInfoSchema,
      create(ErrorInfoSchema, {
        reason: failed.code,
        domain: DOMAIN,
        metadata: {
          ...(failed.rateLimits.length > 0 && { rateLimits: JSON.stringify(failed.rateLimits) }),
          ...failed.refusedKey,
          ...(failed.existing && { existing: JSON.stringify(failed.existing) }),
          ...(failed.revision !== undefined && { revision: failed.revision }),
          ...(failed.use && { use: JSON.stringify(failed.use) }),
          ...packParams(failed, errors, maxParamsBytes),
          ...(omittedErrors > 0 && { omittedErrors: String(omittedErrors) }),
        },
      }),
    ),
  ];
  if (traceId) details.push(anyPack(RequestInfoSchema, create(RequestInfoSchema, { requestId: traceId })));
  if (errors.length > 0) details.push(anyPack(BadRequestSchema, badRequest(errors)));
  if (failed.retryAfterSeconds !== undefined) {
    const retryDelay = { seconds: BigInt(failed.retryAfterSeconds), nanos: 0 };
    details.push(anyPack(RetryInfoSchema, create(RetryInfoSchema, { retryDelay })));
  }
  if (failed.code === "rate.limited") {
    const violations = failed.rateLimits
      .filter((limit) => limit.remaining === 0)
      .map((limit) => ({ subject: limit.name, description: `${limit.quota} per ${limit.windowSeconds} s` }));
    details.push(anyPack(QuotaFailureSchema, create(QuotaFailureSchema, { violations })));
  }
  return create(StatusSchema, {
    code: status[faultCodes[failed.code].grpc],
    message: failed.public,
    details,
  });
}

/** Params of the fault and of its field faults, each as JSON, as far as they fit. */
function packParams({ text, errors: all }: Fault, errors: readonly FieldProblem[], maxBytes: number) {
  const [only, ...others] = all;
  let size = 0;
  const fitting = (params: FaultParams) => {
    if (Object.keys(params).length === 0) return undefined;
    size += Buffer.byteLength(JSON.stringify(params));
    return size > maxBytes ? undefined : params;
  };
  // The fault of a single field has the text of that field.
  const isSame =
    only !== undefined && others.length === 0 && only.message === text.text && errors.length === 1;
  const params = isSame ? undefined : fitting(text.params);
  const ofFields = errors.map((one) => fitting(one.params ?? {}) ?? null);
  return {
    ...(params && { params: JSON.stringify(params) }),
    ...(ofFields.some((one) => one !== null) && { fieldParams: JSON.stringify(ofFields) }),
  };
}

function badRequest(errors: readonly FieldProblem[]) {
  const fieldViolations: MessageInitShape<typeof BadRequestSchema>["fieldViolations"] = errors.map(
    ({ pointer, code, message }) => ({ field: pointer, reason: code, description: message }),
  );
  return create(BadRequestSchema, { fieldViolations });
}

/** The first field faults that fit into trailing metadata. */
function fittingErrors({ errors }: Fault): readonly FieldProblem[] {
  let size = 0;
  const tooMany = errors.findIndex(({ pointer, code, message }) => {
    size += Buffer.byteLength(pointer) + code.length + Buffer.byteLength(message);
    return size > MAX_TRAILER_TEXT_BYTES;
  });
  return tooMany === -1 ? errors : errors.slice(0, tooMany);
}

/** Inverse of `toStatus`. A status without Hermod's details becomes the nearest code. */
export function fromStatus(received: Status): TracedFault {
  let code: FaultCodeName = nearestCode(received.code);
  let traceId: string | undefined;
  let violations: readonly BadRequest_FieldViolation[] = [];
  let retryAfterSeconds: number | undefined;
  let rateLimits: RateLimitState[] = [];
  let omittedErrors = 0;
  let refusedKey: KeyOwner | undefined;
  let existing: Existing | undefined;
  let revision: string | undefined;
  let use: ResourceUse | undefined;
  let params: FaultParams | undefined;
  let fieldParams: readonly (FaultParams | null)[] = [];
  for (const detail of received.details) {
    const info = anyUnpack(detail, ErrorInfoSchema);
    if (info?.domain === DOMAIN && info.reason in faultCodes) {
      code = info.reason as FaultCodeName;
      rateLimits = JSON.parse(info.metadata.rateLimits ?? "[]") as RateLimitState[];
      omittedErrors = Number(info.metadata.omittedErrors ?? 0);
      if (info.metadata.existing) existing = JSON.parse(info.metadata.existing) as Existing;
      revision = info.metadata.revision;
      if (info.metadata.params) params = JSON.parse(info.metadata.params) as FaultParams;
      fieldParams = JSON.parse(info.metadata.fieldParams ?? "[]") as typeof fieldParams;
      if (info.metadata.use) use = JSON.parse(info.metadata.use) as ResourceUse;
      const { keyId, accountId } = info.metadata;
      if (keyId && accountId) refusedKey = { keyId, accountId };
    }
    traceId = anyUnpack(detail, RequestInfoSchema)?.requestId ?? traceId;
    const retry = anyUnpack(detail, RetryInfoSchema)?.retryDelay;
    if (retry) retryAfterSeconds = Number(retry.seconds);
    const bad = anyUnpack(detail, BadRequestSchema);
    if (bad) {
      violations = bad.fieldViolations;
    }
  }
  const errors = violations.map(
    ({ field, reason, description }, index): FieldFault => ({
      pointer: field,
      code: reason as FieldFaultCodeName,
      message: receivedText(description, fieldParams[index] ?? {}),
    }),
  );
  const [only, ...others] = errors;
  const ofField =
    only && others.length === 0 && only.message.text === received.message ? only.message.params : undefined;
  return {
    fault: fault(code, {
      public: receivedText(received.message, params ?? ofField),
      errors,
      omittedErrors,
      rateLimits,
      existing,
      revision,
      use,
      refusedKey,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    }),
    traceId,
  };
}

function nearestCode(grpcCode: number): FaultCodeName {
  switch (grpcCode) {
    case status.UNAVAILABLE:
    case status.CANCELLED:
    case status.UNAUTHENTICATED:
    case status.RESOURCE_EXHAUSTED:
      return "core.unavailable";
    case status.DEADLINE_EXCEEDED:
      return "core.timeout";
    default:
      return "internal.error";
  }
}

/** The error with which a grpc-js handler answers. */
export function toServiceError(traced: TracedFault): Pick<ServiceError, "code" | "details" | "metadata"> {
  const details = toStatus(traced);
  const metadata = new Metadata();
  metadata.set(DETAILS_KEY, Buffer.from(toBinary(StatusSchema, details)));
  if (traced.traceId) metadata.set("x-trace-id", traced.traceId);
  return { code: details.code, details: details.message, metadata };
}

/** Texts of grpc-js for a call that has not left this process, or was not processed by the other. */
const NOT_SENT =
  /^(?:No connection established|Name resolution failed|Failed to parse|Channel closed before call|Subchannel not ready|Stream refused by server)/;

/** Whether this grpc-js error means that no core has processed the call. */
export function isNotSent(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || !("details" in error)) return false;
  return error.code === status.UNAVAILABLE && NOT_SENT.test(String(error.details));
}

/** Converts an error of a grpc-js client to its fault. */
export function fromServiceError(error: unknown): TracedFault {
  if (!(error instanceof Error) || !("code" in error) || !("metadata" in error)) {
    return { fault: Fault.from(error), traceId: undefined };
  }
  const { code, details, metadata } = error as ServiceError;
  const [packed] = metadata.get(DETAILS_KEY);
  if (Buffer.isBuffer(packed)) return fromStatus(fromBinary(StatusSchema, packed));
  const nearest =
    code === status.UNAVAILABLE && !isNotSent(error) ? "core.connection_lost" : nearestCode(code);
  return {
    fault: fault(nearest, { internal: `gRPC ${code}: ${details}`, cause: error }),
    traceId: undefined,
  };
}
