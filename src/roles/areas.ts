import { accounts } from "../core/accounts/accounts.ts";
import { alerts } from "../core/alerts/alerts.ts";
import { incidents } from "../core/alerts/incidents.ts";
import { rules } from "../core/alerts/rules.ts";
import { silences } from "../core/alerts/silences.ts";
import { targets } from "../core/alerts/targets.ts";
import { audits } from "../core/audits/audits.ts";
import { backups } from "../core/backups.ts";
import { bounces } from "../core/bounces/bounces.ts";
import { counters } from "../core/counters/counters.ts";
import { deliveries } from "../core/deliveries/deliveries.ts";
import type { Dependencies } from "../core/dependencies.ts";
import { dispatches } from "../core/dispatch/dispatches.ts";
import { domains } from "../core/domains/domains.ts";
import { erasures } from "../core/erasures/erasures.ts";
import { events } from "../core/events/events.ts";
import { factors } from "../core/factors/factors.ts";
import { heartbeats } from "../core/heartbeats/heartbeats.ts";
import { installation } from "../core/installation.ts";
import { checks } from "../core/intel/checks.ts";
import { insights } from "../core/intel/insights.ts";
import { intel } from "../core/intel/intel.ts";
import { labels } from "../core/intel/labels.ts";
import { reports } from "../core/intel/reports.ts";
import { schedules } from "../core/intel/schedules.ts";
import { watches } from "../core/intel/watches.ts";
import { workspaces } from "../core/intel/workspaces.ts";
import { invitations } from "../core/invitations/invitations.ts";
import { jobs } from "../core/jobs/jobs.ts";
import { keys } from "../core/keys/keys.ts";
import { live } from "../core/live/live.ts";
import { members } from "../core/members/members.ts";
import { messages } from "../core/messages.ts";
import { oncalls } from "../core/oncalls/oncalls.ts";
import { policies } from "../core/policies/policies.ts";
import { queues } from "../core/queues.ts";
import { requests } from "../core/requests/requests.ts";
import { sandbox } from "../core/sandbox.ts";
import { secrets } from "../core/secrets.ts";
import { emails } from "../core/send/emails.ts";
import { senders } from "../core/senders/senders.ts";
import { sessions } from "../core/sessions/sessions.ts";
import { status } from "../core/status.ts";
import { submissions } from "../core/submissions/submissions.ts";
import { suppressions } from "../core/suppressions/suppressions.ts";
import { templates } from "../core/templates/templates.ts";
import { tracking } from "../core/tracking/tracking.ts";
import { unsubscribes } from "../core/unsubscribes.ts";
import { users } from "../core/users/users.ts";
import { webhooks } from "../core/webhooks/webhooks.ts";
import type { Area } from "../rpc/area.ts";

/** Services of the core: a new area adds a line here. */
export const areas: readonly Area<Dependencies>[] = [
  emails,
  submissions,
  messages,
  live,
  events,
  accounts,
  users,
  members,
  invitations,
  sessions,
  factors,
  keys,
  audits,
  counters,
  requests,
  webhooks,
  deliveries,
  alerts,
  rules,
  silences,
  oncalls,
  targets,
  heartbeats,
  incidents,
  intel,
  workspaces,
  watches,
  reports,
  labels,
  checks,
  insights,
  schedules,
  jobs,
  senders,
  domains,
  policies,
  templates,
  suppressions,
  erasures,
  bounces,
  unsubscribes,
  tracking,
  sandbox,
  dispatches,
  secrets,
  queues,
  backups,
  status,
  installation,
];
