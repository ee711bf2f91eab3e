import type { Db } from "mongodb";
import { createAccountDeletionStore } from "./account-deletion-store.ts";
import { createAccountExportStore } from "./account-export-store.ts";
import { createAccountStore } from "./account-store.ts";
import { createAccountTransactions } from "./account-transactions.ts";
import { createAggregateReportStore } from "./aggregate-report-store.ts";
import { createAlertCounterStore } from "./alert-counters.ts";
import type { DamagedIncident } from "./alert-damage.ts";
import { createAlertRuleStore } from "./alert-rule-store.ts";
import { createAttemptEnds } from "./attempt-ends.ts";
import { createAttentionStore } from "./attention-store.ts";
import { type AuditLogOptions, createAuditLog, DEFAULT_AUDIT_RETENTION_MS } from "./audit/audit-log.ts";
import { createAuditStore } from "./audit-store.ts";
import { createAuditedWrites } from "./audited-writes.ts";
import { createBlacklistStore } from "./blacklist-store.ts";
import { createContentStore } from "./content-store.ts";
import { createCounterStore } from "./counter-store.ts";
import { createCountEvents } from "./counters/count-events.ts";
import { createCountLog } from "./counters/count-log.ts";
import { createCounterWriter } from "./counters/counter-writer.ts";
import { createSendingDays } from "./counters/sending-days.ts";
import { createDomainKeyStore } from "./domain-key-store.ts";
import { createDomainStore } from "./domain-store.ts";
import { createErasureStore } from "./erasure-store.ts";
import { createEventLog } from "./event-log.ts";
import { createEventLogStore } from "./event-log-store.ts";
import { createEventStore } from "./event-store.ts";
import { createEventWriter } from "./event-writer.ts";
import { createFactorStore } from "./factor-store.ts";
import { createFirstAccountStore } from "./first-account-store.ts";
import { createHeartbeatStore } from "./heartbeat-store.ts";
import { createHoldStore } from "./hold-store.ts";
import { createIdentityStore } from "./identity-store.ts";
import { createIncidentStore } from "./incident-store.ts";
import { createIntelAnswers } from "./intel-answers.ts";
import { createInvitationStore } from "./invitation-store.ts";
import { createJobStore } from "./job-store.ts";
import { createChooseRecord } from "./journal/choose-record.ts";
import { createFold } from "./journal/fold.ts";
import { createJournalWriter } from "./journal/journal-writer.ts";
import { createDeliveryNotes } from "./journal/note-deliveries.ts";
import { createNoteResource } from "./journal/note-resource.ts";
import { createRecover } from "./journal/recover.ts";
import { createJournalTailStore } from "./journal-tail-store.ts";
import { createKeyStore } from "./key-store.ts";
import { createLabelStore } from "./label-store.ts";
import { createListedIds } from "./listed-ids.ts";
import { createLivenessStore } from "./liveness-store.ts";
import { createMailHostStore } from "./mail-host-store.ts";
import { createMailLinkStore } from "./mail-link-store.ts";
import { createMemberStore } from "./member-store.ts";
import { createEndsSince } from "./message-end.ts";
import { createMessageStore } from "./message-store.ts";
import { createMtaStsStore } from "./mta-sts-store.ts";
import { createOncallStore } from "./oncall-store.ts";
import { createPartitionStore } from "./partition-store.ts";
import { createPasskeyStore } from "./passkey-store.ts";
import { createPlaceEvents } from "./place-events.ts";
import { createPlainVersions } from "./plain-versions.ts";
import { createPolicyHoldStore } from "./policy-hold-store.ts";
import { createPolicyStore } from "./policy-store.ts";
import { createPolicyVersionStore } from "./policy-version-store.ts";
import { createQuarantineStore } from "./quarantine-store.ts";
import { createQueueStore } from "./queue-store.ts";
import { createRegistrationStore } from "./registration-store.ts";
import { createReportLinkStore } from "./report-link-store.ts";
import { createReportStore } from "./report-store.ts";
import { createRequestCounterStore } from "./request-counters.ts";
import { createRequestStore } from "./request-store.ts";
import { createResourceUsers } from "./resource-users.ts";
import { createRetentionStore } from "./retention-store.ts";
import { createSandboxStore } from "./sandbox-store.ts";
import { createScheduleStore } from "./schedule-store.ts";
import { createSchemaStore } from "./schema-store.ts";
import { acrossAccountsOf, forAccountOf, rememberAccounts } from "./scopes.ts";
import { createSecretRotation } from "./sealing/rotate-secrets.ts";
import { createSealedBodyStore } from "./sealing/sealed-body.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { createSearchStore } from "./search/search-store.ts";
import { createSecretStore } from "./secret-store.ts";
import { createSenderStore } from "./sender-store.ts";
import { createSessionStore } from "./session-store.ts";
import { createSignInFailureStore } from "./sign-in-failure-store.ts";
import { createStartStore } from "./start-store.ts";
import { createSuppressionStore } from "./suppression-store.ts";
import { createTargetDeliveryStore } from "./target-delivery-store.ts";
import { createTargetStore } from "./target-store.ts";
import { createTemplateStore } from "./template-store.ts";
import { createUndeliveredAlertStore } from "./undelivered-alert-store.ts";
import { createUserStore } from "./user-store.ts";
import {
  versionedInhibition,
  versionedOnCallSchedule,
  versionedRule,
  versionedWebhook,
} from "./versioned-settings.ts";
import { createWaitingStore } from "./waiting-store.ts";
import { createWatchStore } from "./watch-store.ts";
import { createWebhookCounterStore } from "./webhook-counters.ts";
import { createWebhookDeliveryStore } from "./webhook-delivery-store.ts";
import { createWebhookOutbox } from "./webhook-outbox.ts";
import { createWebhookStore } from "./webhook-store.ts";
import { createWorkspaceStore } from "./workspace-store.ts";
import { createWriteInOrder, type EngineChannel } from "./write-in-order.ts";

