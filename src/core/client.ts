import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { Metadata } from "@grpc/grpc-js";
import { Health, HealthCheckResponse_ServingStatus } from "../../gen/health/v1/health_pb.ts";
import { KeyService } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { BounceService } from "../../gen/hermod/bounce/v1/bounce_service_pb.ts";
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
import { SubmissionService } from "../../gen/hermod/submission/v1/submission_service_pb.ts";
import { SuppressionService } from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { TemplateService } from "../../gen/hermod/template/v1/template_service_pb.ts";
import { UnsubscribeService } from "../../gen/hermod/unsubscribe/v1/unsubscribe_service_pb.ts";
import { type CallerTls, openChannels } from "./channels.ts";
import { type CallDefinition, callDefinition, type UnaryClient, unaryMethods } from "./grpc-bridge.ts";
import { fromServiceError } from "./status-details.ts";
import { createSubmissionBatch } from "./submission-batch.ts";
import { createSubmissionClient, type SubmissionClient } from "./submission-client.ts";

export type SendEmailInit = MessageInitShape<typeof SendEmailRequestSchema>;

export interface CoreClientOptions {
  /** `host:port` of the core; several, comma-separated, share the calls. */
  readonly address: string;
  /** The token that the core expects of its callers. */
  readonly token: string;
  readonly tls?: CallerTls;
  /** After this a call fails with `core.timeout`. */
  readonly deadlineMs: number;
}

/** The front ends' only way in. Every method rejects with a Fault. */
export interface CoreClient {
  /** Submissions that arrive together travel in one call; each has its own outcome. */
  sendEmail(request: SendEmailInit): Promise<SendEmailResponse>;
  /** Finished messages, as SMTP brings them. */
  readonly submissions: SubmissionClient;
  readonly keys: UnaryClient<(typeof KeyService)["method"]>;
  readonly senders: UnaryClient<(typeof SenderService)["method"]>;
  readonly domains: UnaryClient<(typeof DomainService)["method"]>;
  readonly policies: UnaryClient<(typeof PolicyService)["method"]>;
  readonly templates: UnaryClient<(typeof TemplateService)["method"]>;
  readonly messages: UnaryClient<(typeof MessageService)["method"]>;
  readonly suppressions: UnaryClient<(typeof SuppressionService)["method"]>;
  readonly bounces: UnaryClient<(typeof BounceService)["method"]>;
  readonly sandbox: UnaryClient<(typeof SandboxService)["method"]>;
  readonly unsubscribes: UnaryClient<(typeof UnsubscribeService)["method"]>;
  /** True when the core says SERVING (grpc.health.v1). */
  serving(): Promise<boolean>;
  close(): void;
}

export function createCoreClient(options: CoreClientOptions): CoreClient {
  const channels = openChannels(options.address, options.tls);

  function metadata(): Metadata {
    const made = new Metadata();
    made.set("authorization", `Bearer ${options.token}`);
    return made;
  }

  async function call(definition: CallDefinition, request: unknown): Promise<unknown> {
    const deadline = new Date(Date.now() + options.deadlineMs);
    const channel = await channels.pick(deadline);
    return new Promise((resolve, reject) => {
      channel.makeUnaryRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        request,
        metadata(),
        { deadline },
        (error, response) => (error ? reject(fromServiceError(error).fault) : resolve(response)),
      );
    });
  }

  function unaryClient<S extends GenServiceMethods>(service: GenService<S>): UnaryClient<S> {
    return Object.fromEntries(
      unaryMethods(service).map((method) => {
        const definition = callDefinition(service, method);
        return [method.localName, (request: unknown) => call(definition, request)];
      }),
    ) as UnaryClient<S>;
  }

  const email = unaryClient(EmailService);
  const health = unaryClient(Health);
  const batch = createSubmissionBatch<SendEmailInit, SendEmailResponse>({
    call: async (requests) =>
      (await email.sendEmailBatch({ requests })).results.map(({ outcome }) => outcome),
    sizeOf: submissionSize,
  });

  return {
    sendEmail: (request) => batch.submit(request),
    submissions: createSubmissionClient({
      unary: unaryClient(SubmissionService),
      upload: async (definition, onEnd) => {
        const channel = await channels.pick(new Date(Date.now() + options.deadlineMs));
        const { path, requestSerialize, responseDeserialize } = definition;
        return channel.makeClientStreamRequest(
          path,
          requestSerialize,
          responseDeserialize,
          metadata(),
          onEnd,
        );
      },
      deadlineMs: options.deadlineMs,
    }),
    keys: unaryClient(KeyService),
    senders: unaryClient(SenderService),
    domains: unaryClient(DomainService),
    policies: unaryClient(PolicyService),
    templates: unaryClient(TemplateService),
    messages: unaryClient(MessageService),
    suppressions: unaryClient(SuppressionService),
    bounces: unaryClient(BounceService),
    sandbox: unaryClient(SandboxService),
    unsubscribes: unaryClient(UnsubscribeService),
    serving: () =>
      health.check({}).then(
        ({ status }) => status === HealthCheckResponse_ServingStatus.SERVING,
        () => false,
      ),
    close: () => channels.close(),
  };
}

/** Roughly what a submission weighs on the wire, in bytes. */
function submissionSize({ email }: SendEmailInit): number {
  const attached = (email?.attachments ?? []).reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  return 512 + (email?.html?.length ?? 0) + (email?.text?.length ?? 0) + attached;
}
