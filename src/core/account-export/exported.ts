import { KeySchema } from "../../../gen/hermod/access/v1/key_service_pb.ts";
import { StoredAlertSchema } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { EntrySchema } from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import { DomainEventSchema, DomainSchema } from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import { ErasureSchema } from "../../../gen/hermod/erasure/v1/erasure_service_pb.ts";
import {
  HeartbeatPingSchema,
  HeartbeatSchema,
} from "../../../gen/hermod/heartbeat/v1/heartbeat_service_pb.ts";
import { InvitationSchema } from "../../../gen/hermod/invitation/v1/invitation_service_pb.ts";
import { JobSchema } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import { LabelSchema } from "../../../gen/hermod/label/v1/label_service_pb.ts";
import { MemberSchema } from "../../../gen/hermod/member/v1/member_service_pb.ts";
import {
  OnCallOverrideSchema,
  OnCallScheduleSchema,
} from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import { PolicyHoldSchema, PolicySchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { ReportLinkSchema } from "../../../gen/hermod/report/v1/report_service_pb.ts";
import { RequestSchema } from "../../../gen/hermod/request/v1/request_service_pb.ts";
import { AlertRuleSchema } from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import { ScheduleSchema } from "../../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import { SenderSchema } from "../../../gen/hermod/sender/v1/sender_service_pb.ts";
import { InhibitionSchema, SilenceSchema } from "../../../gen/hermod/silence/v1/silence_service_pb.ts";
import { SuppressionSchema } from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { TargetSchema } from "../../../gen/hermod/target/v1/target_service_pb.ts";
import { StoredTemplateSchema, TemplateSchema } from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { WatchChangeSchema, WatchedDomainSchema } from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { WebhookSchema } from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { ClientSchema, WorkspaceSchema } from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { bytesOf } from "../../store/chunk-store.ts";
import type { WalkedCollection, WalkedDocument } from "../../store/collections/collections.ts";
import {
  type CounterDocument,
  counterDimensions,
  valueOfKey,
} from "../../store/counters/counter-documents.ts";
import type { TemplateHeadDocument } from "../../store/documents.ts";
import { KEPT_PINGS } from "../../store/heartbeat-store.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { toStoredAlert } from "../alerts/alert-to-proto.ts";
import { toInhibition } from "../alerts/inhibitions.ts";
import { toAlertRule } from "../alerts/rule-to-proto.ts";
import { toSilence } from "../alerts/silence-to-proto.ts";
import { toTarget } from "../alerts/target-to-proto.ts";
import { toEntry } from "../audits/to-entry.ts";
import type { Dependencies } from "../dependencies.ts";
import { describeDomain } from "../domains/domain-needs.ts";
import { toDomainEvent } from "../domains/domain-to-proto.ts";
import { toErasure } from "../erasures/erasure-to-proto.ts";
import { toHeartbeat, toHeartbeatPing } from "../heartbeats/heartbeat-to-proto.ts";
import { describeDomains } from "../intel/describe-domains.ts";
import { toLabel } from "../intel/labels.ts";
import { toReportLink } from "../intel/report-to-proto.ts";
import { toSchedule } from "../intel/schedule-to-proto.ts";
import { toWatchChange } from "../intel/watch-to-proto.ts";
import { toClient, toWorkspace } from "../intel/workspace-to-proto.ts";
import { toInvitation } from "../invitations/invitation.ts";
import { toJob } from "../jobs/to-job.ts";
import { usesByDay } from "../keys/keys.ts";
import { toMember } from "../members/member-to-proto.ts";
import { toOnCallSchedule, toOverride } from "../oncalls/on-call-to-proto.ts";
import { userIdsOf } from "../oncalls/present-recipients.ts";
import { toPolicyHold } from "../policies/policy-holds.ts";
import { toPolicy } from "../policies/policy-to-proto.ts";
import { toRequest } from "../requests/positions.ts";
import { toKey, toSender, toStoredTemplate, toSuppression, toTemplate } from "../to-proto.ts";
import { toWebhook } from "../webhooks/webhook-to-proto.ts";
import { type Line, shown } from "./line.ts";
import { capturedLine, messageLine, quarantinedLine } from "./message-lines.ts";

/** Context for the creation of lines. */
export interface ExportContext extends Pick<Dependencies, "clock" | "sendingSetup" | "intel"> {
  readonly store: Pick<Store, "users">;
  readonly account: AccountStore;
  readonly now: Date;
  readonly bodies: boolean;
}

type Lines = Line | readonly Line[];
/** Creates the lines of a document. */
type Walked<C extends WalkedCollection> = (
  document: WalkedDocument<C>,
  context: ExportContext,
) => Lines | Promise<Lines>;
/**
 * Lines of each collection in an export, in this order. `src/store/collections/` names the collections that are not
 * exported.
 */
export const exported: { readonly [C in WalkedCollection]: Walked<C> } = {
  members: async (member, { store }) => {
    const user = await store.users.findById(member.userId);
    return line("member", shown(MemberSchema, toMember(member, user?.email)));
  },
  invitations: (invitation) => line("invitation", shown(InvitationSchema, toInvitation(invitation))),
  apiKeys: async (key, { account, now }) => {
    const uses = usesByDay(await account.keys.usesSince(key._id, ""));
    return line("key", { ...shown(KeySchema, toKey(key, now)), uses });
  },
  senders: (sender) =>
    line("sender", { ...shown(SenderSchema, toSender(sender)), created_at: sender.createdAt }),
  domains: async (domain, { account, ...needs }) => {
    const keys = await account.domainKeys.list(domain.name);
    const described = await describeDomain(needs, { account, domain, keys });
    return line("domain", shown(DomainSchema, described.domain));
  },
  domainEvents: (event) => line("domain_event", shown(DomainEventSchema, toDomainEvent(event))),
  policies: (policy) =>
    line("policy", { ...shown(PolicySchema, toPolicy(policy)), retired_at: policy.retiredAt }),
  policyHolds: (hold) => line("policy_hold", shown(PolicyHoldSchema, toPolicyHold(hold))),
  templateHeads: (head) => templateLine(head),
  templates: ({ name, ...version }) =>
    line("template_version", {
      name,
      ...shown(StoredTemplateSchema, toStoredTemplate({ name, ...version })),
    }),
  suppressions: (entry) => line("suppression", shown(SuppressionSchema, toSuppression(entry))),
  messages: messageLine,
  sandboxMessages: capturedLine,
  quarantine: quarantinedLine,
  requests: ({ _id: documentId, accountId, entries }) =>
    entries.map((entry, index) =>
      line("request", shown(RequestSchema, toRequest(accountId, { documentId, index }, entry))),
    ),
  jobs: (job) => line("job", shown(JobSchema, toJob(job))),
  jobResults: ({ jobId, entries }) => entries.map((entry) => line("job_result", { job_id: jobId, ...entry })),
  erasures: (erasure) => line("erasure", shown(ErasureSchema, toErasure(erasure))),
  counters: (counter) => counterLine(counter),
  auditEntries: (entry) => line("audit_entry", shown(EntrySchema, toEntry(entry))),
  webhookEndpoints: (endpoint) =>
    line("webhook", shown(WebhookSchema, toWebhook({ ...endpoint, secrets: [], headers: [] }))),
  alertRules: (rule) => line("alert_rule", shown(AlertRuleSchema, toAlertRule(rule))),
  alertTargets: (target) =>
    line("alert_target", shown(TargetSchema, toTarget({ ...target, url: "", secrets: [], headers: [] }))),
  silences: (silence, { now }) => line("silence", shown(SilenceSchema, toSilence(silence, now))),
  inhibitions: (inhibition) => line("inhibition", shown(InhibitionSchema, toInhibition(inhibition))),
  onCallSchedules: async (schedule, { account }) => {
    const addresses = await account.oncalls.addresses(userIdsOf([schedule], []));
    return line("on_call_schedule", shown(OnCallScheduleSchema, toOnCallSchedule(schedule, addresses)));
  },
  onCallOverrides: async (override, { account, now }) => {
    const addresses = await account.oncalls.addresses(userIdsOf([], [override]));
    const fields = shown(OnCallOverrideSchema, toOverride(override, addresses, now));
    return line("on_call_override", { schedule_id: override.scheduleId, ...fields });
  },
  heartbeats: async (heartbeat, { account, now }) => {
    const pings = await account.heartbeats.listPings(heartbeat._id, { limit: KEPT_PINGS });
    return line("heartbeat", {
      ...shown(HeartbeatSchema, toHeartbeat(heartbeat, now)),
      pings: pings.map((ping) => shown(HeartbeatPingSchema, toHeartbeatPing(ping))),
    });
  },
  alerts: (alert) => line("alert", shown(StoredAlertSchema, toStoredAlert(alert))),
  incidents: async (incident, { account }) => {
    const history = await account.incidents.listHistory(incident._id);
    const { _id: id, ruleName: rule, state, title, severity, openedAt, resolvedAt, alerts } = incident;
    const { assignee, snoozedUntil } = incident;
    return line("incident", {
      id,
      rule,
      state,
      title,
      severity,
      alerts,
      opened_at: openedAt,
      resolved_at: resolvedAt,
      snoozed_until: snoozedUntil,
      assignee_id: assignee,
      history: history.map(({ at, kind, detail, by, messageIds }) => ({
        at,
        kind,
        detail,
        by,
        message_ids: messageIds,
      })),
    });
  },
  workspaces: (workspace) =>
    line("workspace", shown(WorkspaceSchema, toWorkspace(workspace, { kind: "system" }))),
  intelClients: (client) => line("client", shown(ClientSchema, toClient(client))),
  watchedDomains: async (domain, { account, intel, now }) => {
    const asked = { account, domains: [domain], intel, now };
    const [described] = await describeDomains({ ...asked, withChecks: true, withHistory: true });
    return line("watched_domain", shown(WatchedDomainSchema, described ?? {}));
  },
  watchChanges: (change) => line("watch_change", shown(WatchChangeSchema, toWatchChange(change))),
  intelReports: async ({ _id: id, generatedAt, scope, period }, { account }) => {
    const bytes = await account.reports.read(id, "json");
    const report: unknown = bytes ? JSON.parse(Buffer.from(bytes).toString()) : { scope, period };
    return line("report", { id, generated_at: generatedAt, report });
  },
  reportLinks: (link, { now }) => line("report_link", shown(ReportLinkSchema, toReportLink(link, now))),
  reportLabels: (label) =>
    line("report_label", {
      ...shown(LabelSchema, toLabel(label)),
      ...(label.logo && { logo_png: Buffer.from(bytesOf(label.logo.data)).toString("base64") }),
    }),
  reportSchedules: (schedule, { now }) => line("schedule", shown(ScheduleSchema, toSchedule(schedule, now))),
  sendingDays: ({ domain, day, counts }) => line("sending_day", { domain, day, counts }),
  dmarcRollups: ({ domainId, _id, accountId, expireAt, ...counted }) =>
    line("dmarc_source", { domain_id: domainId, ...counted }),
  tlsRollups: ({ domainId, _id, accountId, expireAt, ...counted }) =>
    line("tls_result", { domain_id: domainId, ...counted }),
  aggregateReports: ({ domainId, _id, accountId, expireAt, ...report }) =>
    line("aggregate_report", { domain_id: domainId, ...report }),
  reportInboxes: ({ _id, counts, refused, lastAt }) =>
    line("report_inbox", { domain_id: _id, counts, refused, last_at: lastAt }),
};

function line(kind: string, fields: Line["fields"]): Line {
  return { kind, fields };
}

/** Data of a template in addition to its versions. */
function templateLine(head: TemplateHeadDocument) {
  const { name, present, draft, draftSavedAt, draftSavedBy, testData, dataSets = [] } = head;
  return line("template", {
    name,
    deleted: !present,
    draft: draft && shown(TemplateSchema, toTemplate(draft)),
    draft_saved_at: draftSavedAt,
    draft_saved_by: draftSavedBy?.name,
    test_data_json: testData,
    data_sets: dataSets.map((one) => ({ name: one.name, data_json: one.data })),
  });
}

/** Counters of one day. */
function counterLine(counter: CounterDocument) {
  const counted = counterDimensions.flatMap((dimension) => {
    const values = Object.entries(counter[dimension] ?? {});
    return values.map(([key, counts]) => ({ dimension, value: valueOfKey(key) ?? null, counts }));
  });
  return line("counter", { step: counter.step, at: counter.at, counted });
}
