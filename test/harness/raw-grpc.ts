import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { type DescMessage, fromBinary, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  makeGenericClientConstructor,
  type ServiceDefinition,
  type ServiceError,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "../../gen/google/rpc/error_details_pb.ts";
import { type Status, StatusSchema } from "../../gen/google/rpc/status_pb.ts";
import {
  EmailService,
  type SendEmailBatchRequestSchema,
  type SendEmailBatchResponse,
  type SendEmailRequestSchema,
  type SendEmailResponse,
} from "../../gen/hermod/email/v1/email_service_pb.ts";
import { serviceDefinition } from "../../src/rpc/bridge.ts";

/** The view of a third-party service: grpc-js and the proto files, without Hermod's client. */
export interface RawCaller {
  sendEmail(request: MessageInitShape<typeof SendEmailRequestSchema>): Promise<SendEmailResponse>;
  sendEmailBatch(
    request: MessageInitShape<typeof SendEmailBatchRequestSchema>,
  ): Promise<SendEmailBatchResponse>;
  close(): void;
}

export interface RawOptions {
  readonly address: string;
  /** null: no token. */
  readonly token: string | null;
  readonly deadlineMs?: number;
}

const MEGABYTES_64 = 64 * 1024 * 1024;

export function callRaw({ address, token, deadlineMs = 20_000 }: RawOptions): RawCaller {
  const client = new Client(address, credentials.createInsecure(), {
    "grpc.max_receive_message_length": MEGABYTES_64,
    "grpc.max_send_message_length": MEGABYTES_64,
  });
  const definition = serviceDefinition(EmailService);
  const metadata = new Metadata();
  if (token !== null) metadata.set("authorization", `Bearer ${token}`);

  function call<Answer>(name: string, request: unknown): Promise<Answer> {
    const method = definition[name];
    if (!method) throw new Error(`There is no method ${name}.`);
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        metadata,
        { deadline: Date.now() + deadlineMs },
        (error, answer) => (error ? reject(error) : resolve(answer as Answer)),
      );
    });
  }

  return {
    sendEmail: (request) => call("sendEmail", request),
    sendEmailBatch: (request) => call("sendEmailBatch", request),
    close: () => client.close(),
  };
}

/** The error with which a call ended. */
export async function errorOf(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("The call was not refused.");
}

export interface Details {
  readonly status: Status;
  readonly errorInfo: MessageShape<typeof ErrorInfoSchema> | undefined;
  readonly requestInfo: MessageShape<typeof RequestInfoSchema> | undefined;
  readonly badRequest: MessageShape<typeof BadRequestSchema> | undefined;
  readonly retryInfo: MessageShape<typeof RetryInfoSchema> | undefined;
  readonly quotaFailure: MessageShape<typeof QuotaFailureSchema> | undefined;
}

/** Returns the google.rpc.Status of a refused call and its details. */
export function detailsOf(refused: ServiceError | Status): Details {
  const status = refused instanceof Error ? statusIn(refused) : refused;
  const find = <S extends DescMessage>(schema: S): MessageShape<S> | undefined =>
    status.details.map((detail) => anyUnpack(detail, schema)).find((message) => message !== undefined);
  return {
    status,
    errorInfo: find(ErrorInfoSchema),
    requestInfo: find(RequestInfoSchema),
    badRequest: find(BadRequestSchema),
    retryInfo: find(RetryInfoSchema),
    quotaFailure: find(QuotaFailureSchema),
  };
}

function statusIn({ metadata, code, details }: ServiceError): Status {
  const [packed] = metadata.get("grpc-status-details-bin");
  if (!Buffer.isBuffer(packed)) throw new Error(`The error has no details: ${code} ${details}`);
  return fromBinary(StatusSchema, packed);
}

export interface ReflectionAnswer {
  readonly list_services_response?: { readonly service: readonly { readonly name: string }[] };
  readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Buffer[] };
  readonly all_extension_numbers_response?: { readonly extension_number: readonly number[] };
  readonly error_response?: { readonly error_code: number };
}

export type ReflectionRequest = Readonly<Record<string, unknown>>;

/** Sends one request to a server's reflection service, as grpcurl does. */
export async function reflect(
  address: string,
  request: ReflectionRequest,
  version: "v1" | "v1alpha" = "v1",
): Promise<ReflectionAnswer> {
  const [answer] = await reflectAll(address, [request], version);
  if (!answer) throw new Error("Reflection has not answered.");
  return answer;
}

/** Sends all requests before it reads the first answer; resolves to the answers in order. */
export async function reflectAll(
  address: string,
  requests: readonly ReflectionRequest[],
  version: "v1" | "v1alpha" = "v1",
): Promise<readonly ReflectionAnswer[]> {
  const root = path.dirname(createRequire(import.meta.url).resolve("@grpc/reflection/package.json"));
  const definition = loadSync(`grpc/reflection/${version}/reflection.proto`, {
    includeDirs: [path.join(root, "build/proto")],
    keepCase: true,
  });
  const service = definition[`grpc.reflection.${version}.ServerReflection`] as ServiceDefinition;
  const ReflectionClient = makeGenericClientConstructor(service, "ServerReflection");
  const client = new ReflectionClient(address, credentials.createInsecure());
  try {
    const stream = client.ServerReflectionInfo?.() as ClientDuplexStream<ReflectionRequest, ReflectionAnswer>;
    for (const request of requests) stream.write(request);
    stream.end();
    await once(stream, "finish");
    return await stream.toArray();
  } finally {
    client.close();
  }
}
