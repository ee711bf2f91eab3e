import { type DescFile, toBinary } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Server } from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.ts";
import { file_health_v1_health } from "../../gen/health/v1/health_pb.ts";

/** Adds gRPC server reflection for these services and the health service, from the descriptors that the generated code carries. */
export function addReflection(server: Server, services: readonly GenService<GenServiceMethods>[]): void {
  const files = new Set<DescFile>();
  const visit = (file: DescFile): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const dependency of file.dependencies) visit(dependency);
  };
  for (const service of services) visit(service.file);
  visit(file_health_v1_health);
  // No method names them, yet every refusal carries them.
  visit(file_google_rpc_error_details);
  const fileDescriptorProtos = [...files].map(({ proto }) =>
    Buffer.from(toBinary(FileDescriptorProtoSchema, proto)),
  );
  // A package definition in the form of proto-loader: the service reads nothing of it but the descriptors.
  const definition = { format: "Protocol Buffer 3 DescriptorProto" as const, type: {}, fileDescriptorProtos };
  new ReflectionService({ hermod: definition }).addToServer(server);
}
