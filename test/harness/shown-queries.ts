import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { DashboardWorld, Visit } from "./dashboard-world.ts";
import { eventually } from "./start-hermod.ts";

/** A sending domain of the account that `fillPages` fills. */
export const PAGE_DOMAIN = "shop.example.org";
const TEMPLATE = "order";
/** Path of the page of a policy with two versions. */
const POLICY = "/policies/versioned";
/** Paths of the pages of an alert rule and an inhibition with two versions. */
const RULE = "/alert-rules/disks";
const INHIBITION = "/inhibitions/host-down";
/** Path of the page of an on-call schedule with two versions. */
const ON_CALL = "/on-call/primary";
/** Endpoint with two versions, which receives nothing. */
const QUIET = { url: "https://quiet.example.com/hooks", types: ["message.complained"] };

/** Path of the page that shows the query. */
export interface Shown {
  readonly at: string;
  /** A text that the page shows only with the answer. For a list, it is the text of the empty list: no failure may show it. */
  readonly text: string;
  /** Whether other texts of the page contain this one. */
  readonly isWhole?: true;
  /** Opens the part of the page that sends the query. */
  readonly open?: (page: Page) => Promise<void>;
  /** Text for a 404 answer if the page has its own. */
  readonly missing?: string;
  /** A text that stays without the answer, which only completes the page. Undefined: the page shows the error. */
  readonly stays?: string;
  /** Text instead of the answer of a query that only completes the page. */
  readonly says?: string;
}

const button = (name: string) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).first().click();

/** Resources of the account, with the ids and texts that pages need. */
interface Filled {
  readonly message: string;
  readonly suppressed: string;
  readonly job: string;
  /** An alert that opened an incident. */
  readonly alert: string;
  readonly incident: string;
  /** A silence every Sunday. */
  readonly silence: string;
  /** A heartbeat without pings. No rule notifies its alert. */
  readonly heartbeat: string;
  /** A webhook for alerts. No rule notifies it. */
  readonly target: string;
  readonly key: string;
  readonly link: string;
  readonly erasure: string;
  /** An endpoint that receives nothing, with two versions. */
  readonly webhook: string;
  /** A report about the first workspace. */
  readonly report: string;
  /** A client and a domain of the second workspace. */
  /** A workspace without clients. */
  readonly emptyWorkspace: string;
  /** The second workspace, with a client and a paused domain. */
  readonly elsewhere: { readonly client: string; readonly domain: string };
  /** A test event on its way to another endpoint. */
  readonly delivery: string;
}

