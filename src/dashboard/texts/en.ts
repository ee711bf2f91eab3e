import { audit, limits, members, roles, security } from "./en/account.ts";
import { alertSetup } from "./en/alert-setup.ts";
import { clients, mailReport, repairs } from "./en/clients.ts";
import { deliveries, events, verify } from "./en/deliveries.ts";
import { blacklists, dmarc } from "./en/dmarc.ts";
import { domains, senders, shared } from "./en/domains.ts";
import { drafts } from "./en/drafts.ts";
import { faults } from "./en/faults.ts";
import { heartbeats } from "./en/heartbeats.ts";
import { alerts, incidents } from "./en/incidents.ts";
import { intel, workspaces } from "./en/intel.ts";
import { intelReports } from "./en/intel-reports.ts";
import { jobs } from "./en/jobs.ts";
import { keys, reference, requests } from "./en/keys.ts";
import { labels } from "./en/labels.ts";
import { message, messages } from "./en/messages.ts";
import { onCall } from "./en/on-call.ts";
import { overview } from "./en/overview.ts";
import { policies } from "./en/policies.ts";
import { account, erasure, retention } from "./en/privacy.ts";
import { reportSchedules } from "./en/report-schedules.ts";
import { inhibitions, rules } from "./en/rules.ts";
import { sandbox, suppressions } from "./en/sending.ts";
import { sentences, server } from "./en/server.ts";
import { common, mailLinks, problem, secret, session, shell } from "./en/shell.ts";
import { silences } from "./en/silences.ts";
import { start } from "./en/start.ts";
import { targets } from "./en/targets.ts";
import { code, templates } from "./en/templates.ts";
import { trials } from "./en/trials.ts";
import { user } from "./en/user.ts";
import { versions } from "./en/versions.ts";
import { mutes, watchChanges } from "./en/watch-changes.ts";
import { intelScope, watchImport } from "./en/watch-import.ts";
import { checks, watches } from "./en/watches.ts";
import { webhooks } from "./en/webhooks.ts";

/** All texts of the pages, in English. Other languages have the same keys and parameters. */
export const en = {
  common,
  problem,
  faults,
  sentences,
  shell,
  session,
  mailLinks,
  secret,
  messages,
  message,
  jobs,
  sandbox,
  suppressions,
  domains,
  senders,
  shared,
  keys,
  policies,
  drafts,
  incidents,
  alerts,
  alertSetup,
  rules,
  inhibitions,
  intel,
  workspaces,
  clients,
  repairs,
  mailReport,
  watchChanges,
  mutes,
  targets,
  silences,
  onCall,
  trials,
  heartbeats,
  versions,
  intelScope,
  watchImport,
  watches,
  checks,
  dmarc,
  blacklists,
  intelReports,
  labels,
  reportSchedules,
  reference,
  requests,
  templates,
  code,
  webhooks,
  deliveries,
  events,
  verify,
  overview,
  start,
  user,
  members,
  roles,
  security,
  audit,
  retention,
  erasure,
  account,
  limits,
  server,
};
