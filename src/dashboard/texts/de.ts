import { audit, limits, members, roles, security } from "./de/account.ts";
import { alertSetup } from "./de/alert-setup.ts";
import { clients, mailReport, repairs } from "./de/clients.ts";
import { deliveries, events, verify } from "./de/deliveries.ts";
import { blacklists, dmarc } from "./de/dmarc.ts";
import { domains, senders, shared } from "./de/domains.ts";
import { drafts } from "./de/drafts.ts";
import { faults } from "./de/faults.ts";
import { heartbeats } from "./de/heartbeats.ts";
import { alerts, incidents } from "./de/incidents.ts";
import { intel, workspaces } from "./de/intel.ts";
import { intelReports } from "./de/intel-reports.ts";
import { jobs } from "./de/jobs.ts";
import { keys, reference, requests } from "./de/keys.ts";
import { labels } from "./de/labels.ts";
import { message, messages } from "./de/messages.ts";
import { onCall } from "./de/on-call.ts";
import { overview } from "./de/overview.ts";
import { policies } from "./de/policies.ts";
import { account, erasure, retention } from "./de/privacy.ts";
import { reportSchedules } from "./de/report-schedules.ts";
import { inhibitions, rules } from "./de/rules.ts";
import { sandbox, suppressions } from "./de/sending.ts";
import { sentences } from "./de/sentences.ts";
import { server } from "./de/server.ts";
import { common, mailLinks, problem, secret, session, shell } from "./de/shell.ts";
import { silences } from "./de/silences.ts";
import { start } from "./de/start.ts";
import { targets } from "./de/targets.ts";
import { code, templates } from "./de/templates.ts";
import { trials } from "./de/trials.ts";
import { user } from "./de/user.ts";
import { versions } from "./de/versions.ts";
import { mutes, watchChanges } from "./de/watch-changes.ts";
import { intelScope, watchImport } from "./de/watch-import.ts";
import { checks, watches } from "./de/watches.ts";
import { webhooks } from "./de/webhooks.ts";
import type { PageTexts } from "./texts.ts";

/** All texts of the pages, in German. */
export const de: PageTexts = {
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
