import { KeyService } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { BackupService } from "../../gen/hermod/backup/v1/backup_service_pb.ts";
import { BounceService } from "../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { DispatchService } from "../../gen/hermod/dispatch/v1/dispatch_service_pb.ts";
import { DomainService } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { EmailService } from "../../gen/hermod/email/v1/email_service_pb.ts";
import { MessageService } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { PolicyService } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { SandboxService } from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { SecretService } from "../../gen/hermod/secret/v1/secret_service_pb.ts";
import { SenderService } from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import { SubmissionService } from "../../gen/hermod/submission/v1/submission_service_pb.ts";
import { SuppressionService } from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { TemplateService } from "../../gen/hermod/template/v1/template_service_pb.ts";
import { UnsubscribeService } from "../../gen/hermod/unsubscribe/v1/unsubscribe_service_pb.ts";
import { type AccountSettings, createAccountSettings } from "../core/access/account-settings.ts";
import { createKeyAuthenticator } from "../core/access/authenticate-key.ts";
import { createRateLimits } from "../core/access/rate-limits.ts";
import { createVerifySender } from "../core/access/verify-sender.ts";
import { type CopyDatabase, createBackUp } from "../core/backups.ts";
import { createCheckReturnPath } from "../core/bounces/bounces.ts";
import { createForwardMail } from "../core/bounces/forward-mail.ts";
import { createReportBounce } from "../core/bounces/report-bounce.ts";
import { createDispatch } from "../core/dispatch/dispatch.ts";
import { createSubscribe } from "../core/dispatch/subscribe.ts";
import { createAddDomain, createGetDomain, createRotateDomain } from "../core/domains.ts";
import { createCheckKey, createCreateKey, createListKeys, createRevokeKey } from "../core/keys.ts";
import { createCancelMessage, createGetMessage, createListMessages } from "../core/messages.ts";
import { createGetPolicy, createListPolicies, createPutPolicy } from "../core/policies/policies.ts";
import {
  createDropQuarantined,
  createGetQuarantined,
  createListQuarantined,
  createReleaseQuarantined,
} from "../core/quarantine.ts";
import {
  createClearSandboxMessages,
  createGetSandboxMessage,
  createListSandboxMessages,
} from "../core/sandbox.ts";
import { createRotateSecrets } from "../core/secrets.ts";
import { createIdempotency } from "../core/send/idempotency.ts";
import { createIntake, type Intake, type Submission } from "../core/send/intake.ts";
import { createPrepareEmail } from "../core/send/prepare-email.ts";
import { createSendEmail } from "../core/send/send-email.ts";
import { createSendEmailBatch } from "../core/send/send-email-batch.ts";
import { readSendEmail, readSendEmailBatch, readSubmissionBatch } from "../core/send/unread.ts";
import { createAddSender, createListSenders } from "../core/senders.ts";
import {
  createAddSuppression,
  createListSuppressions,
  createRemoveSuppression,
} from "../core/suppressions.ts";
import { createListTemplates, createPutTemplate } from "../core/templates.ts";
import { createCheckToken, createUnsubscribe } from "../core/unsubscribes.ts";
import { createLoadContent } from "../delivery/queue/load-content.ts";
import type { CallerRole, CallerTokens } from "../rpc/callers.ts";
import type { CoreCalls } from "../rpc/calls.ts";
import { logUnexpected, traceIdOf } from "../rpc/serve.ts";
import { type CoreServer, type CoreTls, createCoreServer } from "../rpc/server.ts";
import type { PartitionOf } from "../shared/partition.ts";
import { listenError } from "../shared/startup-error.ts";
import type { Store } from "../store/store.ts";
import { composeByteBudget } from "./byte-budget.ts";
import { longestAgeMs } from "./longest-age.ts";
import { measureAccepts } from "./measure-accepts.ts";
import { composeNotices } from "./notices.ts";
import type { Process } from "./process.ts";
import { composeReturnPaths } from "./return-paths.ts";
import { composeSubmissions } from "./submissions.ts";
import { suppressionMs } from "./suppression-ms.ts";
import { openUnsubscribeTokens } from "./unsubscribe-tokens.ts";

const HOUR_MS = 3_600_000;
const LAST_USED_FLUSH_MS = 10_000;

export interface CoreParts {
  readonly store: Store;
  readonly settings: AccountSettings;
  readonly tokens: CallerTokens;
  readonly partitionOf: PartitionOf;
  /** undefined: the database has tools of its own. */
  readonly copyDatabase: CopyDatabase | undefined;
  /** Hands a message to this process's own worker; false: it does not hold the message's partition. */
  readonly offerHere: (submission: Submission) => boolean;
}

