import { create, createFileRegistry } from "@bufbuild/protobuf";
import type { GenMessage, GenService } from "@bufbuild/protobuf/codegenv2";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
  file_google_protobuf_descriptor,
  file_google_protobuf_wrappers,
  type StringValue,
  StringValueSchema,
} from "@bufbuild/protobuf/wkt";
import { type CallDefinition, callDefinition } from "../../src/rpc/bridge.ts";

type Text = GenMessage<StringValue>;
export type TextMethods = {
  say: { methodKind: "unary"; input: Text; output: Text };
  join: { methodKind: "client_streaming"; input: Text; output: Text };
  split: { methodKind: "server_streaming"; input: Text; output: Text };
  echo: { methodKind: "bidi_streaming"; input: Text; output: Text };
};

const type = `.${StringValueSchema.typeName}`;
const file = create(FileDescriptorProtoSchema, {
  name: "text.proto",
  package: "test.v1",
  syntax: "proto3",
  dependency: ["google/protobuf/wrappers.proto", "google/protobuf/descriptor.proto"],
  extension: [
    {
      name: "note",
      number: 50_000,
      label: FieldDescriptorProto_Label.OPTIONAL,
      type: FieldDescriptorProto_Type.STRING,
      extendee: ".google.protobuf.MethodOptions",
    },
  ],
  service: [
    {
      name: "TextService",
      method: [
        { name: "Say", inputType: type, outputType: type },
        { name: "Join", inputType: type, outputType: type, clientStreaming: true },
        { name: "Split", inputType: type, outputType: type, serverStreaming: true },
        { name: "Echo", inputType: type, outputType: type, clientStreaming: true, serverStreaming: true },
      ],
    },
  ],
});
const imports = [file_google_protobuf_wrappers, file_google_protobuf_descriptor];
const registry = createFileRegistry(file, (name) => imports.find(({ proto }) => proto.name === name));

/** A service with a method of each kind, from strings to strings. */
export const TextService = registry.getService("test.v1.TextService") as unknown as GenService<TextMethods>;

export const textCalls = Object.fromEntries(
  TextService.methods.map((method) => [method.localName, callDefinition(TextService, method)]),
) as Record<keyof TextMethods, CallDefinition>;
