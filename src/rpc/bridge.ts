import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { configureTextEncoding, getTextEncoding } from "@bufbuild/protobuf/wire";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";
import { Fault } from "../shared/fault.ts";

/**
 * Maps protobuf-es services to grpc-js. protobuf-es has no bridge of its own. All casts between the two libraries are
 * in this file, in serve-calls.ts and in local-calls.ts.
 */

// Takes a tenth of the time of Node's TextEncoder for a short text, and nearly all texts are short.
configureTextEncoding({ ...getTextEncoding(), encodeUtf8: (text) => Buffer.from(text, "utf8") });

type Method = GenServiceMethods[string];

/** Handler of one method. A stream is an async iterable. */
type Handler<M extends Method, Context, Request> = M extends {
  output: infer O extends DescMessage;
  methodKind: infer Kind;
}
  ? Kind extends "unary"
    ? (request: Request, context: Context) => Promise<MessageInitShape<O>>
    : Kind extends "client_streaming"
      ? (requests: AsyncIterable<Request>, context: Context) => Promise<MessageInitShape<O>>
      : Kind extends "server_streaming"
        ? (request: Request, context: Context) => AsyncIterable<MessageInitShape<O>>
        : (requests: AsyncIterable<Request>, context: Context) => AsyncIterable<MessageInitShape<O>>
  : never;

/** Readers for requests of methods that do not decode the complete message at once. */
export type Readers<S extends GenServiceMethods> = {
  readonly [K in keyof S]?: (bytes: Uint8Array) => unknown;
};

type RequestOf<M extends Method, Reader> = Reader extends (bytes: Uint8Array) => infer Request
  ? Request
  : MessageShape<M["input"]>;

/** Handlers of a service: one function per method, by its local name. */
export type Handlers<S extends GenServiceMethods, Context, R = unknown> = {
  [K in keyof S]: Handler<S[K], Context, RequestOf<S[K], K extends keyof R ? R[K] : undefined>>;
};

/** Unary methods of a service on the client's side. */
export type UnaryClient<S extends GenServiceMethods> = {
  [K in keyof S as S[K]["methodKind"] extends "unary" ? K : never]: S[K] extends {
    input: infer I extends DescMessage;
    output: infer O extends DescMessage;
  }
    ? (request: MessageInitShape<I>) => Promise<MessageShape<O>>
    : never;
};

export interface DownloadCallOptions {
  /** Aborting it ends the call. The iteration of responses then ends without an error, even while it waits for the next one. */
  readonly signal?: AbortSignal;
}

/** Server-streaming methods of a service on the client's side. */
export type DownloadClient<S extends GenServiceMethods> = {
  [K in keyof S as S[K]["methodKind"] extends "server_streaming" ? K : never]: S[K] extends {
    input: infer I extends DescMessage;
    output: infer O extends DescMessage;
  }
    ? (request: MessageInitShape<I>, options?: DownloadCallOptions) => AsyncIterable<MessageShape<O>>
    : never;
};

export interface CallDefinition extends MethodDefinition<unknown, unknown> {
  /** Whether the call is safe to repeat. */
  readonly repeatable: boolean;
}

/** @param read converts a request; missing: decodes its message */
export function callDefinition(
  service: DescService,
  method: DescMethod,
  read: (bytes: Uint8Array) => unknown = (bytes) => fromBinary(method.input, bytes),
): CallDefinition {
  return {
    path: `/${service.typeName}/${method.name}`,
    requestStream: method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming",
    responseStream: method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming",
    requestSerialize: (value) => serialize(method.input, value),
    // Decoded `bytes` are views of the wire buffer. A handler that keeps them after the call must copy them.
    requestDeserialize: read,
    responseSerialize: (value) => serialize(method.output, value),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
    repeatable: method.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN,
  };
}

/** Serializes a message or the init of one. */
function serialize(schema: DescMessage, init: unknown): Buffer {
  return asBuffer(toBinary(schema, create(schema, init as MessageInitShape<DescMessage>)));
}

/** @throws Fault internal.error if the request cannot be serialized */
export function encodeRequest({ requestSerialize }: CallDefinition, request: unknown): Buffer {
  try {
    return requestSerialize(request);
  } catch (error) {
    throw Fault.from(error);
  }
}

/** The same bytes as a Buffer, the type of the functions of a call definition. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Unary methods of a service, by local name. */
export function unaryMethods<S extends GenServiceMethods>(service: GenService<S>): DescMethodUnary[] {
  return service.methods.filter((method): method is DescMethodUnary => method.methodKind === "unary");
}

/** Server-streaming methods of a service, by local name. */
export function downloadMethods<S extends GenServiceMethods>(
  service: GenService<S>,
): DescMethodServerStreaming[] {
  return service.methods.filter(
    (method): method is DescMethodServerStreaming => method.methodKind === "server_streaming",
  );
}

/** grpc-js service definition of all methods of the service. */
export function serviceDefinition<S extends GenServiceMethods>(
  service: GenService<S>,
  readers: Readers<S> = {},
): ServiceDefinition {
  return Object.fromEntries(
    service.methods.map((method) => [
      method.localName,
      callDefinition(service, method, readers[method.localName]),
    ]),
  );
}