/** The page of each query, in an account that `fillPages` has filled. */
export const shownQueries = (things: Filled): Readonly<Record<string, Shown>> => ({
  accountQuery: { at: "/account/security", text: "Each member decides" },
  alertQuery: { at: `/alerts/${things.alert}`, text: "Rules at that time" },
  alertRequestsQuery: {
    at: `/alerts/set-up/cron?key=${things.key}`,
    text: "Waiting for the first alert…",
  },
  alertStatisticsQuery: { at: "/alerts", text: "Active alerts" },
  alertsBy: { at: "/alerts?source=nothing", text: "No alert matches these filters" },
  auditQuery: { at: "/account/audit?target_id=nothing", text: "No entry matches these filters" },
  allRulesQuery: { at: `/targets/${things.target}`, text: "No rule notifies this target" },
  attentionQuery: { at: "/", text: '"Till Friday" expires' },
  bulkCountQuery: {
    at: "/messages?subject=Captured",
    text: "2 messages are selected.",
    open: async (page) => {
      await button("All matches")(page);
      await page.getByRole("menuitem", { name: "Send again" }).click();
    },
  },
  builtInTemplateQuery: { at: "/templates/-/new?from=welcome", text: "Use this template" },
  builtInTemplatesQuery: { at: "/templates/-/new", text: "Greets a new user" },
  countersQuery: { at: "/", text: "Messages every hour" },
  differenceQuery: { at: `/templates/${TEMPLATE}?tab=versions`, text: "Later words" },
  deliveriesQuery: {
    at: "/webhooks/deliveries?type=message.clicked",
    text: "No delivery matches these filters",
  },
  deliveryQuery: { at: `/webhooks/deliveries/${things.delivery}`, text: "Event at", isWhole: true },
  domainQuery: { at: `/domains/${PAGE_DOMAIN}`, text: "You cannot send from addresses of this domain yet." },
  domainsBy: { at: "/domains?search=nothing", text: "No domain matches" },
  erasureQuery: { at: `/account/erasures/${things.erasure}`, text: "Hash of the address" },
  erasuresQuery: { at: "/account/retention", text: things.erasure },
  factorsQuery: { at: "/user", text: "Set up an authenticator app" },
  heartbeatPingsQuery: { at: `/heartbeats/${things.heartbeat}`, text: "No pings yet" },
  heartbeatQuery: { at: `/heartbeats/${things.heartbeat}`, text: "Waiting for the first ping…" },
  heartbeatsBy: { at: "/heartbeats?search=nothing", text: "No heartbeat matches these filters" },
  incidentCountQuery: {
    at: "/incidents?rule=disks",
    text: "1 incident is selected.",
    open: async (page) => {
      await button("All matches")(page);
      await page.getByRole("menuitem", { name: "Acknowledge" }).click();
    },
  },
  incidentQuery: { at: `/incidents/${things.incident}`, text: "Alerts received" },
  incidentsBy: { at: "/incidents?rule=nothing", text: "No incident matches these filters" },
  inhibitionDifferenceQuery: { at: `${INHIBITION}?tab=versions&before=1&after=2`, text: "equal" },
  inhibitionVersionQuery: { at: `${INHIBITION}?tab=versions&version=1`, text: '"entity_id"' },
  inhibitionVersionsQuery: { at: `${INHIBITION}?tab=versions`, text: "Present state" },
  inhibitionsQuery: { at: "/inhibitions", text: "host-down" },
  installationQuery: { at: "/start", text: "export HERMOD_API_KEY" },
  invitationsQuery: { at: "/account/members", text: "No open invitations" },
  jobQuery: { at: `/jobs/${things.job}`, text: "Messages: send again" },
  jobResultsQuery: { at: `/jobs/${things.job}`, text: things.message },
  jobsBy: { at: "/jobs", text: "Messages: send again" },
  keyQuery: { at: `/keys/${things.key}`, text: "Replace" },
  keyUsesQuery: { at: `/keys/${things.key}`, text: "Not used in the last 30 days." },
  keysOfSendersQuery: { at: "/senders", text: "Keys that may use it", stays: "hello@" },
  keysQuery: { at: "/keys?state=revoked", text: "No key matches these filters" },
  offeredKeysQuery: {
    at: "/requests?trace_id=sx_00000000000000000000000000",
    text: "(hm_live_",
    open: (page) => page.getByRole("combobox", { name: "Key" }).click(),
    stays: "No request matches these filters",
  },
  foundClientsQuery: {
    at: "/intel/dmarc",
    text: "Nordwind",
    open: (page) => page.getByRole("combobox", { name: "Client" }).click(),
    stays: "No DMARC reports in these days",
  },
  foundWatchesQuery: {
    at: "/intel/dmarc",
    text: "watched.example.org",
    open: (page) => page.getByRole("combobox", { name: "Domain" }).click(),
    stays: "No DMARC reports in these days",
  },
  onCallOfQuery: { at: ON_CALL, text: "without a change in the next 60 days" },
  onCallQuery: { at: "/on-call", text: "no change in the next 60 days" },
  overridesQuery: { at: `${ON_CALL}?tab=overrides`, text: "No overrides" },
  pickedClientQuery: {
    at: `/intel/dmarc?client_id=${things.elsewhere.client}`,
    text: "Elsewhere",
    open: (page) => page.getByRole("combobox", { name: "Client" }).click(),
    stays: "No report matches these filters",
  },
  pickedWatchQuery: {
    at: `/intel/dmarc?domain_id=${things.elsewhere.domain}`,
    text: "elsewhere.example.org",
    open: (page) => page.getByRole("combobox", { name: "Domain" }).click(),
    stays: "No report matches these filters",
  },
  clientsBy: { at: "/intel/clients?search=nothing", text: "No client matches these filters" },
  findingDomainsQuery: {
    at: `/intel/clients/${things.elsewhere.client}?check=auth.spf.all`,
    text: "No domain needs this repair any more.",
  },
  findingsQuery: { at: `/intel/workspaces/${things.emptyWorkspace}`, text: "No watched domains yet" },
  mutesBy: { at: "/intel/mutes", text: "No check is muted", isWhole: true },
  scoreHistoryQuery: {
    at: `/intel/workspaces/${things.emptyWorkspace}`,
    text: "No score in this range yet.",
  },
  watchChangesBy: { at: "/intel/changes?kind=blacklist.listed", text: "No change matches these filters" },
  checksQuery: { at: "/intel/checks", text: "There is an SPF record" },
  watchCountQuery: {
    at: "/intel/domains?search=watched",
    text: "1 domain is selected.",
    open: async (page) => {
      await button("All matches")(page);
      await page.getByRole("menuitem", { name: "Pause" }).click();
    },
  },
  reportInboxQuery: {
    at: `/intel/domains/${things.elsewhere.domain}`,
    text: "No DMARC or TLS report arrived yet.",
  },
  clientNamesQuery: { at: "/intel/domains", text: "Nordwind", stays: "watched.example.org" },
  watchQuery: {
    at: `/intel/domains/${things.elsewhere.domain}`,
    text: "The checks of the domain are paused",
  },
  watchOffersQuery: {
    at: "/intel/domains",
    text: "1 sending domain is not watched.",
    stays: "watched.example.org",
  },
  watchesBy: { at: "/intel/domains?search=nothing", text: "No watched domain matches these filters" },
  blacklistsQuery: { at: "/intel/blacklists?tab=lists", text: "SpamCop" },
  dmarcSourcesQuery: { at: "/intel/dmarc", text: "No DMARC reports in these days" },
  labelQuery: { at: `/intel/labels/${things.elsewhere.client}`, text: "Example report" },
  labelsQuery: { at: "/intel/labels", text: "No labels yet" },
  listingChangesQuery: { at: "/intel/blacklists?tab=past", text: "No entry has begun or ended yet" },
  listingsQuery: { at: "/intel/blacklists?list=spamcop", text: "No entry matches these filters" },
  reportLinksQuery: { at: `/intel/reports/${things.report}`, text: "No links yet" },
  reportPageQuery: { at: `/intel/reports/${things.report}`, text: "This is what a reader of a link sees." },
  reportQuery: { at: `/intel/reports/${things.report}`, text: "Save as PDF" },
  reportsBy: { at: "/intel/reports?scope_type=domain", text: "No report matches these filters" },
  latencyQuery: { at: "/", text: "Time to delivery" },
  matchCountQuery: {
    at: "/messages?subject=Captured",
    text: "2 messages",
    isWhole: true,
    stays: "captured@example.org",
    says: "The number of messages could not be loaded.",
  },
  membersQuery: { at: "/account/members", text: "Last owner" },
  messageContentsQuery: { at: `/messages/${things.message}?tab=text`, text: "Thank you." },
  messageQuery: { at: `/messages/${things.message}`, text: "Captured in the sandbox." },
  messageSourceQuery: { at: `/messages/${things.message}?tab=source`, text: "Download source" },
  messageWebhooksQuery: {
    at: `/messages/${things.message}?tab=webhooks`,
    text: "No webhooks were sent for this message",
  },
  messagesQuery: { at: "/messages?recipient=nobody@example.com", text: "No message matches these filters" },
  policiesQuery: { at: "/start", text: "captured in the sandbox, not sent", stays: "Send" },
  policyDifferenceQuery: { at: `${POLICY}?tab=versions&before=1&after=2`, text: "max_age_seconds" },
  policyQuery: { at: POLICY, text: "Copy as a new policy" },
  policyQueueQuery: { at: `${POLICY}?tab=queue`, text: "No message waits." },
  policyVersionQuery: { at: `${POLICY}?tab=versions&version=1`, text: '"max_age_seconds": 3600' },
  policyVersionsQuery: { at: `${POLICY}?tab=versions`, text: "Present state" },
  queueQuery: { at: "/", text: "No message waits." },
  requestStatisticsQuery: { at: "/requests", text: "Requests by status" },
  requestsQuery: {
    at: "/requests?trace_id=sx_00000000000000000000000000",
    text: "No request matches these filters",
  },
  retentionQuery: { at: "/account/retention", text: "Request log from the request" },
  rolesQuery: { at: "/account/roles", text: "See the requests made with keys" },
  ruleDifferenceQuery: { at: `${RULE}?tab=versions&before=1&after=2`, text: "notify.wait_seconds" },
  ruleQuery: { at: RULE, text: "Copy as a new rule" },
  ruleTestQuery: { at: `/heartbeats/${things.heartbeat}`, text: "No alert rule notifies the alert" },
  ruleVersionQuery: { at: `${RULE}?tab=versions&version=1`, text: '"wait_seconds": 30' },
  ruleVersionsQuery: { at: `${RULE}?tab=versions`, text: "Present state" },
  rulesQuery: { at: "/alert-rules", text: "context.used gte 90" },
  sandboxChecksQuery: { at: "/sandbox?view=checks", text: "Size" },
  sandboxMessageQuery: { at: "/sandbox", text: "Download source" },
  sandboxQuery: { at: "/sandbox?subject=nothing", text: "No captured mail matches these filters" },
  scheduleChoicesQuery: {
    at: "/alert-rules/-/new",
    text: "The participants on call at the time of a notice are mailed.",
    stays: "Recipients",
    says: "The schedules of the account could not be loaded.",
  },
  scheduleDifferenceQuery: { at: `${ON_CALL}?tab=versions&before=1&after=2`, text: "description" },
  scheduleQuery: { at: ON_CALL, text: "First level" },
  scheduleVersionQuery: { at: `${ON_CALL}?tab=versions&version=1`, text: '"fallback_recipients"' },
  scheduleVersionsQuery: { at: `${ON_CALL}?tab=versions`, text: "Present state" },
  schedulesQuery: { at: "/intel/schedules", text: "No schedules yet" },
  sendersBy: { at: "/senders?search=nothing", text: "No sender matches" },
  sessionQuery: { at: "/keys", text: "API keys" },
  sessionsQuery: { at: "/user", text: "This session" },
  sharedRecordsQuery: {
    at: `/dns-records#${things.link}`,
    text: `DNS records of ${PAGE_DOMAIN}`,
    missing: "This link does not work",
  },
  silencePreviewQuery: {
    at: `/silences/${things.silence}`,
    text: "Suppresses no open incident now.",
  },
  silenceQuery: { at: `/silences/${things.silence}`, text: "Copy as a new silence" },
  silencesQuery: { at: "/silences?state=expired", text: "No silence matches these filters" },
  shiftsQuery: { at: ON_CALL, text: "eve", isWhole: true },
  signInOptionsQuery: { at: "/sign-in", text: "Sign in with a passkey", stays: "Sign in to Hermod" },
  startQuery: { at: "/start", text: "of 7" },
  suppressionCountsQuery: { at: "/suppressions", text: "Bounced" },
  suppressionOfQuery: {
    at: `/messages/${things.suppressed}`,
    text: "Remove from suppression",
    missing: "The entry that stopped this message is no longer on the list. You can send the message again.",
  },
  suppressionsQuery: {
    at: "/suppressions?address=nobody@example.com",
    text: "No address matches these filters",
  },
  targetChoicesQuery: {
    at: "/alert-rules/-/new",
    text: "Webhooks, and channels of Slack and Microsoft Teams.",
    stays: "Recipients",
    says: "The targets of the account could not be loaded.",
  },
  targetDeliveriesQuery: { at: `/targets/${things.target}`, text: "No deliveries yet" },
  targetQuery: { at: `/targets/${things.target}`, text: "Nothing was sent to this target yet." },
  targetsQuery: { at: "/targets?search=nothing", text: "No target matches these filters" },
  templateQuery: { at: `/templates/${TEMPLATE}`, text: "Save draft" },
  templateUseQuery: {
    at: `/templates/${TEMPLATE}?tab=use`,
    text: "No enabled alert rule uses the template.",
  },
  templatesBy: { at: "/templates?search=nothing", text: "No template matches these filters" },
  textPreviewQuery: { at: "/templates/-/new?from=welcome", text: "Gmail shows all of it" },
  versionPreviewQuery: {
    at: `/templates/${TEMPLATE}?tab=versions&version=1`,
    text: "Gmail shows all of it",
  },
  versionsQuery: { at: `/templates/${TEMPLATE}?tab=versions`, text: "Used for messages" },
  webhookDifferenceQuery: {
    at: `/webhooks/${things.webhook}?tab=versions&before=1&after=2`,
    text: "rate_per_second",
  },
  webhookQuery: { at: `/webhooks/${things.webhook}`, text: "Send a test event" },
  webhookStatisticsQuery: { at: `/webhooks/${things.webhook}`, text: "No requests in this period." },
  webhookTypesQuery: { at: "/webhooks/events", text: "A server accepted the message." },
  webhookVersionQuery: {
    at: `/webhooks/${things.webhook}?tab=versions&version=1`,
    text: `"url": "${QUIET.url}"`,
  },
  webhookVersionsQuery: { at: `/webhooks/${things.webhook}?tab=versions`, text: "Present state" },
  webhooksQuery: { at: "/webhooks", text: QUIET.url },
  workspacesQuery: { at: "/intel/workspaces", text: "Default", isWhole: true },
  zoneFileQuery: { at: `/domains/${PAGE_DOMAIN}`, text: "3600 IN TXT", open: button("Zone file") },
});

