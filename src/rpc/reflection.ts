// This replaces @grpc/reflection, which parses `.proto` files with a second protobuf implementation, a sixth of a start,
// and writes to callers that do not read.

import {
  createRegistry,
  type DescFile,
  type DescService,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { type Server, type ServerDuplexStream, status } from "@grpc/grpc-js";
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponseSchema,
} from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { serviceDefinition } from "./bridge.ts";

type Response = MessageInitShape<typeof ServerReflectionResponseSchema>;
type Answer = NonNullable<Response["messageResponse"]>;

/** Both versions have the same messages. Older clients use the former version. */
const VERSIONS = ["grpc.reflection.v1", "grpc.reflection.v1alpha"];

/**
 * Adds gRPC server reflection, from the descriptors of the generated code.
 * @param services listed services
 * @param others files that no method refers to but clients need
 */
export function addReflection(
  server: Server,
  services: readonly DescService[],
  others: readonly DescFile[],
): void {
  const answers = createAnswers(services, [...services.map(({ file }) => file), ...others]);
  const respond = (call: ServerDuplexStream<ServerReflectionRequest, Response>) => {
    call.on("data", (request: ServerReflectionRequest) => {
      const messageResponse = answers(request.messageRequest);
      // A client that does not read its responses is not read from.
      if (!call.write({ validHost: request.host, originalRequest: request, messageResponse })) call.pause();
    });
    call.on("drain", () => call.resume());
    call.on("end", () => call.end());
  };
  const { serverReflectionInfo: method } = serviceDefinition(ServerReflection);
  if (!method) throw new Error("The reflection service has no method.");
  for (const version of VERSIONS) {
    const path = method.path.replace(ServerReflection.typeName, `${version}.ServerReflection`);
    server.addService({ respond: { ...method, path } }, { respond });
  }
}

/** Answers one question. Its index is built for the first question, because few processes are ever asked. */
function createAnswers(services: readonly DescService[], roots: readonly DescFile[]) {
  let index: Index | undefined;
  return (question: ServerReflectionRequest["messageRequest"]): Answer => {
    index ??= createIndex(roots);
    switch (question.case) {
      case "listServices":
        return {
          case: "listServicesResponse",
          value: { service: services.map(({ typeName }) => ({ name: typeName })) },
        };
      case "fileByFilename":
        return filesOf(index.files.get(question.value));
      case "fileContainingSymbol":
        return filesOf(index.symbols.get(question.value));
      case "fileContainingExtension": {
        const { containingType, extensionNumber } = question.value;
        return filesOf(index.extensions.get(containingType)?.get(extensionNumber));
      }
      case "allExtensionNumbersOfType": {
        const numbers = index.extensions.get(question.value);
        if (!numbers) return refusal(status.NOT_FOUND, "Unknown extension.");
        const extensionNumber = [...numbers.keys()];
        return {
          case: "allExtensionNumbersResponse",
          value: { baseTypeName: question.value, extensionNumber },
        };
      }
      default:
        return refusal(status.INVALID_ARGUMENT, "The request has no question.");
    }
  };
}

/** The file and all its imports, which clients need to resolve every type. */
function filesOf(file: DescFile | undefined): Answer {
  if (!file) return refusal(status.NOT_FOUND, "Unknown file or symbol.");
  const fileDescriptorProto = withImports([file]).map(({ proto }) =>
    toBinary(FileDescriptorProtoSchema, proto),
  );
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto } };
}

function refusal(errorCode: status, errorMessage: string): Answer {
  return { case: "errorResponse", value: { errorCode, errorMessage } };
}

/** The files, then their direct and indirect imports, each once. */
function withImports(files: readonly DescFile[]): DescFile[] {
  const all = new Set(files);
  // Iterating over a set includes items that are added during the iteration.
  for (const file of all) for (const imported of file.dependencies) all.add(imported);
  return [...all];
}

interface Index {
  /** By name, as used in imports. */
  readonly files: ReadonlyMap<string, DescFile>;
  /** By the full names of their declarations: types, services, methods, fields and values. */
  readonly symbols: ReadonlyMap<string, DescFile>;
  /** By the extended type, then by the number. */
  readonly extensions: ReadonlyMap<string, ReadonlyMap<number, DescFile>>;
}

function createIndex(roots: readonly DescFile[]): Index {
  const files = withImports(roots);
  const symbols = new Map<string, DescFile>();
  const extensions = new Map<string, Map<number, DescFile>>();
  for (const type of createRegistry(...files)) {
    symbols.set(type.typeName, type.file);
    if (type.kind === "service") {
      for (const { name } of type.methods) symbols.set(`${type.typeName}.${name}`, type.file);
    } else if (type.kind === "message") {
      for (const { name } of [...type.fields, ...type.oneofs])
        symbols.set(`${type.typeName}.${name}`, type.file);
    } else if (type.kind === "enum") {
      // Enum values are in the scope of their enum, not within it.
      const scope = type.typeName.slice(0, -type.name.length);
      for (const { name } of type.values) symbols.set(`${scope}${name}`, type.file);
    } else {
      const { typeName } = type.extendee;
      const numbers = extensions.get(typeName) ?? new Map<number, DescFile>();
      extensions.set(typeName, numbers.set(type.number, type.file));
    }
  }
  return { files: new Map(files.map((file) => [file.proto.name, file])), symbols, extensions };
}
