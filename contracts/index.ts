import { initContract } from "@ts-rest/core";
import { alerts } from "./alerts.ts";
import { accounts } from "./dashboard/accounts.ts";
import { audits } from "./dashboard/audits.ts";
import { checks } from "./dashboard/checks.ts";
import { counters } from "./dashboard/counters.ts";
import { deliveries } from "./dashboard/deliveries.ts";
import { domains } from "./dashboard/domains.ts";
import { erasures } from "./dashboard/erasures.ts";
import { factors } from "./dashboard/factors.ts";
import { heartbeats } from "./dashboard/heartbeats.ts";
import { incidents } from "./dashboard/incidents.ts";
import { insights } from "./dashboard/insights.ts";
import { installation } from "./dashboard/installation.ts";
import { invitations } from "./dashboard/invitations.ts";
import { jobs } from "./dashboard/jobs.ts";
import { keys } from "./dashboard/keys.ts";
import { labels } from "./dashboard/labels.ts";
import { live } from "./dashboard/live.ts";
import { members } from "./dashboard/members.ts";
import { messages } from "./dashboard/messages.ts";
import { oncalls } from "./dashboard/oncalls.ts";
import { policies } from "./dashboard/policies.ts";
import { reports } from "./dashboard/reports.ts";
import { requests } from "./dashboard/requests.ts";
import { rules } from "./dashboard/rules.ts";
import { sandbox } from "./dashboard/sandbox.ts";
import { schedules } from "./dashboard/schedules.ts";
import { senders } from "./dashboard/senders.ts";
import { sessions } from "./dashboard/sessions.ts";
import { silences } from "./dashboard/silences.ts";
import { suppressions } from "./dashboard/suppressions.ts";
import { targets } from "./dashboard/targets.ts";
import { templates } from "./dashboard/templates.ts";
import { users } from "./dashboard/users.ts";
import { watches } from "./dashboard/watches.ts";
import { webhooks } from "./dashboard/webhooks.ts";
import { workspaces } from "./dashboard/workspaces.ts";
import { emails } from "./emails.ts";
import { intel } from "./intel.ts";

const c = initContract();

/** Public API. Requests carry an API key. */
export const api = c.router({ emails, alerts, intel });

/** API of the dashboard. Requests carry a session cookie. */
export const dashboard = c.router({
  sessions,
  users,
  factors,
  accounts,
  members,
  invitations,
  keys,
  audits,
  counters,
  requests,
  jobs,
  senders,
  domains,
  messages,
  live,
  policies,
  templates,
  suppressions,
  erasures,
  sandbox,
  webhooks,
  deliveries,
  rules,
  silences,
  oncalls,
  targets,
  heartbeats,
  incidents,
  workspaces,
  watches,
  reports,
  labels,
  checks,
  insights,
  schedules,
  installation,
});