/** Creates one resource of each kind that a page shows. */
export async function fillPages(world: DashboardWorld, { context }: Pick<Visit, "context">): Promise<Filled> {
  const { core } = world.hermod;
  const ask = async (path: string, data?: object, method = data ? "POST" : "GET") => {
    const headers = { origin: world.url };
    const answered = await context.request.fetch(`${world.url}/api${path}`, {
      method,
      headers,
      ...(data && { data }),
    });
    expect(answered.ok(), await answered.text()).toBe(true);
    return answered.json();
  };
  const message = await world.send({ to: "captured@example.org", subject: "Captured" });
  await core.domains.addDomain({ domain: PAGE_DOMAIN });
  for (const words of ["Earlier words", "Later words"])
    await core.templates.putTemplate({
      template: { name: TEMPLATE, subject: "Your order", html: `<p>${words}</p>` },
    });
  const { revision } = await ask(`/templates/${TEMPLATE}`);
  await ask(`/templates/${TEMPLATE}/restore-draft`, { revision, version: 1 });
  const { token } = await ask(`/domains/${PAGE_DOMAIN}/link`, { expires_in_days: 7 });
  await ask("/suppressions", { address: "gone@example.org", reason: "manual" });
  const suppressed = await world.send({ to: "gone@example.org", subject: "Stopped" });
  /** @param path of a message or a job */
  const reaches = (path: string, state: string) =>
    eventually(async () => {
      const body = await ask(path);
      return (body.message ?? body).state === state ? state : undefined;
    });
  await reaches(`/messages/${message}`, "captured");
  await reaches(`/messages/${suppressed}`, "suppressed");
  const bulk = { action: "resend", ids: [message] };
  const { confirmation } = await ask("/messages/bulk", bulk);
  const { id: job } = await ask("/messages/bulk", { ...bulk, confirmation });
  await reaches(`/jobs/${job}`, "succeeded");
  for (const seconds of [3_600, 7_200]) await core.policies.putPolicy({ policy: versioned(seconds) });
  const { revision: ofRule } = await ask(RULE, ruleAfter(30), "PUT");
  await ask(RULE, { ...ruleAfter(60), if_revision: ofRule }, "PUT");
  const alert = await reportAlert(world);
  const incident = await eventually(async () => (await ask("/incidents")).data[0]?.id as string | undefined);
  const { id: heartbeat } = await ask("/heartbeats", { name: "Backup", period_seconds: 86_400 });
  const { id: target } = await ask("/alert-targets", {
    kind: "webhook",
    name: "ops-program",
    url: "https://ops.example.com/hooks",
  });
  const inhibition = {
    source: { match: [{ field: "event_type", op: "eq", value: "host.down" }] },
    target: { match: [{ field: "severity", op: "lte", value: "warning" }] },
  };
  const { revision: ofInhibition } = await ask(INHIBITION, { ...inhibition, equal: ["entity_id"] }, "PUT");
  const equal = ["entity_type", "entity_id"];
  await ask(INHIBITION, { ...inhibition, equal, if_revision: ofInhibition }, "PUT");
  const onCall = {
    layers: [
      {
        name: "Weekly",
        participants: [{ address: "eve@example.org" }],
        starts_at: "2026-01-05T08:00:00Z",
        time_zone: "Europe/Oslo",
        shift: { length: 1, unit: "week" },
      },
    ],
    fallback_recipients: ["ops@example.org"],
  };
  const atOnCall = "/on-call-schedules/primary";
  const { revision: ofOnCall } = await ask(atOnCall, onCall, "PUT");
  await ask(atOnCall, { ...onCall, description: "First level", if_revision: ofOnCall }, "PUT");
  const windows = [{ days: [7], from: "02:00", to: "04:00" }];
  const { id: silence } = await ask("/silences", {
    match: [{ field: "source", op: "eq", value: "backup" }],
    weekly: { time_zone: "Europe/Berlin", windows },
    comment: "Backup",
  });
  const expires_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const { id: erasure } = await ask("/erasures", { recipient: "nobody@example.org" });
  const { key } = await ask("/keys", { name: "Till Friday", kind: "account", expires_at });
  const { id: webhook } = await ask("/webhooks", QUIET);
  await core.webhooks.replaceWebhook({ id: webhook, settings: { ...QUIET, ratePerSecond: 10 } });
  const tested = await ask("/webhooks", {
    url: "https://tested.example.com/hooks",
    types: ["message.complained"],
  });
  const { delivery_id: delivery } = await ask(`/webhooks/${tested.id}/test`, {});
  const ofAlerts = { alert, incident, silence, heartbeat, target };
  const ofIntel = await fillWorkspaces(ask);
  return {
    message,
    suppressed,
    job,
    ...ofAlerts,
    ...ofIntel,
    key: key.id,
    link: token,
    erasure,
    webhook,
    delivery,
  };
}

