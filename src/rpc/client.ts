import type { MessageInitShape } from "@bufbuild/protobuf";
import { KeyService } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { AccountService } from "../../gen/hermod/account/v1/account_service_pb.ts";
import { AlertService, type IngestAlertRequestSchema } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import { AuditService } from "../../gen/hermod/audit/v1/audit_service_pb.ts";
import { BackupService } from "../../gen/hermod/backup/v1/backup_service_pb.ts";
import { BounceService } from "../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { CounterService } from "../../gen/hermod/counter/v1/counter_service_pb.ts";
import { DeliveryService } from "../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { DomainService } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import {
  EmailService,
  SendEmailBatchRequestSchema,
  type SendEmailBatchResponse,
  SendEmailRequestSchema,
  type SendEmailResponse,
} from "../../gen/hermod/email/v1/email_service_pb.ts";
import { ErasureService } from "../../gen/hermod/erasure/v1/erasure_service_pb.ts";
import { EventService } from "../../gen/hermod/event/v1/event_service_pb.ts";
import { FactorService } from "../../gen/hermod/factor/v1/factor_service_pb.ts";
import { IncidentService } from "../../gen/hermod/incident/v1/incident_service_pb.ts";
import { IntelService } from "../../gen/hermod/intel/v1/intel_service_pb.ts";
import { InvitationService } from "../../gen/hermod/invitation/v1/invitation_service_pb.ts";
import { JobService } from "../../gen/hermod/job/v1/job_service_pb.ts";
import { LiveService } from "../../gen/hermod/live/v1/live_service_pb.ts";
import { MemberService } from "../../gen/hermod/member/v1/member_service_pb.ts";
import { MessageService } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { PolicyService } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { QueueService } from "../../gen/hermod/queue/v1/queue_service_pb.ts";
import { RequestService } from "../../gen/hermod/request/v1/request_service_pb.ts";
import { RuleService } from "../../gen/hermod/rule/v1/rule_service_pb.ts";
import { SandboxService } from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { ScheduleService } from "../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import { SecretService } from "../../gen/hermod/secret/v1/secret_service_pb.ts";
import { SenderService } from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import { SessionService } from "../../gen/hermod/session/v1/session_service_pb.ts";
import { SilenceService } from "../../gen/hermod/silence/v1/silence_service_pb.ts";
import { StatusService } from "../../gen/hermod/status/v1/status_service_pb.ts";
import { SuppressionService } from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { TemplateService } from "../../gen/hermod/template/v1/template_service_pb.ts";
import { TrackingService } from "../../gen/hermod/tracking/v1/tracking_service_pb.ts";
import { UnsubscribeService } from "../../gen/hermod/unsubscribe/v1/unsubscribe_service_pb.ts";
import { UserService } from "../../gen/hermod/user/v1/user_service_pb.ts";
import { WatchService } from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { WebhookService } from "../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { WorkspaceService } from "../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { createCallBatch } from "./batch.ts";
import type { Behalf } from "./behalf.ts";
import type { DownloadClient, UnaryClient } from "./bridge.ts";
import { type CoreCalls, downloadClient, unaryClient } from "./calls.ts";
import { openRemoteCalls, type RemoteCallsOptions } from "./remote.ts";
import { createSubmissionClient, type SubmissionClient } from "./submissions.ts";

export type SendEmailInit = MessageInitShape<typeof SendEmailRequestSchema>;

/** The areas of the core, callable. Every method rejects with a Fault. */
export interface AreaClients {
  readonly accounts: UnaryClient<(typeof AccountService)["method"]> &
    DownloadClient<(typeof AccountService)["method"]>;
  readonly users: UnaryClient<(typeof UserService)["method"]>;
  readonly members: UnaryClient<(typeof MemberService)["method"]>;
  readonly invitations: UnaryClient<(typeof InvitationService)["method"]>;
  readonly sessions: UnaryClient<(typeof SessionService)["method"]>;
  readonly factors: UnaryClient<(typeof FactorService)["method"]>;
  readonly keys: UnaryClient<(typeof KeyService)["method"]>;
  readonly audits: UnaryClient<(typeof AuditService)["method"]> &
    DownloadClient<(typeof AuditService)["method"]>;
  readonly counters: UnaryClient<(typeof CounterService)["method"]>;
  readonly webhooks: UnaryClient<(typeof WebhookService)["method"]>;
  readonly deliveries: UnaryClient<(typeof DeliveryService)["method"]>;
  readonly requests: UnaryClient<(typeof RequestService)["method"]>;
  readonly jobs: UnaryClient<(typeof JobService)["method"]>;
  readonly queues: UnaryClient<(typeof QueueService)["method"]>;
  readonly secrets: UnaryClient<(typeof SecretService)["method"]>;
  readonly status: UnaryClient<(typeof StatusService)["method"]>;
  readonly backups: UnaryClient<(typeof BackupService)["method"]>;
  readonly senders: UnaryClient<(typeof SenderService)["method"]>;
  readonly domains: UnaryClient<(typeof DomainService)["method"]>;
  readonly policies: UnaryClient<(typeof PolicyService)["method"]>;
  readonly templates: UnaryClient<(typeof TemplateService)["method"]>;
  readonly messages: UnaryClient<(typeof MessageService)["method"]> &
    DownloadClient<(typeof MessageService)["method"]>;
  readonly emails: UnaryClient<(typeof EmailService)["method"]>;
  readonly suppressions: UnaryClient<(typeof SuppressionService)["method"]> &
    DownloadClient<(typeof SuppressionService)["method"]>;
  readonly erasures: UnaryClient<(typeof ErasureService)["method"]>;
  readonly live: DownloadClient<(typeof LiveService)["method"]>;
  readonly events: UnaryClient<(typeof EventService)["method"]> &
    DownloadClient<(typeof EventService)["method"]>;
  readonly alerts: UnaryClient<(typeof AlertService)["method"]>;
  readonly rules: UnaryClient<(typeof RuleService)["method"]>;
  readonly silences: UnaryClient<(typeof SilenceService)["method"]>;
  readonly incidents: UnaryClient<(typeof IncidentService)["method"]>;
  readonly intel: UnaryClient<(typeof IntelService)["method"]>;
  readonly workspaces: UnaryClient<(typeof WorkspaceService)["method"]>;
  readonly schedules: UnaryClient<(typeof ScheduleService)["method"]>;
  readonly watches: UnaryClient<(typeof WatchService)["method"]>;
  readonly bounces: UnaryClient<(typeof BounceService)["method"]>;
  readonly sandbox: UnaryClient<(typeof SandboxService)["method"]>;
  readonly unsubscribes: UnaryClient<(typeof UnsubscribeService)["method"]>;
  readonly tracking: UnaryClient<(typeof TrackingService)["method"]>;
}

