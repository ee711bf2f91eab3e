import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";

/**
 * Maps protobuf-es services to grpc-js. protobuf-es has no bridge of its own; every cast between the two
 * worlds is in this file.
 */

/** The handlers of a service: one function per unary method, by its local name. */
export type UnaryHandlers<S extends GenServiceMethods, Context> = {
  [K in keyof S]: S[K] extends { input: infer I extends DescMessage; output: infer O extends DescMessage }
    ? (request: MessageShape<I>, context: Context) => Promise<MessageInitShape<O>>
    : never;
};

/** The callable form of a service on the client's side. */
export type UnaryClient<S extends GenServiceMethods> = {
  [K in keyof S]: S[K] extends { input: infer I extends DescMessage; output: infer O extends DescMessage }
    ? (request: MessageInitShape<I>) => Promise<MessageShape<O>>
    : never;
};

export type UnaryDefinition = MethodDefinition<unknown, unknown>;

function unaryDefinition(service: DescService, method: DescMethodUnary): UnaryDefinition {
  return {
    path: `/${service.typeName}/${method.name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (value) => serialize(method.input, value),
    // Decoded `bytes` are views of the wire buffer: whoever keeps them beyond the call copies them.
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    responseSerialize: (value) => serialize(method.output, value),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  };
}

/** Takes a message or what one can be made of. */
function serialize(schema: DescMessage, init: unknown): Buffer {
  return Buffer.from(toBinary(schema, create(schema, init as MessageInitShape<DescMessage>)));
}

/** The unary methods of a service, by local name. */
export function unaryMethods<S extends GenServiceMethods>(service: GenService<S>): DescMethodUnary[] {
  return service.methods.filter((method): method is DescMethodUnary => method.methodKind === "unary");
}

/** A grpc-js service definition of the service's unary methods. */
export function serviceDefinition<S extends GenServiceMethods>(service: GenService<S>): ServiceDefinition {
  return Object.fromEntries(
    unaryMethods(service).map((method) => [method.localName, unaryDefinition(service, method)]),
  );
}