type Ask = (path: string, data?: object, method?: string) => Promise<{ readonly id: string }>;

/** Adds a domain to each of two workspaces, the second one paused, an empty workspace, and a report about the first. */
async function fillWorkspaces(ask: Ask) {
  const { id: nordwind } = await ask("/intel/clients", { name: "Nordwind" });
  await ask("/intel/domains", { client_id: nordwind, name: "watched.example.org" });
  const { id: workspace } = await ask("/intel/workspaces", { name: "Second" });
  const { id: client } = await ask(`/intel/clients?workspace_id=${workspace}`, { name: "Elsewhere" });
  const watched = { client_id: client, name: "elsewhere.example.org", paused: true };
  const { id: domain } = await ask("/intel/domains", watched);
  const { id: report } = await ask("/intel/reports", { scope: { type: "workspace" }, format: "html" });
  const { id: emptyWorkspace } = await ask("/intel/workspaces", { name: "Third" });
  return { report, elsewhere: { client, domain }, emptyWorkspace };
}

/** A policy that differs in its maximum age. */
const versioned = (maxAgeSeconds: number) => ({
  name: "versioned",
  transports: [{ kind: { case: "sandbox" as const, value: {} } }],
  maxAgeSeconds,
});

/** The settings of a rule that waits before its first notice. */
const ruleAfter = (wait_seconds: number) => ({
  match: [{ field: "context.used", op: "gte", value: 90 }],
  notify: { wait_seconds },
});

/** @returns id of an alert that the rule matches */
async function reportAlert(world: DashboardWorld): Promise<string> {
  const answer = await world.report({
    event_type: "disk.full",
    severity: "warning",
    source: "node-exporter",
    message: "/var 97 %",
    context: { used: 97 },
  });
  const { alert_id: id } = (await answer.json()) as { readonly alert_id: string };
  return id;
}