export type IngestAlertInit = MessageInitShape<typeof IngestAlertRequestSchema>;

/** The front ends' only way in. Every method rejects with a Fault. */
export interface CoreClient extends AreaClients {
  /**
   * Submissions that arrive together travel in one call; each has its own outcome.
   * @param waitedMs what their request has waited for the core before (0): less of the deadline is left
   */
  sendEmail(request: SendEmailInit, waitedMs?: number): Promise<SendEmailResponse>;
  /** Finished messages, as SMTP brings them. */
  readonly submissions: SubmissionClient;
  /** The areas, called for the client of a front end: what its session allows, and no more. */
  onBehalfOf(client: Behalf): AreaClients;
  /** True when the core serves, and has what it needs to accept anything. */
  ready(): Promise<boolean>;
  close(): void;
}

function areaClients(calls: Pick<CoreCalls, "unary" | "download">, behalf?: Behalf): AreaClients {
  return {
    accounts: {
      ...unaryClient(calls, AccountService, behalf),
      ...downloadClient(calls, AccountService, behalf),
    },
    users: unaryClient(calls, UserService, behalf),
    members: unaryClient(calls, MemberService, behalf),
    invitations: unaryClient(calls, InvitationService, behalf),
    sessions: unaryClient(calls, SessionService, behalf),
    factors: unaryClient(calls, FactorService, behalf),
    keys: unaryClient(calls, KeyService, behalf),
    audits: { ...unaryClient(calls, AuditService, behalf), ...downloadClient(calls, AuditService, behalf) },
    counters: unaryClient(calls, CounterService, behalf),
    webhooks: unaryClient(calls, WebhookService, behalf),
    deliveries: unaryClient(calls, DeliveryService, behalf),
    requests: unaryClient(calls, RequestService, behalf),
    jobs: unaryClient(calls, JobService, behalf),
    queues: unaryClient(calls, QueueService, behalf),
    secrets: unaryClient(calls, SecretService, behalf),
    status: unaryClient(calls, StatusService, behalf),
    backups: unaryClient(calls, BackupService, behalf),
    senders: unaryClient(calls, SenderService, behalf),
    domains: unaryClient(calls, DomainService, behalf),
    policies: unaryClient(calls, PolicyService, behalf),
    templates: unaryClient(calls, TemplateService, behalf),
    messages: {
      ...unaryClient(calls, MessageService, behalf),
      ...downloadClient(calls, MessageService, behalf),
    },
    emails: unaryClient(calls, EmailService, behalf),
    suppressions: {
      ...unaryClient(calls, SuppressionService, behalf),
      ...downloadClient(calls, SuppressionService, behalf),
    },
    erasures: unaryClient(calls, ErasureService, behalf),
    live: downloadClient(calls, LiveService, behalf),
    events: { ...unaryClient(calls, EventService, behalf), ...downloadClient(calls, EventService, behalf) },
    alerts: unaryClient(calls, AlertService, behalf),
    rules: unaryClient(calls, RuleService, behalf),
    silences: unaryClient(calls, SilenceService, behalf),
    incidents: unaryClient(calls, IncidentService, behalf),
    intel: unaryClient(calls, IntelService, behalf),
    workspaces: unaryClient(calls, WorkspaceService, behalf),
    schedules: unaryClient(calls, ScheduleService, behalf),
    watches: unaryClient(calls, WatchService, behalf),
    bounces: unaryClient(calls, BounceService, behalf),
    sandbox: unaryClient(calls, SandboxService, behalf),
    unsubscribes: unaryClient(calls, UnsubscribeService, behalf),
    tracking: unaryClient(calls, TrackingService, behalf),
  };
}

export function createCoreClient(calls: CoreCalls): CoreClient {
  const batch = createCallBatch<typeof SendEmailRequestSchema, SendEmailResponse>({
    calls,
    service: EmailService,
    method: EmailService.method.sendEmailBatch,
    field: SendEmailBatchRequestSchema.field.requests,
    item: SendEmailRequestSchema,
    outcomesOf: (response) => (response as SendEmailBatchResponse).results.map(({ outcome }) => outcome),
    repeatable: ({ idempotencyKey = "" }) => idempotencyKey !== "",
  });

  return {
    sendEmail: (request, waitedMs) => batch.submit(request, waitedMs),
    submissions: createSubmissionClient(calls),
    ...areaClients(calls),
    onBehalfOf: (client) => areaClients(calls, client),
    ready: calls.ready,
    close: calls.close,
  };
}

/** A client of a core that is reached over gRPC. */
export function connectCoreClient(options: RemoteCallsOptions): CoreClient {
  return createCoreClient(openRemoteCalls(options));
}