export interface RunningCore {
  readonly port: number;
  /** For callers of one role in the same process. */
  calls(role: CallerRole): CoreCalls;
}

/** The gRPC core, listening. */
export async function composeCore(process: Process, parts: CoreParts): Promise<RunningCore> {
  const { config, clock, log, lifecycle, metrics } = process;
  const { store, settings, tokens, partitionOf, offerHere } = parts;
  const authenticator = createKeyAuthenticator({
    keys: store.keys,
    clock,
    cacheMs: config.HERMOD_KEY_CACHE_MS,
  });
  const dispatch = createDispatch({ onClaimed: (partitions) => metrics.dispatchPartitions.set(partitions) });
  const onTrouble = (error: unknown) => {
    metrics.acceptTroubles.inc();
    log.warn({ err: error }, "trouble after a submission was decided; nothing accepted is lost");
  };
  const intake = createIntake({
    store,
    onStored: (submission) => {
      // Scheduled messages are nobody's to deliver yet.
      if (submission.message.state !== "queued") return;
      if (offerHere(submission)) metrics.handovers.inc({ via: "process" });
      else metrics.handovers.inc({ via: dispatch.announce(submission.message) ? "stream" : "polling" });
    },
    onTrouble,
  });
  const budget = composeByteBudget(process, "core");
  const rateLimits = createRateLimits({
    perKey: config.HERMOD_RATE_LIMIT_KEY,
    perAccount: config.HERMOD_RATE_LIMIT_ACCOUNT,
  });
  const idempotency = createIdempotency({
    messages: store.messages,
    clock,
    retentionMs: config.HERMOD_IDEMPOTENCY_HOURS * HOUR_MS,
  });
  const verifySender = createVerifySender(settings);
  const sendEmail = measureAccepts(
    process,
    createSendEmail({
      authenticator,
      rateLimits,
      idempotency,
      prepareEmail: createPrepareEmail({
        settings,
        verifySender,
        limits: {
          messageBytes: config.HERMOD_MESSAGE_MAX_BYTES,
          bodyBytes: config.HERMOD_BODY_MAX_BYTES,
          to: config.HERMOD_TO_MAX,
          headers: config.HERMOD_HEADERS_MAX,
          attachments: config.HERMOD_ATTACHMENTS_MAX,
          sendAtDays: config.HERMOD_SEND_AT_MAX_DAYS,
        },
      }),
      intake,
      partitionOf,
      budget,
      clock,
      contentRetentionMs: config.HERMOD_CONTENT_RETENTION_DAYS * 24 * HOUR_MS,
    }),
  );
  const sendEmailBatch = createSendEmailBatch({
    sendEmail,
    traceIdOf: (request) => traceIdOf(request, clock),
    onUnexpected: (failed, traceId) => logUnexpected(log, failed, traceId, "SendEmail"),
  });

  const server = createCoreServer({
    host: config.HERMOD_GRPC_HOST,
    port: config.HERMOD_GRPC_PORT,
    tokens,
    tls: coreTls(process),
    clock,
    log,
  });
  server.add(
    EmailService,
    { sendEmail, sendEmailBatch },
    { sendEmail: readSendEmail, sendEmailBatch: readSendEmailBatch },
  );
  server.add(
    SubmissionService,
    composeSubmissions(process, {
      store,
      settings,
      authenticator,
      verifySender,
      rateLimits,
      idempotency,
      intake,
      partitionOf,
      budget,
      onTrouble,
    }),
    { submitMessageBatch: readSubmissionBatch },
  );
  server.add(KeyService, {
    createKey: createCreateKey({ store, clock }),
    listKeys: createListKeys({ store }),
    revokeKey: createRevokeKey({ store, authenticator, clock }),
    checkKey: createCheckKey({ authenticator }),
  });
  server.add(SenderService, {
    addSender: createAddSender({ store, settings, clock }),
    listSenders: createListSenders({ store }),
  });
  server.add(DomainService, {
    addDomain: createAddDomain({ store, settings, clock }),
    getDomain: createGetDomain({ store, clock }),
    rotateDomain: createRotateDomain({ store, settings, clock }),
  });
  server.add(PolicyService, {
    putPolicy: createPutPolicy({
      store,
      settings,
      clock,
      surroundings: {
        baseUrl: config.HERMOD_BASE_URL,
        maxAgeMs: config.HERMOD_MAX_AGE_HOURS * HOUR_MS,
        longestAgeMs: longestAgeMs(config),
        allowPrivate: config.HERMOD_ALLOW_PRIVATE_DESTINATIONS,
      },
    }),
    getPolicy: createGetPolicy({ store }),
    listPolicies: createListPolicies({ store }),
  });
  server.add(TemplateService, {
    putTemplate: createPutTemplate({ store, settings, clock }),
    listTemplates: createListTemplates({ store }),
  });
  const retentionMs = config.HERMOD_MESSAGE_RETENTION_DAYS * 24 * HOUR_MS;
  server.add(MessageService, {
    getMessage: createGetMessage({ store }),
    listMessages: createListMessages({ store }),
    cancelMessage: createCancelMessage({
      store,
      clock,
      retentionMs,
    }),
    listQuarantinedMessages: createListQuarantined({ store }),
    getQuarantinedMessage: createGetQuarantined({ store }),
    releaseQuarantinedMessage: createReleaseQuarantined({ store, clock, retentionMs }),
    dropQuarantinedMessage: createDropQuarantined({ store, clock, retentionMs }),
  });
  server.add(SuppressionService, {
    addSuppression: createAddSuppression({ store, clock }),
    removeSuppression: createRemoveSuppression({ store, clock }),
    listSuppressions: createListSuppressions({ store, clock }),
  });
  server.add(BounceService, await bounceHandlers(process, parts, intake));
  server.add(BackupService, { backUp: createBackUp({ copy: parts.copyDatabase }) });
  server.add(SecretService, { rotateSecrets: createRotateSecrets({ store }) });
  server.add(DispatchService, { subscribe: createSubscribe({ dispatch, log }) });
  server.add(SandboxService, {
    listSandboxMessages: createListSandboxMessages({ store }),
    getSandboxMessage: createGetSandboxMessage({ store }),
    clearSandboxMessages: createClearSandboxMessages({ store }),
  });
  const links = await openUnsubscribeTokens(store);
  server.add(UnsubscribeService, {
    unsubscribe: createUnsubscribe({ store, tokens: links, clock }),
    checkToken: createCheckToken({ tokens: links }),
  });

  const flush = () =>
    authenticator.flushLastUsed().catch((error) => log.warn({ err: error }, "last use of keys not recorded"));
  const timer = setInterval(flush, LAST_USED_FLUSH_MS);
  lifecycle.defer("last use of keys", async () => {
    clearInterval(timer);
    await flush();
  });
  const port = await listen(server, process);
  lifecycle.defer("core", async (drainMs) => {
    // Subscriptions have no end of their own to wait for.
    dispatch.close();
    await server.close(drainMs);
    await intake.idle();
  });
  return { port, calls: (role) => server.localCalls(role, config.HERMOD_CORE_DEADLINE_MS) };
}