export type Store = ReturnType<typeof createStore>;

/** The data of one account. Data of other accounts can be neither found nor changed, even with a known id. */
export type AccountStore = ReturnType<Store["forAccount"]>;

/** Operations on several accounts, or before the account is known. */
export type AcrossAccounts = Store["acrossAccounts"];

export interface StoreOptions {
  /** Only this store writes to the database: no other process, and no other store of this process. */
  readonly exclusive?: boolean;
  /** Channel to the engine of the database; undefined: only the driver is available. */
  readonly channel?: EngineChannel | undefined;
  /** Called once for each incident that is closed because its document is damaged. */
  readonly onDamagedIncident?: ((incident: DamagedIncident) => void) | undefined;
  /** Called when some events of an account are not counted because the document that counts them is damaged. */
  readonly onDamagedCounters?: ((accountId: string, reason: unknown) => void) | undefined;
}

/**
 * The collections of one database, with encrypted secrets. Data of accounts has two scopes: `forAccount` for every
 * request of an account, and `acrossAccounts`. A test lists the callers of the latter with their reasons.
 */
export function createStore(
  db: Db,
  sealing: Sealing,
  auditing: AuditLogOptions = { retentionMs: DEFAULT_AUDIT_RETENTION_MS },
  { exclusive = false, channel, onDamagedIncident, onDamagedCounters }: StoreOptions = {},
) {
  const log = createAuditLog(db, auditing);
  const writes = createAuditedWrites(db, log);
  const audit = createAuditStore(db, log);
  const search = createSearchStore(db);
  const journal = createJournalWriter(db);
  const sealedBodies = createSealedBodyStore(db, sealing);
  const contents = createContentStore(db, sealedBodies);
  const inOrder = createWriteInOrder(db, channel);
  const eventWriter = createEventWriter(db, journal);
  const events = createEventStore(db, eventWriter);
  const recordEnds = createAttemptEnds(db, eventWriter, inOrder, createEndsSince(db));
  const eventLog = createEventLog(db);
  const deliveryNotes = createDeliveryNotes(db);
  const { noteIncidents, noteWatch, noteHeartbeat } = deliveryNotes;
  const outbox = createWebhookOutbox(db, eventLog, deliveryNotes.note);
  const undeliveredAlerts = createUndeliveredAlertStore(db);
  const sendingDays = createSendingDays(db);
  const counters = createCounterWriter(db, sendingDays);
  const noteResource = createNoteResource(db);
  const countEvents = createCountEvents({ counters, undeliveredAlerts });
  const placing = createPlaceEvents(db, countEvents);
  const counting = createCountLog(db, countEvents, { onDamaged: onDamagedCounters });
  const chooseRecord = createChooseRecord(db, eventLog, countEvents);
  const answers = createIntelAnswers(db);
  const transact = createAccountTransactions(db);
  const users = createResourceUsers(db);
  const policyVersions = createPolicyVersionStore(db, sealing);
  const alertRuleVersions = createPlainVersions(db, versionedRule);
  const inhibitionVersions = createPlainVersions(db, versionedInhibition);
  const oncallVersions = createPlainVersions(db, versionedOnCallSchedule);
  const webhookVersions = createPlainVersions(db, versionedWebhook);
  const collections = {
    audit,
    search,
    sendingDays,
    undeliveredAlerts,
    members: createMemberStore(db, writes),
    invitations: createInvitationStore(db, writes),
    keys: createKeyStore(db, writes),
    senders: createSenderStore(db, writes, users),
    domains: createDomainStore(db, writes, { outbox, users, noteResource }),
    domainKeys: createDomainKeyStore(db, sealing, writes),
    policies: createPolicyStore(db, sealing, writes, { users, versions: policyVersions }),
    policyVersions,
    policyHolds: createPolicyHoldStore(db, writes),
    templates: createTemplateStore(db, writes, users),
    contents,
    messages: createMessageStore(db, { search, journal, contents, inOrder }),
    queue: createQueueStore(db, writes, recordEnds),
    quarantine: createQuarantineStore(db, writes),
    events,
    suppressions: createSuppressionStore(db, writes, outbox, exclusive ? createListedIds(db) : undefined),
    sandbox: createSandboxStore(db, writes, sealedBodies),
    counters: createCounterStore(db),
    waiting: createWaitingStore(db),
    start: createStartStore(db),
    attention: createAttentionStore(db),
    requests: createRequestStore(db),
    requestCounters: createRequestCounterStore(db),
    jobs: createJobStore(db, writes, noteResource),
    erasures: createErasureStore(db, writes, search),
    retentions: createRetentionStore(db, writes),
    journalTail: createJournalTailStore(db),
    eventLog: createEventLogStore(db, placing, counting),
    exports: createAccountExportStore(db),
    webhooks: createWebhookStore(db, sealing, writes, { outbox, versions: webhookVersions }),
    webhookVersions,
    alertRules: createAlertRuleStore(db, writes, {
      users,
      ruleVersions: alertRuleVersions,
      inhibitionVersions,
    }),
    alertRuleVersions,
    inhibitionVersions,
    oncalls: createOncallStore(db, writes, { users, versions: oncallVersions }),
    oncallVersions,
    targets: createTargetStore(db, sealing, writes, users),
    targetDeliveries: createTargetDeliveryStore(db, writes, undeliveredAlerts, noteIncidents),
    incidents: createIncidentStore(db, outbox, { onDamaged: onDamagedIncident, noteIncidents }),
    alertCounters: createAlertCounterStore(db),
    heartbeats: createHeartbeatStore(db, writes, { transact, noteHeartbeat }),
    webhookDeliveries: createWebhookDeliveryStore(db, writes, outbox, deliveryNotes.note),
    webhookCounters: createWebhookCounterStore(db),
    workspaces: createWorkspaceStore(db, writes, { answers, transact, users }),
    watches: createWatchStore(db, writes, { answers, outbox, transact, users, noteWatch }),
    blacklists: createBlacklistStore(db),
    reports: createReportStore(db, writes, { answers, outbox }),
    reportLinks: createReportLinkStore(db, writes, { transact }),
    labels: createLabelStore(db, writes),
    aggregateReports: createAggregateReportStore(db),
    schedules: createScheduleStore(db, writes, { transact, users }),
  };

  return {
    audit: audit.own,
    accounts: createAccountStore(db, writes),
    accountDeletions: createAccountDeletionStore(db, writes, search),
    users: createUserStore(db, writes),
    sessions: createSessionStore(db, writes),
    signInFailures: createSignInFailureStore(db),
    factors: createFactorStore(db, { sealing, writes }),
    passkeys: createPasskeyStore(db, writes),
    identities: createIdentityStore(db, writes),
    mailLinks: createMailLinkStore(db, writes),
    firstAccount: createFirstAccountStore(db, writes),
    partitions: createPartitionStore(db),
    schema: createSchemaStore(db),
    holds: createHoldStore(db, writes),
    secrets: createSecretStore(db, sealing),
    secretRotation: createSecretRotation(db, sealing),
    liveness: createLivenessStore(db),
    mtaStsPolicies: createMtaStsStore(db),
    mailHosts: createMailHostStore(db),
    registrations: createRegistrationStore(db),
    blacklistStates: {
      find: collections.blacklists.find,
      findTrusts: collections.blacklists.findTrusts,
    },

    forAccount: rememberAccounts((accountId) => ({
      id: accountId,
      ...forAccountOf(collections, accountId),
    })),

    acrossAccounts: {
      ...acrossAccountsOf(collections),
      journal: {
        ...createFold(db, journal, { outbox, chooseRecord, placing }),
        recover: createRecover(db, { outbox, chooseRecord, placing }),
        noteDeliveries: deliveryNotes.write,
      },
    },
  };
}
