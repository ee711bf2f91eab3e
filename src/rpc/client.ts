import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { KeyService } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { AccountService } from "../../gen/hermod/account/v1/account_service_pb.ts";
import { AlertService, type IngestAlertRequestSchema } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import { AuditService } from "../../gen/hermod/audit/v1/audit_service_pb.ts";
import { BackupService } from "../../gen/hermod/backup/v1/backup_service_pb.ts";
import { BounceService } from "../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { CheckService } from "../../gen/hermod/check/v1/check_service_pb.ts";
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
import { HeartbeatService } from "../../gen/hermod/heartbeat/v1/heartbeat_service_pb.ts";
import { IncidentService } from "../../gen/hermod/incident/v1/incident_service_pb.ts";
import { InsightService } from "../../gen/hermod/insight/v1/insight_service_pb.ts";
import { InstallationService } from "../../gen/hermod/installation/v1/installation_service_pb.ts";
import { IntelService } from "../../gen/hermod/intel/v1/intel_service_pb.ts";
import { InvitationService } from "../../gen/hermod/invitation/v1/invitation_service_pb.ts";
import { JobService } from "../../gen/hermod/job/v1/job_service_pb.ts";
import { LabelService } from "../../gen/hermod/label/v1/label_service_pb.ts";
import { LiveService } from "../../gen/hermod/live/v1/live_service_pb.ts";
import { MemberService } from "../../gen/hermod/member/v1/member_service_pb.ts";
import { MessageService } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { OncallService } from "../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import { PolicyService } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { QueueService } from "../../gen/hermod/queue/v1/queue_service_pb.ts";
import { ReportService } from "../../gen/hermod/report/v1/report_service_pb.ts";
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
import { TargetService } from "../../gen/hermod/target/v1/target_service_pb.ts";
import { TemplateService } from "../../gen/hermod/template/v1/template_service_pb.ts";
import { TrackingService } from "../../gen/hermod/tracking/v1/tracking_service_pb.ts";
import { UnsubscribeService } from "../../gen/hermod/unsubscribe/v1/unsubscribe_service_pb.ts";
import { UserService } from "../../gen/hermod/user/v1/user_service_pb.ts";
import { WatchService } from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { WebhookService } from "../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { WorkspaceService } from "../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { createCallBatch } from "./batch.ts";
import type { DownloadClient, UnaryClient } from "./bridge.ts";
import type { CallerIdentity } from "./caller-identity.ts";
import { type CoreCalls, downloadClient, unaryClient } from "./calls.ts";
import { openRemoteCalls, type RemoteCallsOptions } from "./remote.ts";
import { createSubmissionClient, type SubmissionClient } from "./submissions.ts";

export type SendEmailInit = MessageInitShape<typeof SendEmailRequestSchema>;

/** The areas of the core, by the name under which they are called. */
export const services = {
  accounts: AccountService,
  users: UserService,
  members: MemberService,
  invitations: InvitationService,
  sessions: SessionService,
  factors: FactorService,
  keys: KeyService,
  audits: AuditService,
  counters: CounterService,
  webhooks: WebhookService,
  deliveries: DeliveryService,
  requests: RequestService,
  jobs: JobService,
  queues: QueueService,
  secrets: SecretService,
  status: StatusService,
  installation: InstallationService,
  backups: BackupService,
  senders: SenderService,
  domains: DomainService,
  policies: PolicyService,
  templates: TemplateService,
  messages: MessageService,
  emails: EmailService,
  suppressions: SuppressionService,
  erasures: ErasureService,
  live: LiveService,
  events: EventService,
  alerts: AlertService,
  rules: RuleService,
  silences: SilenceService,
  oncalls: OncallService,
  targets: TargetService,
  heartbeats: HeartbeatService,
  incidents: IncidentService,
  intel: IntelService,
  workspaces: WorkspaceService,
  schedules: ScheduleService,
  reports: ReportService,
  labels: LabelService,
  checks: CheckService,
  watches: WatchService,
  insights: InsightService,
  bounces: BounceService,
  sandbox: SandboxService,
  unsubscribes: UnsubscribeService,
  tracking: TrackingService,
};

type Services = typeof services;
type ClientOf<S> =
  S extends GenService<infer Methods> ? UnaryClient<Methods> & DownloadClient<Methods> : never;

/** The areas of the core, callable. Every method rejects with a Fault. */
export type AreaClients = { readonly [Area in keyof Services]: ClientOf<Services[Area]> };

export type IngestAlertInit = MessageInitShape<typeof IngestAlertRequestSchema>;

/** The only access of front ends to the core. Every method rejects with a Fault. */
export interface CoreClient extends AreaClients {
  /**
   * Submissions that arrive together are sent in one call. Each has its own outcome.
   * @param waitedMs time that the request has already waited for the core (0), subtracted from the deadline
   */
  sendEmail(request: SendEmailInit, waitedMs?: number): Promise<SendEmailResponse>;
  /** Finished messages, submitted over SMTP. */
  readonly submissions: SubmissionClient;
  /** Areas called for the client of a front end, with the rights of its session. */
  onBehalfOf(client: CallerIdentity): AreaClients;
  /** True when the core serves and can accept submissions. */
  ready(): Promise<boolean>;
  close(): void;
}

type AreaCalls = Pick<CoreCalls, "unary" | "download">;

const clientOf = <S extends GenServiceMethods>(
  calls: AreaCalls,
  service: GenService<S>,
  identity?: CallerIdentity,
) => ({
  ...unaryClient(calls, service, identity),
  ...downloadClient(calls, service, identity),
});

function areaClients(calls: AreaCalls): AreaClients {
  const clients = Object.entries(services).map(([area, service]) => [
    area,
    clientOf<GenServiceMethods>(calls, service),
  ]);
  return Object.fromEntries(clients);
}

const CALLER = Symbol("caller");
interface OnBehalf {
  readonly [CALLER]: { readonly calls: AreaCalls; readonly identity: CallerIdentity };
}

/** Clients of areas are created on first use: a front end creates these for each request and calls one area. */
const madeOnDemand: PropertyDescriptorMap & ThisType<OnBehalf> = Object.fromEntries(
  Object.entries(services).map(([area, service]) => {
    function get(this: OnBehalf) {
      const { calls, identity } = this[CALLER];
      const value = clientOf<GenServiceMethods>(calls, service, identity);
      Object.defineProperty(this, area, { value, enumerable: true });
      return value;
    }
    return [area, { get, enumerable: true, configurable: true }];
  }),
);

function clientsOnBehalf(calls: AreaCalls, identity: CallerIdentity): AreaClients {
  const caller: OnBehalf = { [CALLER]: { calls, identity } };
  return Object.defineProperties(caller, madeOnDemand) as OnBehalf & AreaClients;
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
    onBehalfOf: (client) => clientsOnBehalf(calls, client),
    ready: calls.ready,
    close: calls.close,
  };
}

/** Client of a core over gRPC. */
export function connectCoreClient(options: RemoteCallsOptions): CoreClient {
  return createCoreClient(openRemoteCalls(options));
}