async function bounceHandlers(process: Process, { store, settings, partitionOf }: CoreParts, intake: Intake) {
  const { config, clock, log, metrics } = process;
  const { HERMOD_BOUNCE_DOMAIN: bounceDomain } = config;
  const returnPaths = await composeReturnPaths(config, store);
  return {
    checkReturnPath: createCheckReturnPath({
      returnPaths,
      bounceDomain,
      readsRoles: config.HERMOD_POSTMASTER_ADDRESS !== undefined,
    }),
    forwardMail: createForwardMail({
      store,
      settings,
      intake,
      partitionOf,
      bounceDomain,
      postmasterAddress: config.HERMOD_POSTMASTER_ADDRESS,
      maxHops: config.HERMOD_MAX_HOPS,
      contentRetentionMs: config.HERMOD_CONTENT_RETENTION_DAYS * 24 * HOUR_MS,
      clock,
      log,
    }),
    reportBounce: createReportBounce({
      store,
      storeNotices: composeNotices(process, {
        store,
        settings,
        loadBody: createLoadContent({ contents: store.contents }),
        partitionOf,
      }),
      returnPaths,
      bounceDomain,
      suppressionMs: suppressionMs(config),
      retentionMs: config.HERMOD_MESSAGE_RETENTION_DAYS * 24 * HOUR_MS,
      clock,
      log,
      onReport: (kind, outcome) => metrics.bounceReports.inc({ kind, outcome }),
    }),
  };
}

async function listen(server: CoreServer, { config }: Process): Promise<number> {
  try {
    return await server.listen();
  } catch (error) {
    throw listenError("HERMOD_GRPC_PORT", config.HERMOD_GRPC_HOST, config.HERMOD_GRPC_PORT, error);
  }
}

function coreTls({ config }: Process): CoreTls | undefined {
  const {
    HERMOD_GRPC_TLS_CERT: cert,
    HERMOD_GRPC_TLS_KEY: key,
    HERMOD_GRPC_TLS_CLIENT_CA: clientCa,
  } = config;
  return cert && key ? { cert, key, clientCa } : undefined;
}

export function composeAccountSettings({ config, clock }: Process, store: Store): AccountSettings {
  return createAccountSettings({ store, clock, cacheMs: config.HERMOD_KEY_CACHE_MS });
}
