import { readFileSync } from "node:fs";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { type ChannelCredentials, Client, credentials, Metadata } from "@grpc/grpc-js";
import { Health, HealthCheckResponse_ServingStatus } from "../../gen/health/v1/health_pb.ts";
import { KeyService } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { DomainService } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import {
  EmailService,
  type SendEmailRequestSchema,
  type SendEmailResponse,
} from "../../gen/hermod/email/v1/email_service_pb.ts";
import { MessageService } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { PolicyService } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { SandboxService } from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { SenderService } from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import { TemplateService } from "../../gen/hermod/template/v1/template_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { createNaturalBatch, type Settled } from "../shared/natural-batch.ts";
import { serviceDefinition, type UnaryClient, type UnaryDefinition } from "./grpc-bridge.ts";
import { fromServiceError, fromStatus } from "./status-details.ts";

/** Largest gRPC message either way: the largest HTTP body and some room. */
export const MAX_GRPC_MESSAGE_BYTES = 64 * 1024 * 1024;

export type SendEmailInit = MessageInitShape<typeof SendEmailRequestSchema>;

export interface CoreClientOptions {
  /** `host:port` of the core. */
  readonly address: string;
  /** The token that the core expects of its callers. */
  readonly token: string;
  /** PEM files; missing: plain text. */
  readonly tls?:
    | { readonly ca: string; readonly cert?: string | undefined; readonly key?: string | undefined }
    | undefined;
  /** After this a call fails with `core.timeout`. */
  readonly deadlineMs: number;
}

/** The front ends' only way in. Every method rejects with a Fault. */
export interface CoreClient {
  /** Submissions that arrive together travel in one call; each has its own outcome. */
  sendEmail(request: SendEmailInit): Promise<SendEmailResponse>;
  readonly keys: UnaryClient<(typeof KeyService)["method"]>;
  readonly senders: UnaryClient<(typeof SenderService)["method"]>;
  readonly domains: UnaryClient<(typeof DomainService)["method"]>;
  readonly policies: UnaryClient<(typeof PolicyService)["method"]>;
  readonly templates: UnaryClient<(typeof TemplateService)["method"]>;
  readonly messages: UnaryClient<(typeof MessageService)["method"]>;
  readonly sandbox: UnaryClient<(typeof SandboxService)["method"]>;
  /** True when the core says SERVING (grpc.health.v1). */
  serving(): Promise<boolean>;
  close(): void;
}

function channelCredentials(tls: CoreClientOptions["tls"]): ChannelCredentials {
  if (!tls) return credentials.createInsecure();
  return credentials.createSsl(
    readFileSync(tls.ca),
    tls.key ? readFileSync(tls.key) : null,
    tls.cert ? readFileSync(tls.cert) : null,
  );
}

export function createCoreClient(options: CoreClientOptions): CoreClient {
  const channel = new Client(options.address, channelCredentials(options.tls), {
    "grpc.max_receive_message_length": MAX_GRPC_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_GRPC_MESSAGE_BYTES,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1000,
  });

  function call(definition: UnaryDefinition, request: unknown): Promise<unknown> {
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${options.token}`);
    return new Promise((resolve, reject) => {
      channel.makeUnaryRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        request,
        metadata,
        { deadline: Date.now() + options.deadlineMs },
        (error, response) => (error ? reject(fromServiceError(error).fault) : resolve(response)),
      );
    });
  }

  function unaryClient<S extends GenServiceMethods>(service: GenService<S>): UnaryClient<S> {
    const definition = serviceDefinition(service);
    return Object.fromEntries(
      Object.entries(definition).map(([name, method]) => [name, (request: unknown) => call(method, request)]),
    ) as UnaryClient<S>;
  }

  const email = unaryClient(EmailService);
  const health = unaryClient(Health);
  const batch = createNaturalBatch<SendEmailInit, SendEmailResponse>({
    run: async (requests) => {
      const { results } = await email.sendEmailBatch({ requests: [...requests] });
      return results.map(({ outcome }): Settled<SendEmailResponse> => {
        if (outcome.case === "response") return { ok: true, value: outcome.value };
        const error = outcome.case === "error" ? fromStatus(outcome.value).fault : fault("internal.error");
        return { ok: false, error };
      });
    },
    // Several smaller batches keep edge, core and store at work at the same time; one large one makes them take turns.
    maxItems: 32,
    maxSize: 4 * 1024 * 1024,
    sizeOf: submissionSize,
    maxConcurrent: 4,
  });

  return {
    sendEmail: (request) => batch.submit(request),
    keys: unaryClient(KeyService),
    senders: unaryClient(SenderService),
    domains: unaryClient(DomainService),
    policies: unaryClient(PolicyService),
    templates: unaryClient(TemplateService),
    messages: unaryClient(MessageService),
    sandbox: unaryClient(SandboxService),
    serving: () =>
      health.check({}).then(
        ({ status }) => status === HealthCheckResponse_ServingStatus.SERVING,
        () => false,
      ),
    close: () => channel.close(),
  };
}

/** Roughly what a submission weighs on the wire, in bytes. */
function submissionSize({ email }: SendEmailInit): number {
  const attached = (email?.attachments ?? []).reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  return 512 + (email?.html?.length ?? 0) + (email?.text?.length ?? 0) + attached;
}
