import { create, type DescFile, toBinary } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { Server } from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";

/** Adds gRPC server reflection for these services, from the descriptors that the generated code carries. */
export function addReflection(server: Server, services: readonly GenService<GenServiceMethods>[]): void {
  const files = new Map<string, DescFile>();
  const visit = (file: DescFile): void => {
    if (files.has(file.name)) return;
    // A file after those that it imports, as a descriptor set has to be.
    for (const dependency of file.dependencies) visit(dependency);
    files.set(file.name, file);
  };
  for (const service of services) visit(service.file);
  const set = create(FileDescriptorSetSchema, { file: [...files.values()].map(({ proto }) => proto) });
  const definition = loadFileDescriptorSetFromBuffer(Buffer.from(toBinary(FileDescriptorSetSchema, set)));
  new ReflectionService(definition).addToServer(server);
}
